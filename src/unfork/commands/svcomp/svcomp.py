"""Answers a task of SV-COMP or Test-Comp: runs it for one property, and names the result by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.commands.afterwards.export import open_run
from unfork.commands.run.run import Result, run
from unfork.commands.witness import witnesses
from unfork.commands.witness.properties import Property, property_of
from unfork.engine.protocols.fault import Aspect, name_of
from unfork.engine.step.statics import makes_threads
from unfork.errors import CompileError, InputError, NotNarrow, OutOfTime
from unfork.options.options import Options
from unfork.program.c.suffixes import C_SUFFIXES
from unfork.program.llvm.module import Program
from unfork.report.formats.testcomp import of_program
from unfork.report.record.directory import RunDirectory, write_file
from unfork.report.record.kept_run import read_test
from unfork.report.record.summary import ALONE
from unfork.world.inputs.doubts import returns
from unfork.world.inputs.testcase import Error

C90 = "-Wno-error=implicit-function-declaration -Wno-error=implicit-int -Wno-error=return-mismatch"
"""What C90 allows and later standards do not; there are tasks of both."""
DATA_MODELS = ("ILP32", "LP64")
PROVEN, UNDECIDED, DONE = "true", "unknown", "done"
SUITE = "test-suite"
"""The folder of tests for Test-Comp."""
HARMLESS = frozenset(("assert", "abort"))
"""Errors that end a program as abort() does, which no property forbids."""
MISTAKEN = re.compile(r"undeclared function '(__VERIFIER_nondet_(?!u?int'|unsigned')\w+)'")
"""The compiler's message about a function that it takes to return int, as C90 does, though it has another type."""
UNSEQUENCED = "[-Wunsequenced]"
"""The compiler's mark on an expression that changes a variable twice, or changes and reads it, in no order."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``verdict`` is for BenchExec; ``reasons`` say why it is unknown. ``files`` were written.

    ``result`` is that of the run, if a witness can be made of it.
    """

    verdict: str
    reasons: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class SvcompTask:
    """A task: its file, the property, and the widths of types."""

    file: Path
    property: Property
    data_model: str


def read_task(file: str, property_file: str, data_model: str) -> SvcompTask:
    """The task that words name. Raises InputError if it is unknown or not supported."""
    if data_model not in DATA_MODELS:
        raise InputError(f"--data-model takes {' or '.join(DATA_MODELS)}, not {data_model!r}")
    try:
        text = Path(property_file).read_text("utf-8", "replace")
    except OSError as problem:
        raise InputError(f"{property_file} cannot be read: {problem.strerror}") from None
    if Path(file).suffix not in C_SUFFIXES:
        raise InputError(f"{file}: a task is one C file (.c, .i)")
    return SvcompTask(Path(file), property_of(text, property_file), data_model)


def options_for(task: SvcompTask, options: Options) -> Options:
    """The options of a run that decides the task, with limits and output as ``options`` has them."""
    wanted = task.property
    values: dict[str, object] = {"check": wanted.checks, "abort": "end", "stop_at": tuple(sorted(wanted.violations))}
    values["data_model"] = task.data_model
    values["cflags"] = f"{C90} {options.cflags}".strip()
    if wanted.strategies:
        values["strategy"] = wanted.strategies
    if not wanted.covers or wanted.violations:
        values["tests"] = "errors"
    if wanted.covers:
        values["formats"] = ("json", "xml")
    return replace(options, **values, given=options.given | values.keys())  # type: ignore[arg-type]  # by name


def answer(task: SvcompTask, options: Options, suite: Path | None) -> Answer:
    """Run the task, and write tests for Test-Comp to ``suite``; None is a folder in the run directory."""
    try:
        result = run(str(task.file), options_for(task, options))
    except CompileError as problem:
        return Answer(UNDECIDED, (first_error(problem),))
    except (NotNarrow, OutOfTime) as problem:
        return Answer(UNDECIDED, (str(problem),))
    if task.property.covers:
        return Answer(DONE, files=(_suite(task, result, suite or result.directory / SUITE),))
    part = _violated_part(task.property, result)
    mistaken = [
        f"{name} is not declared, and does not return int" for name in MISTAKEN.findall(result.program.warnings)
    ]
    doubts = _doubts if part is None else _doubts_of_violation
    reasons = (*mistaken, *doubts(task.property, result))
    return (
        Answer(UNDECIDED, reasons) if reasons else Answer(PROVEN if part is None else f"false({part})", result=result)
    )


