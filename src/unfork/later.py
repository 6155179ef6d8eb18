"""Modules that are loaded at first use, so that a command loads only what it needs.

Importing a module in ``LATER`` finds it and runs nothing of it. Import it as a module: ``from module import name`` is a
use. ``__init__.py`` puts the finder in front of Python's.
"""

from __future__ import annotations

import sys
from _thread import RLock
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, cast

LATER = frozenset(
    (
        "click.shell_completion",
        "concurrent.futures",
        "ctypes",
        "difflib",
        "importlib.metadata",
        "itanium_demangler",
        "msgspec",
        "rich.console",
        "rich.live",
        "rich.progress",
        "rich.text",
        "unfork.cli.version",
        "unfork.commands.assemble.building",
        "unfork.commands.afterwards.corpus",
        "unfork.commands.afterwards.explain",
        "unfork.commands.afterwards.export",
        "unfork.commands.run.show_loops",
        "unfork.commands.afterwards.page",
        "unfork.commands.afterwards.replay",
        "unfork.commands.run.resume",
        "unfork.commands.run.run",
        "unfork.commands.scan.claims",
        "unfork.commands.scan.reach",
        "unfork.commands.scan.scan",
        "unfork.commands.scan.scan_jobs",
        "unfork.commands.scan.tested_programs",
        "unfork.commands.run.show_states",
        "unfork.commands.svcomp.svcomp",
        "unfork.commands.svcomp.validate",
        "unfork.commands.verify.verify",
        "unfork.commands.run.watching",
        "unfork.commands.run.campaigns",
        "unfork.commands.run.fuzzing",
        "unfork.commands.run.sowing",
        "unfork.commands.run.working",
        "unfork.engine.memory.placed_bytes",
        "unfork.program.c.c_source",
        "unfork.program.facts.counting",
        "unfork.program.facts.passed_callbacks",
        "unfork.program.facts.held_tables",
        "unfork.program.facts.pointer_ranges",
        "unfork.program.facts.size_names",
        "unfork.program.facts.stored_functions",
        "unfork.program.facts.stored_numbers",
        "unfork.program.facts.stream_pointers",
        "unfork.program.facts.pointer_parameters",
        "unfork.program.c.dictionaries",
        "unfork.report.replay.native_fuzzer",
        "unfork.engine.memory.copied_extents",
        "unfork.engine.memory.lazy_ranges",
        "unfork.world.inputs.argument_ranges",
        "unfork.program.c.contract_reader",
        "unfork.program.c.cprover_code",
        "unfork.program.c.expression_reader",
        "unfork.program.c.expressions",
        "unfork.program.c.syntax",
        "unfork.world.libc.kept_parts",
        "unfork.engine.machine.native_loops",
        "unfork.engine.explore.unwind",
        "unfork.program.facts.query_count",
        "unfork.report.formats.gcc",
        "unfork.report.formats.ktest",
        "unfork.report.formats.testcomp",
        "unfork.world.inputs.call_sequences",
        "unfork.world.inputs.harness",
        "unfork.world.inputs.precondition",
        "unfork.world.inputs.file_of_test",
        "unfork.program.llvm.c_registers",
        "unfork.program.llvm.compilation_cache",
        "unfork.program.llvm.first_writes",
        "unfork.reduce.merge.fast_forward",
        "unfork.reduce.merge.resting_places",
        "unfork.reduce.merge.marked_order",
        "unfork.reduce.merge.static_order",
        "unfork.reduce.merge.lessons",
        "unfork.report.page.live",
        "unfork.reduce.prune.interpolation.learn",
        "unfork.reduce.prune.interpolation.payoff",
        "unfork.reduce.prune.interpolation.interpolating",
        "unfork.reduce.prune.interpolation.sources",
        "unfork.reduce.prune.interpolation.speculation",
        "unfork.reduce.prune.interpolation.strengthen",
        "unfork.reduce.prune.interpolation.table",
        "unfork.report.replay.account",
        "unfork.report.replay.baton",
        "unfork.report.replay.binary",
        "unfork.report.replay.concolic",
        "unfork.report.replay.jail",
        "unfork.report.replay.native_replay",
        "unfork.report.record.kept_run",
        "unfork.report.record.loop_records",
        "unfork.report.record.notebook",
        "unfork.report.record.progress",
        "unfork.report.record.show",
        "unfork.report.record.summary",
        "unfork.report.record.why",
        "unfork.commands.cc.start",
        "unfork.reduce.audit.make_audit",
        "unfork.reduce.invariants.make_abstract_loops",
        "unfork.reduce.merge.make_joins",
        "unfork.reduce.prune.make_subsumption",
        "unfork.reduce.prune.interpolation.make_interpolation",
        "webbrowser",
    )
)
"""Modules that take milliseconds to load, and that not every run and not every help needs."""
_LOCK = RLock()


class LaterModule(ModuleType):
    """A module that was found and has not run. Looking up a name that it lacks runs it.

    Names that begin with two underscores do not: the import system looks for them itself.
    """

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            load(self)
        return ModuleType.__getattribute__(self, name)


class _Waiter:
    """The loader of a module that has not run."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.is_running = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty module."""
        return LaterModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing yet."""


class Finder:
    """Finds the modules in ``LATER``."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a module in ``LATER``; None for another, which is loaded now."""
        package = sys.modules.get(name.rpartition(".")[0])
        if isinstance(package, LaterModule):
            load(package)
        spec = PathFinder.find_spec(name, path) if name in LATER else None
        if spec is not None:
            spec.loader = cast(Any, _Waiter(spec.loader))  # it has the two methods that importlib calls
        return spec


def load(module: LaterModule) -> None:
    """Run a module, unless it is running. Afterwards it is like any imported module."""
    with _LOCK:
        spec, waiter = module.__spec__, cast(Any, module.__loader__)
        if spec is None or not isinstance(waiter, _Waiter) or waiter.is_running:
            return
        waiter.is_running = True
        try:
            waiter.loader.exec_module(module)
        finally:
            waiter.is_running = False
        spec.loader = module.__loader__ = waiter.loader
        cast(ModuleType, module).__class__ = ModuleType
