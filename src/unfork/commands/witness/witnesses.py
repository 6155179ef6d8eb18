"""Witnesses of a run: the path to its first error, which other verifiers can follow, or that there is no error."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from unfork.commands.assemble import replaying, solving
from unfork.commands.witness import witness
from unfork.commands.witness.loop_invariants import invariants
from unfork.commands.witness.properties import PROPERTIES, Property
from unfork.commands.witness.waypoints import Marked, end_of_main, marked
from unfork.commands.witness.witness import Waypoint, WitnessInvariant, WitnessTask, function_return
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.statics import makes_threads
from unfork.errors import CompileError, InputError
from unfork.options import option_rules
from unfork.options.options import VERSION, Options
from unfork.program.c.source_places import FileLocation, SourceLocations
from unfork.program.c.syntax import text_of
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import Position
from unfork.report.record.kept_run import KeptRun, read_test
from unfork.report.replay.engine import is_too_long
from unfork.report.replay.observers import InputRequest, Noting, Other, Seen, noting
from unfork.world.inputs.testcase import Replayed, TestCase, TestInput, literal, position_of

_SHARE = 0.1
"""The most of the run's time limit that the search for invariants may take, too."""
MOST_BRANCHINGS = 64
"""Decisions on a path of which a witness cannot give all inputs: the last ones."""
_UNTOLD = {"nontermination": "the format has none for a program that does not end"}
"""Why there is no witness of an error, by its kind."""


@dataclass(frozen=True, slots=True)
class _Told:
    """The property and, if it is violated, the error in the summary."""

    property: Property
    error: dict[str, Any] | None


def write(run: KeptRun) -> bytes:
    """The witness of a run, in format 2.0. Raises InputError if there is nothing to witness."""
    return as_yaml(run, _choose(run))


def of_property(run: KeptRun, wanted: Property) -> _Told:
    """The result of the run for one property."""
    errors = run.summary["errors"]
    return _Told(wanted, next((error for error in errors if wanted.violated(error["kind"], error["aspect"])), None))


def _choose(run: KeptRun) -> _Told:
    """The first property that an error violates; for a safe run, that the error function is not reached."""
    if run.summary["verdict"] == "safe":
        return _Told(PROPERTIES[0], None)
    for error in run.summary["errors"]:
        for each in PROPERTIES:
            if each.violated(error["kind"], error["aspect"]) is not None:
                return _Told(each, error)
    raise InputError("witness: the run neither found an error that violates a property of SV-COMP nor proved one")