def first_error(problem: CompileError) -> str:
    """The first error among the compiler's messages."""
    said = str(problem)
    return next((line for line in said.splitlines() if "error:" in line), said)


def write_witness(task: SvcompTask, result: Result, witness: Path | None) -> Path:
    """Write a witness of a run to ``witness``; None: in the run directory. Returns the file.

    Raises InputError if the run gives no witness.
    """
    kept = open_run(result.directory)
    told = witnesses.of_property(kept, task.property)
    file = result.directory / "witness.yml" if witness is None else witness
    write_file(file, witnesses.as_yaml(kept, told))
    return file


def _violated_part(wanted: Property, result: Result) -> str | None:
    """The part of the property that the first violating error violates."""
    parts = (wanted.violated(error.kind, name_of(error.fault.aspect)) for error in result.errors)
    return next((part for part in parts if part is not None), None)


def _doubts(wanted: Property, result: Result) -> Iterator[str]:
    """Why a run that found no violation is no proof."""
    program = result.program
    if result.otherwise != "safe":
        yield f"the run's verdict is {result.otherwise}: {_cause(result)}"
    for error in result.errors:
        is_harmless = error.kind in HARMLESS and error.fault.aspect is not Aspect.VERIFIER_ASSERTION
        if error.kind in ("nontermination", "deadlock"):
            is_harmless = wanted.name == "valid-memcleanup"  # it is about the end of a run
        if error.kind == "reach-error":
            is_harmless = not any(returns(program, name) for name in called_errors(result.program))
        if not is_harmless:
            yield f"{error.kind} at {error.file}:{error.line}: what follows from there on is not known"
    if wanted.name == "termination" and makes_threads(program):
        yield "whether threads come to an end depends on who goes on when"
    # In the competitions, volatile memory is ordinary memory.
    yield from (str(assumption) for assumption in result.summary["assumptions"] if assumption != ALONE)
    if UNSEQUENCED in program.warnings:
        yield "the compiler says that the order of evaluation matters, which is not defined (-Wunsequenced)"


def _cause(result: Result) -> str:
    """What kept a run from being a proof, in words."""
    summary = result.summary
    parts = [*([summary["stopped_by"]] if summary["stopped_by"] else []), *summary["bounds_hit"]]
    parts += [f"{each['reason']}: {each['detail']}" for each in summary["given_up"]]
    parts += [f"alarm: {alarm.kind} at {alarm.file}:{alarm.line}" for alarm in result.alarms]
    return "; ".join(parts) or "see its summary.json"


def called_errors(program: Program) -> list[str]:
    """The functions of errors that the program mentions."""
    mentioned = (*program.defined, *program.declarations)
    return [name for name in ("reach_error", "__VERIFIER_error") if name in mentioned]


def _doubts_of_violation(wanted: Property, result: Result) -> Iterator[str]:
    """Why an error that was found may be none by the rules."""
    if wanted.name == "unreach-call" and "__VERIFIER_error" in called_errors(result.program):
        yield "the program mentions __VERIFIER_error, which is not the function of the property"


def _suite(task: SvcompTask, result: Result, folder: Path) -> Path:
    """Write the tests of a run as a suite of Test-Comp; if errors are asked for, only theirs."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"{folder} cannot be made: {problem.strerror}") from None
    target, wanted = RunDirectory(folder), task.property.violations
    for path in result.tests:
        end = read_test(path).expect
        if not wanted or (isinstance(end, Error) and end.kind in wanted):
            target.write(f"{path.stem}.xml", path.with_suffix(".xml").read_bytes())
    told = of_program(str(task.file), task.file, "main", task.property.specification, task.data_model)
    target.write("metadata.xml", told.encode())
    return folder
