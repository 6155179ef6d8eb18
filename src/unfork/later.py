"""Modules that are loaded when something of them is first used: what a command does not need costs it no time.

Importing one of them finds it, and runs nothing of it. They are listed here, and imported as any other module, but as
modules: a name taken out of one by ``from module import name`` is a use. ``__init__.py`` puts the finder in front.
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
        "difflib",
        "importlib.metadata",
        "itanium_demangler",
        "msgspec",
        "rich.console",
        "rich.live",
        "rich.progress",
        "rich.text",
        "unfork.api.building",
        "unfork.api.export",
        "unfork.api.loops",
        "unfork.api.page",
        "unfork.api.replay",
        "unfork.api.resume",
        "unfork.api.run",
        "unfork.api.scan",
        "unfork.api.scan_jobs",
        "unfork.api.states",
        "unfork.api.svcomp",
        "unfork.api.validate",
        "unfork.api.verify",
        "unfork.api.watching",
        "unfork.api.working",
        "unfork.audit.again",
        "unfork.audit.audit",
        "unfork.audit.prove",
        "unfork.clang.c_source",
        "unfork.clang.contract_reader",
        "unfork.clang.cprover_code",
        "unfork.clang.expression_reader",
        "unfork.clang.expressions",
        "unfork.clang.syntax",
        "unfork.environment.kept_parts",
        "unfork.execute.native",
        "unfork.explore.unwind",
        "unfork.facts.query_count",
        "unfork.formats.gcc",
        "unfork.formats.ktest",
        "unfork.formats.testcomp",
        "unfork.inputs.call_sequences",
        "unfork.inputs.harness",
        "unfork.inputs.precondition",
        "unfork.inputs.test_file",
        "unfork.llvm.cache",
        "unfork.llvm.ilp32",
        "unfork.merge.fast_forward",
        "unfork.merge.marked_order",
        "unfork.merge.static_order",
        "unfork.merge.lessons",
        "unfork.page.live",
        "unfork.prune.interpolation.learn",
        "unfork.prune.interpolation.payoff",
        "unfork.prune.interpolation.pruner",
        "unfork.prune.interpolation.sources",
        "unfork.prune.interpolation.speculation",
        "unfork.prune.interpolation.strengthen",
        "unfork.prune.interpolation.table",
        "unfork.replay.account",
        "unfork.replay.baton",
        "unfork.replay.binary",
        "unfork.replay.concolic",
        "unfork.replay.jail",
        "unfork.replay.native",
        "unfork.report.kept_run",
        "unfork.report.loops",
        "unfork.report.notebook",
        "unfork.report.progress",
        "unfork.report.show",
        "unfork.report.summary",
        "unfork.report.why",
        "unfork.toolchain.start",
        "unfork.wiring.joins",
        "unfork.wiring.loops",
        "unfork.wiring.subsuming",
        "webbrowser",
    )
)
"""What not every run or description of a command needs, and what takes milliseconds to load."""
_LOCK = RLock()


class Waiting(ModuleType):
    """A module that has been found and not been run. A look for a name that it has not yet runs it.

    Names such as ``__path__`` are looked for by the import system itself, and it has those.
    """

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            load(self)
        return ModuleType.__getattribute__(self, name)


class _Waiter:
    """Takes the place of a module's loader until the module is run."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.is_running = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module to be filled later."""
        return Waiting(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing yet."""


class Finder:
    """Finds modules that are to be loaded later."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The place of a module; None for one that is to be loaded now."""
        package = sys.modules.get(name.rpartition(".")[0])
        if isinstance(package, Waiting):
            load(package)
        spec = PathFinder.find_spec(name, path) if name in LATER else None
        if spec is not None:
            spec.loader = cast(Any, _Waiter(spec.loader))  # importlib asks for no more than it has
        return spec


def load(module: Waiting) -> None:
    """Run a module, unless that is going on. It is as if it had just been imported."""
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