def as_yaml(run: KeptRun, told: _Told) -> bytes:
    """The witness in format 2.0."""
    if told.error is not None and told.error["kind"] in _UNTOLD:
        raise InputError(f"witness: {_UNTOLD[told.error['kind']]}")
    name, path = _program_file(run)
    options = option_rules.from_dict(dict(run.summary["options"]))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    began = datetime.fromtimestamp((run.root / "program.bc").stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    task = WitnessTask(name, digest, told.property.formula, options.data_model, ("unfork", VERSION), began)
    has_threads = makes_threads(run.program())
    if told.error is None:
        return witness.correctness(task, [] if has_threads else _invariants(run, options, name, path)).encode()
    if has_threads:
        raise InputError(f"witness: format {witness.FORMAT} has no words for which thread goes on")
    return witness.violation(task, list(_waypoints(run, options, told.error, name, path))).encode()


def _program_file(run: KeptRun) -> tuple[str, Path]:
    """The one file of the program: its name and where it is now. Raises InputError."""
    files = [str(file) for file in run.summary["program"]]
    if len(files) != 1 or not files[0].endswith((".c", ".i")):
        raise InputError("witness: witnesses are of programs of one C file")
    if (path := run.source(files[0])) is None:
        raise InputError(f"witness: {files[0]}, which it names lines of, cannot be found from here")
    return files[0], path


def _invariants(run: KeptRun, options: Options, name: str, path: Path) -> list[WitnessInvariant]:
    """The proved invariants of the loops, searched for in a part of the run's remaining time."""
    if options.max_time is not None:
        left = max(options.max_time - run.summary["seconds"], 0.0)
        options = replace(options, max_time=min(left, _SHARE * options.max_time))
    text = text_of(path)
    arguments = [str(each) for each in run.summary["arguments"]]
    source = SourceLocations(name, text)
    return invariants(options, run.program(), arguments, source, text, partial(run.rebuilt, path))


_Events = list[InputRequest | Other | Seen]


@dataclass(frozen=True, slots=True)
class _Retraced:
    """The events and the end of a test's path. Columns are those of a text with calls in it, if that is ``marked``."""

    events: _Events
    replayed: Replayed
    marked: Marked | None

    def in_text(self, source: SourceLocations, position: Position | None) -> Position | None:
        """A position in the text without calls; None at a call."""
        line = None if position is None else source.line(position.file, position.line)
        if position is None or line is None or self.marked is None:
            return position
        column = self.marked.probed.back(line, position.column)
        return None if column is None else replace(position, column=column)


def _waypoints(run: KeptRun, options: Options, error: dict[str, Any], name: str, path: Path) -> Iterator[Waypoint]:
    """The waypoints of the path to an error. Raises InputError if the error is not in the file."""
    test, text = read_test(run.root / error["test"]), text_of(path)
    again = retraced(options, run.program(), test, None)
    source, given = SourceLocations(name, text), {entry.name: entry for entry in test.inputs}
    is_leak = error["kind"] == "leak"
    if is_leak or _says_too_little(again, given):
        again = _with_decisions(run, options, test, text, path) or again
    fault = again.replayed.fault
    if fault is None or fault.kind != error["kind"]:
        raise InputError(f"witness: {error['test']} does not fail any more")
    points: list[Waypoint] = []
    is_told = True
    for event in again.events:
        match event:
            case InputRequest(asked, position):
                point = _return_waypoint(again, source, given.get(asked), position)
                is_told = is_told and point is not None
                points += [point] if point is not None else []
            case Seen(number, is_true) if not is_told and again.marked and number in again.marked.decisions:
                spot = again.marked.decisions[number]
                points.append(Waypoint("branching", spot.line, spot.column, None, str(is_true).lower()))
            case Other():
                is_told = False
    branchings = [each for each in points if each.kind == "branching"]
    left_out = set(map(id, branchings[:-MOST_BRANCHINGS]))
    yield from [each for each in points if id(each) not in left_out]
    position = again.in_text(source, position_of(fault))
    target = _ending(again, text) if is_leak else target_of(source, position)
    if target is None or position is None:
        raise InputError(f"witness: the error is not in {name} itself")
    yield Waypoint("target", target.line, target.column, "main" if is_leak else position.function)


def _return_waypoint(
    again: _Retraced, source: SourceLocations, entry: TestInput | None, position: Position | None
) -> Waypoint | None:
    """The result of a call; None if it has no constant or no place in the source."""
    position = again.in_text(source, position)
    spot, value = call_end(source, position), None if entry is None else literal(entry)
    if spot is None or value is None or position is None:
        return None
    return function_return(spot.line, spot.column, position.function, value)


def _says_too_little(again: _Retraced, given: Mapping[str, TestInput]) -> bool:
    """Whether the path depends on an input that is not the value of a call, or that has no constant in C."""
    asked = [event.name for event in again.events if isinstance(event, InputRequest)]
    is_told = all(name in given and literal(given[name]) is not None for name in asked)
    return not is_told or any(isinstance(event, Other) for event in again.events)


def _with_decisions(run: KeptRun, options: Options, test: TestCase, text: str, path: Path) -> _Retraced | None:
    """The path of a test with all its decisions; None if the compiler rejects the calls there."""
    calls = marked(text)
    try:
        program = run.rebuilt(path, calls.probed.text)
    except CompileError:
        return None
    again = retraced(options, program, test, calls)
    return None if again.replayed.fault is None else again


def _ending(again: _Retraced, text: str) -> FileLocation | None:
    """The last statement that ends the program, or the end of main."""
    if again.marked is None:
        return None
    ends = again.marked.ends
    last = [ends[event.number] for event in again.events if isinstance(event, Seen) and event.number in ends]
    return last[-1] if last else end_of_main(text)


def retraced(options: Options, program: Program, test: TestCase, calls: Marked | None) -> _Retraced:
    """Follow the path of a test."""
    events: _Events = []
    with closing(solving.solver(options)) as solver:
        replayer = replaying.replayer(
            options,
            program,
            BranchCoverage(),
            is_too_long,
            solver,
            around=lambda source: Noting(source, events),
            more=noting(events),
        )
        return _Retraced(events, replayer.replay(test), calls)


def call_end(source: SourceLocations, position: Position | None) -> FileLocation | None:
    """The closing bracket of the call at a position; only its line if the brackets are in a macro."""
    if position is None or (line := source.line(position.file, position.line)) is None:
        return None
    return source.closing(line, position.column) or FileLocation(line, None)


def target_of(source: SourceLocations, position: Position | None) -> FileLocation | None:
    """The beginning of the statement that fails at a position."""
    if position is None or (line := source.line(position.file, position.line)) is None:
        return None
    return source.statement(line, position.column)


def is_there(spot: FileLocation | None, line: int, column: int | None) -> bool:
    """Whether a source location is the one of a witness, which may leave the column out."""
    return spot is not None and spot.line == line and (column is None or spot.column in (None, column))
