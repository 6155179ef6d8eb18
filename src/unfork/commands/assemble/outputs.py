"""Which tests are written and in which formats; and the calls of --calls."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.commands.assemble.choices import choose
from unfork.engine.step.statics import makes_threads
from unfork.options.options import Options
from unfork.program.c import callbacks
from unfork.program.c.suffixes import has_cpp
from unfork.program.facts import passed_callbacks
from unfork.program.llvm import c_registers
from unfork.program.llvm.compiler import INCLUDE
from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import IntType, VoidType
from unfork.report.formats import ktest, testcomp
from unfork.report.record.corpus_folder import CorpusFolder
from unfork.report.record.written_tests import Policy, TestFormat
from unfork.report.replay import baton
from unfork.world.inputs import call_sequences, lazy_globals, object_drivers
from unfork.world.inputs import harness as inputs_harness
from unfork.world.inputs.under_constrained import is_under_constrained
from unfork.world.libc import fuzz_driver

if TYPE_CHECKING:
    from unfork.engine.explore.endings import Deadline
    from unfork.world.inputs.call_sequences import CallPlan
    from unfork.world.inputs.harness import Harness


_ON_REQUEST = {"overflow": "signed-integer-overflow", "shift": "shift-exponent", "shift-base": "shift-base"}
"""Checks of sanitizers that --check may leave out, and their names there."""


def unwatched(options: Options) -> tuple[str, ...]:
    """Flags that keep sanitizers from checking more than --check does."""
    checks = choose(options).checks
    return tuple([f"-fno-sanitize={name}" for check, name in _ON_REQUEST.items() if check not in checks])


def calls(options: Options, program: Program) -> CallPlan | None:
    """The plan of --calls, None without it. Raises InputError for a function that cannot be called."""
    choices = choose(options)
    start = choices.start
    if not start.calls:
        return None
    return call_sequences.plan(program, start.maker, start.calls, start.max_calls, is_matched=choices.prune.matches)


def with_calls(options: Options, program: Program, build: Callable[[Path], Program]) -> Program:
    """The program with the function that makes the calls of --calls; ``build`` compiles it with one more file."""
    planned = calls(options, program)
    if planned is None:
        return program
    with tempfile.TemporaryDirectory(prefix="unfork-calls-") as folder:
        file = Path(folder) / call_sequences.FILE
        file.write_text(call_sequences.driver(planned, choose(options).start.entry), "utf-8", "surrogateescape")
        return build(file)


def has_heap(options: Options, program: Program) -> bool:
    """Whether the start function gets a heap, by its arguments or by global variables."""
    start = choose(options).start
    return start.opens_globals or is_under_constrained(program, start.entry)


def assumptions(options: Options, program: Program, planned: CallPlan | None) -> tuple[str, ...]:
    """What a run assumes from the start; its states may add to it."""
    entry = choose(options).start.entry
    if planned is not None:
        return (call_sequences.assumption(planned),)
    if object_drivers.is_entry(entry):
        return object_drivers.assumptions(program)
    return () if entry == "main" or has_heap(options, program) else (lazy_globals.INITIAL,)


def most_elements(options: Options) -> int:
    """The most elements of a container that a function in C++ gets."""
    return choose(options).inputs.max_elements or object_drivers.MOST


def harness(program: Program, options: Options) -> Harness:
    """Writes tests as source for ``program``, which start in the start function of the run."""
    sources = tuple([name for name in program.sources if Path(name).name != call_sequences.FILE])
    own = tuple([name for name in sources if not name.endswith(f"/{callbacks.FILE}")])  # tests have their own
    stand_ins = passed_callbacks.stand_ins(program) if len(own) < len(sources) else ()
    sources = own
    choices = choose(options)
    entry, compilation = choices.start.entry, choices.compilation
    told = (*(f"-I{folder}" for folder in compilation.include), *(f"-D{name}" for name in compilation.define))
    commands = {name: program.function(name).type for name in inputs_harness.COMMANDS if name in program.library}
    plain = inputs_harness.Harness(
        sources,
        {**program.declarations, **commands},
        INCLUDE,
        unwatched=unwatched(options),
        flags=(*told, *shlex.split(compilation.cflags)),
        stand_ins=tuple(stand_ins),
    )
    if entry == "main":
        return replace(plain, entry=fuzz_driver.source(program))
    plain = replace(plain, has_main="main" in program.defined)
    planned = calls(options, program)
    if planned is not None:
        # the calls have C types, which C++ does not accept
        is_part = len(sources) == 1 and not has_cpp(sources)
        return replace(plain, source_of_entry=sources[0] if is_part else "", calls=planned)
    if object_drivers.is_entry(entry):
        included, _, text = program.driver.partition("\n")
        source = next((name for name in sources if str(Path(name).resolve()) == object_drivers.included(included)), "")
        made = inputs_harness.entry(entry, VoidType(), is_cpp=True)
        return replace(plain, source_of_entry=source, driver=text, entry=made)
    defined = program.function(entry)
    result = defined.type.result
    plain = replace(plain, source_of_entry=program.c_types.source_of(entry))
    if not has_heap(options, program):
        is_cpp = plain.suffix == ".cpp"
        return replace(plain, entry=inputs_harness.entry(entry, result, is_cpp=is_cpp))
    prototype = program.c_types.prototype(entry)
    if prototype is None:
        return plain  # the maker of its arguments refuses, with a message
    return replace(
        plain,
        known=program.c_types.known_in(entry),
        objects=program.object_drivers.get(entry),
        returns_integer=isinstance(result, IntType),
        result_size=prototype.result.size if c_registers.has_result_pointer(defined, prototype) else 0,
        may_throw=choices.inputs.throws_to_caller,
    )


def formats(options: Options, program: Callable[[], Program]) -> list[TestFormat]:
    """The formats of tests besides JSON. Only tests as source need the program."""
    chosen, wanted = [], choose(options).tests.formats
    if "ktest" in wanted:
        chosen.append(TestFormat(".ktest", ktest.to_ktest))
    if "xml" in wanted:
        chosen.append(TestFormat(".xml", lambda test: testcomp.testcase(test).encode("utf-8")))
    if "c" in wanted:
        writer = _writer(program(), options)
        chosen.append(TestFormat(writer.suffix, lambda test: writer.alone(test).encode("utf-8", "surrogateescape")))
    return chosen


def _writer(program: Program, options: Options) -> Harness:
    """Writes tests as source that needs nothing else."""
    choices, writer = choose(options), harness(program, options)
    if choices.start.entry != "main" or not makes_threads(program):
        return writer
    if any(name.startswith(MANGLED) for name in program.library):
        return writer  # the baton is for C
    return replace(writer, has_threads=True, assembly=baton.assembly(program))


def corpus_folder(options: Options) -> CorpusFolder | None:
    """The folder of --corpus-out."""
    return None if options.corpus_out is None else CorpusFolder(Path(options.corpus_out))


def policy(options: Options, deadline: Deadline) -> Policy:
    """Which paths get a test, and until when."""
    tests = choose(options).tests
    return Policy(tests.wanted, tests.most, tests.all_errors, deadline, options.stop_at)
