"""All that the page shows of a run directory, as plain data."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unfork.clang.escape import shown
from unfork.errors import InputError
from unfork.facts.own_source import is_own, readable
from unfork.inputs.testcase import TestCase
from unfork.llvm.types import Position
from unfork.logic.c_terms import words
from unfork.page.figures import Branching, functions, lines, totals
from unfork.page.findings import findings, proofs_data, tests_data
from unfork.page.graph import graph
from unfork.page.places import Places
from unfork.page.source import sources
from unfork.replay.concolic import Conditions
from unfork.replay.walk import WalkStep
from unfork.report.kept_run import KeptRun
from unfork.report.tables import Tables, read_tables
from unfork.report.why import why_of

FORMAT = 1
"""The form of the data."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine adds: the MD5 sums of sources by name, the functions that branch, and the paths of tests."""

    checksums: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Branching] = field(default_factory=dict)
    paths: Mapping[str, WalkedPath] = field(default_factory=dict)
    trouble: str = ""
    """Why it adds nothing."""


def page_data(run: KeptRun, told: Told, opened: Callable[[Path], Tables] = read_tables) -> dict[str, Any]:
    """The data of the page; ``opened`` opens run.db."""
    tests, troubles = ({}, []) if run.is_of_proofs else run.readable_tests()
    troubles += [told.trouble] * bool(told.trouble)
    places = Places()
    for name in run.summary["program"]:
        if Path(name).suffix not in _BINARY:
            places.file(name)
    if run.is_of_proofs:
        parts = {**_NOTHING, "findings": [], "tests": [], **proofs_data(run.summary, places)}
    else:
        parts = _of_run(run, tests, told, places, troubles)
        parts |= _tables(run, told, places, troubles, opened)
    own = [name for name in places.files if is_own(name)]
    shown_files = dict(zip(own, sources(own, told.checksums, readable(run.root, run.summary)), strict=True))
    return {
        "format": FORMAT,
        "summary": _plain(run.summary),
        "files": [shown_files.get(name) or _foreign(name) for name in places.files],
        "troubles": troubles,
        **parts,
        "places": places.rows(),
    }


def _of_run(
    run: KeptRun, tests: Mapping[str, TestCase], told: Told, places: Places, troubles: list[str]
) -> dict[str, Any]:
    failures, rows = findings(run.summary, places), tests_data(tests, run.summary, places)
    for name, row in zip(tests, rows, strict=True):
        row.update(path_data(told.paths[name], places) if name in told.paths else NO_PATH)
    return {"findings": failures, "tests": rows, "proofs": None}


_BINARY = (".bc", ".ll")
"""Suffixes of programs that are no source."""
_MOST_LOOPS = 10
"""The most loops that are named."""
_NOTHING: dict[str, Any] = {"lines": {}, "functions": [], "totals": None, "graph": None, "why": None}


def _tables(
    run: KeptRun, told: Told, places: Places, troubles: list[str], opened: Callable[[Path], Tables]
) -> dict[str, Any]:
    """What run.db tells; if it cannot be read, a line of ``troubles`` says so."""
    try:
        with contextlib.closing(opened(run.root / "run.db")) as tables:
            return {
                "lines": lines(tables, places),
                "functions": functions(tables, places, told.functions) if run.summary["coverage"] else [],
                "totals": totals(tables),
                "graph": graph(tables, places),
                "why": _why(run.summary, tables, places, troubles),
            }
    except InputError as problem:
        troubles.append(f"what is in run.db cannot be told: {shown(str(problem))}")
        return _NOTHING


def _why(summary: Mapping[str, Any], tables: Tables, places: Places, troubles: list[str]) -> dict[str, Any] | None:
    """Rows of advice (options, reason, place) and of loops (place, forks, new states); None for a run that has ended.

    Where run.db lacks the tables that say so, a line of ``troubles`` tells.
    """
    if summary["stopped_by"] is None:
        return None
    try:
        why = why_of(summary, tables)
    except InputError as problem:
        troubles.append(f"why the run did not end cannot be told: {shown(str(problem))}")
        return None
    return {
        "advice": [[shown(each.options), shown(each.because), places.number(*each.at)] for each in why.advice],
        "loops": [[places.number(*each.loop), each.forks, each.born] for each in why.spots.loops[:_MOST_LOOPS]],
        "born": why.spots.born,
    }


def _foreign(name: str) -> dict[str, Any]:
    """A file of a library: it is named, and not shown."""
    return {"name": shown(name), "status": "library", "note": "belongs to a library", "lines": []}


def _plain(value: Any) -> Any:
    """Data of a summary with all texts made safe to show, and integers too large for a page as text."""
    match value:
        case str():
            return shown(value)
        case dict():
            return {shown(str(key)): _plain(each) for key, each in value.items()}
        case list():
            return [_plain(each) for each in value]
        case bool():
            return value
        case int() if abs(value) >= 1 << 53:
            return str(value)
        case _:
            return value


NO_PATH: dict[str, Any] = {"untold": "The program was not run again for this test."}
_CONDITIONS = 400
"""The most conditions of a path that are shown."""
_DEEP = 12
"""Levels of a condition that are written out."""


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """What running a test again has shown. ``note`` is what the reader should know of it."""

    first: list[WalkStep]
    last: list[WalkStep]
    left_out: int
    note: str
    conditions: Conditions


def path_data(path: WalkedPath, places: Places) -> dict[str, Any]:
    """Rows of steps: place, depth, how often in a row, values; place -1 stands for the steps that are left out."""
    steps: list[list[Any]] = []
    for step in path.first:
        _add(steps, step, places)
    if path.left_out:
        steps.append([-1, 0, path.left_out, []])
    for step in path.last:
        _add(steps, step, places)
    return {"walk": {"steps": steps, "note": path.note}, **_conditions(path.conditions, places)}


def _add(steps: list[list[Any]], step: WalkStep, places: Places) -> None:
    place = _number(step.position, places)
    values = [[shown(name), shown(text)] for name, text in step.values]
    if steps and not values and steps[-1][0] == place and steps[-1][1] == step.depth:
        steps[-1][2] += 1
    else:
        steps.append([place, step.depth, 1, values])


def _conditions(known: Conditions, places: Places) -> dict[str, Any]:
    if known.trouble is not None:
        return {"unknown": f"It cannot be told: {known.trouble}."}
    rows = [
        [_number(place, places), shown(words(term, 1, signed=False, depth=_DEEP))]
        for place, term in known.rows[:_CONDITIONS]
    ]
    if len(known.rows) > _CONDITIONS:
        rows.append([0, f"... and {len(known.rows) - _CONDITIONS:,} more"])
    return {"conditions": rows}


def _number(position: Position | None, places: Places) -> int:
    return 0 if position is None else places.number(position.file, position.line, position.function)
