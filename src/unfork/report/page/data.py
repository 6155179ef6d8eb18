"""The data of the page of a run directory."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unfork.engine.protocols.whereabouts import SourceSpot
from unfork.errors import InputError
from unfork.logic.terms.c_terms import words
from unfork.program.c.escape import escape_text
from unfork.program.facts.own_source import is_own, readable
from unfork.program.llvm.types import Position
from unfork.report.page.findings_page import findings, proofs_data, tests_data
from unfork.report.page.graph import graph
from unfork.report.page.page_sources import Locations, sources
from unfork.report.page.scans_page import scan_data
from unfork.report.record.kept_run import KeptRun
from unfork.report.record.tables import Tables, read_tables
from unfork.report.record.unreached import NOTHING_UNREACHED, Unreached
from unfork.report.record.unreached_text import (
    before_words,
    function_words,
    growth_line,
    place_words,
    reason_words,
    way_words,
)
from unfork.report.record.why import why_of
from unfork.report.replay.concolic import PathConditions
from unfork.report.replay.walk import WalkStep

FORMAT = 1
"""Version of the data."""


@dataclass(frozen=True, slots=True)
class FunctionBranches:
    """The number of branch sides of a function, and its position."""

    sides: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class EngineData:
    """Facts that need the program: MD5 sums of sources by name, functions with branches, paths of tests."""

    checksums: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, FunctionBranches] = field(default_factory=dict)
    paths: Mapping[str, WalkedPath] = field(default_factory=dict)
    unreached: Unreached = NOTHING_UNREACHED
    trouble: str = ""
    """Why there are none."""


def page_data(run: KeptRun, told: EngineData, opened: Callable[[Path], Tables] = read_tables) -> dict[str, Any]:
    """The data of the page; ``opened`` opens run.db."""
    tests, troubles = ({}, []) if run.is_of_proofs or run.is_of_scan else run.readable_tests()
    troubles += [told.trouble] * bool(told.trouble)
    locations = Locations()
    for name in run.summary["program"]:
        if Path(name).suffix not in _BINARY:
            locations.file(name)
    if run.is_of_scan:
        parts = {**_NOTHING, **scan_data(run, locations)}
    elif run.is_of_proofs:
        parts = {**_NOTHING, "findings": [], "tests": [], **proofs_data(run.summary, locations)}
    else:
        rows = tests_data(tests, run.summary, locations)
        for name, row in zip(tests, rows, strict=True):
            row.update(path_data(told.paths[name], locations) if name in told.paths else NO_PATH)
        parts = {"findings": findings(run.summary, locations), "tests": rows, "proofs": None}
        parts |= _tables(run, told, locations, troubles, opened)
    own = [name for name in locations.files if is_own(name)]
    shown_files = dict(zip(own, sources(own, told.checksums, readable(run.root, run.summary)), strict=True))
    return {
        "format": FORMAT,
        "summary": _plain({name: each for name, each in run.summary.items() if name not in _OF_SCANS}),
        "files": [shown_files.get(name) or _foreign(name) for name in locations.files],
        "troubles": troubles,
        **parts,
        "places": locations.rows(),
    }


_OF_SCANS = ("findings", "functions", "ignored")
"""Parts of a scan's summary that scan_data renders."""
_BINARY = (".bc", ".ll")
"""Suffixes of programs that are not source text."""
_MOST_OBSTACLES = 40
"""The page lists at most this many obstacles; beside the source it has all."""
_MOST_LOOPS = 10
"""The page lists at most this many loops."""
_NOTHING: dict[str, Any] = {
    "lines": {},
    "functions": [],
    "totals": None,
    "graph": None,
    "why": None,
    "unreached": None,
}


def _tables(
    run: KeptRun, told: EngineData, locations: Locations, troubles: list[str], opened: Callable[[Path], Tables]
) -> dict[str, Any]:
    try:
        with contextlib.closing(opened(run.root / "run.db")) as tables:
            return {
                "lines": _lines(tables, locations, told.unreached),
                "functions": _functions(tables, locations, told.functions) if run.summary["coverage"] else [],
                "totals": _totals(tables),
                "graph": graph(tables, locations),
                "why": _why(run.summary, tables, locations, troubles, told.unreached),
                "unreached": _unreached(told.unreached, locations),
            }
    except InputError as problem:
        troubles.append(f"what is in run.db cannot be told: {escape_text(str(problem))}")
        return _NOTHING


def _lines(tables: Tables, locations: Locations, found: Unreached) -> dict[str, dict[str, dict[str, Any]]]:
    """Figures by file number and line.

    sides: branch sides as [function, block, successor, whether covered, why not or "", the line it leads to or 0];
    forks: states that forked; born: new states
    from forks; joins: joined states; refused: refused joins by reason; covers: covered states; queries, seconds: of
    the solver; ends: other ends of states by kind. Older runs have no tables for forks, refused, queries and
    seconds, and so no figures.
    """
    by_file: dict[str, dict[str, dict[str, Any]]] = {}

    def line(file: str, number: int) -> dict[str, Any]:
        return by_file.setdefault(str(locations.file(file)), {}).setdefault(str(number), {})

    edges = [edge for edge in tables.edges() if edge.file is not None]
    for function, block, successor, file, number, covered in sorted(edges, key=lambda edge: (*edge[3:5], *edge[:3])):
        line(file or "", number or 0).setdefault("sides", []).append(
            [escape_text(function), block, successor, int(covered), *_side((function, block, successor), found)]
        )
    ends = list(tables.ends())
    for word, spots in (
        ("born", [link.at for link in tables.forks()]),
        ("joins", {link.child: link.at for link in tables.joins()}.values()),
        ("covers", [end.at for end in ends if end.ended == "covered"]),
        ("forks", [fork.at for fork in tables.forked()]),
    ):
        for (file, number), count in sorted(Counter(_file_lines(spots)).items()):
            line(file, number)[word] = count
    queries = sorted(tables.query_places(), key=lambda row: row.at[:2] if row.at.file is not None else ("", 0))
    for row in queries:
        for file, number in _file_lines([row.at]):
            here = line(file, number)
            here.update(queries=here.get("queries", 0) + row.queries, seconds=here.get("seconds", 0) + row.seconds)
    refused = [(row.at, row.reason, row.times) for row in tables.refusals()]
    others = [(end.at, escape_text(end.ended), 1) for end in ends if end.ended not in ("covered", "joined")]
    for word, rows in (("refused", refused), ("ends", others)):
        counts: Counter[tuple[str, int, str]] = Counter()
        for at, reason, count in rows:
            for file, number in _file_lines([at]):
                counts[file, number, reason] += count
        for (file, number, reason), count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
            line(file, number).setdefault(word, []).append([reason, count])
    return by_file


def _side(edge: tuple[str, int, int], found: Unreached) -> tuple[str, int]:
    """Why a side was not taken, and the line that it leads to; empty where that is not known."""
    number = found.sides.get(edge)
    if number is None:
        return "", 0
    obstacle = found.obstacles[number]
    if obstacle.edge == edge:
        return reason_words(obstacle), obstacle.line or 0
    return f"never tried, behind {place_words(obstacle)}: {reason_words(obstacle)}", 0


def _unreached(found: Unreached, locations: Locations) -> dict[str, Any]:
    """sides: the number of those not taken; obstacles: rows (what, location, why, untaken sides behind it), most
    first; functions: rows (function that was not entered, location, what stands before it, branch
    sides).
    """
    return {
        "sides": len(found.sides),
        "obstacles": [
            [way_words(each), locations.number(*each.at), reason_words(each), each.behind]
            for each in found.obstacles[:_MOST_OBSTACLES]
        ],
        "functions": [
            [
                function_words(each),
                locations.number(*each.at),
                before_words(each, found.obstacles[each.obstacle]),
                each.sides,
            ]
            for each in found.functions
        ],
    }


def _file_lines(spots: Iterable[SourceSpot]) -> list[tuple[str, int]]:
    return [(spot.file, spot.line) for spot in spots if spot.file is not None and spot.line is not None]


def _functions(tables: Tables, locations: Locations, branching: Mapping[str, FunctionBranches]) -> list[list[Any]]:
    """Functions with branches: name, file number, first line (known to run.db), covered sides, sides.

    ``branching`` has all of the program's functions; without it, only sides that the run met count.
    """
    rows: dict[str, list[Any]] = {}
    for edge in sorted(tables.edges(), key=lambda edge: (edge.file or "", edge.line or 0, edge.function)):
        file = -1 if edge.file is None else locations.file(edge.file)
        row = rows.setdefault(edge.function, [escape_text(edge.function), file, edge.line or 0, 0, 0])
        if row[1] < 0:
            row[1:3] = file, edge.line or 0
        row[3:] = row[3] + edge.is_covered, row[4] + 1
    for function, known in branching.items():
        row = rows.setdefault(function, [escape_text(function), -1, 0, 0, 0])
        row[4] = known.sides
        if known.position is not None:
            row[1:3] = locations.file(known.position.file), known.position.line
    return sorted(rows.values(), key=lambda row: row[1:3])


def _totals(tables: Tables) -> dict[str, Any]:
    ends = tables.ends_by_kind()
    return {"states": sum(count for _, count in ends), "ends": [[end, count] for end, count in ends]}


def _why(
    summary: Mapping[str, Any], tables: Tables, locations: Locations, troubles: list[str], found: Unreached
) -> dict[str, Any] | None:
    """Rows of advice (options, reason, location), loops (location, forks, new states) and functions (name, new
    states, work, new branches), and a line on the growth of coverage; None for a run that ended by itself.

    If run.db lacks the tables, ``troubles`` gets a line.
    """
    if summary["stopped_by"] is None:
        return None
    try:
        why = why_of(summary, tables, found)
    except InputError as problem:
        troubles.append(f"why the run did not end cannot be told: {escape_text(str(problem))}")
        return None
    return {
        "advice": [
            [escape_text(each.options), escape_text(each.because), locations.number(*each.at)] for each in why.advice
        ],
        "loops": [[locations.number(*each.loop), each.forks, each.born] for each in why.spots.loops[:_MOST_LOOPS]],
        "attention": [
            [escape_text(each.function or ""), each.born, each.work, each.news]
            for each in why.spots.attention[:_MOST_LOOPS]
        ],
        "work": sum(each.work for each in why.spots.attention),
        "born": why.spots.born,
        "growth": growth_line(summary, why.growth),
    }


def _foreign(name: str) -> dict[str, Any]:
    return {"name": escape_text(name), "status": "library", "note": "belongs to a library", "lines": []}


def _plain(value: Any) -> Any:
    """Summary data with escaped texts; integers too large for JavaScript become text."""
    match value:
        case str():
            return escape_text(value)
        case dict():
            return {escape_text(str(key)): _plain(each) for key, each in value.items()}
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
"""The page shows at most this many conditions of a path."""
_DEEP = 12
"""The page writes out this many levels of a condition."""


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """The steps and conditions of a test that was run again. ``note`` is a remark for the reader."""

    first: list[WalkStep]
    last: list[WalkStep]
    left_out: int
    note: str
    conditions: PathConditions


def path_data(path: WalkedPath, locations: Locations) -> dict[str, Any]:
    """Rows of steps: location, depth, repetitions, values; location -1 stands for ``left_out`` steps."""
    steps: list[list[Any]] = []
    for step in path.first:
        _add(steps, step, locations)
    if path.left_out:
        steps.append([-1, 0, path.left_out, []])
    for step in path.last:
        _add(steps, step, locations)
    return {"walk": {"steps": steps, "note": path.note}, **_conditions(path.conditions, locations)}


def _add(steps: list[list[Any]], step: WalkStep, locations: Locations) -> None:
    location = _number(step.position, locations)
    values = [[escape_text(name), escape_text(text)] for name, text in step.values]
    if steps and not values and steps[-1][0] == location and steps[-1][1] == step.depth:
        steps[-1][2] += 1
    else:
        steps.append([location, step.depth, 1, values])


def _conditions(known: PathConditions, locations: Locations) -> dict[str, Any]:
    if known.trouble is not None:
        return {"unknown": f"It cannot be told: {known.trouble}."}
    rows = [
        [_number(location, locations), escape_text(words(term, 1, signed=False, depth=_DEEP))]
        for location, term in known.rows[:_CONDITIONS]
    ]
    if len(known.rows) > _CONDITIONS:
        rows.append([0, f"... and {len(known.rows) - _CONDITIONS:,} more"])
    return {"conditions": rows}


def _number(position: Position | None, locations: Locations) -> int:
    return 0 if position is None else locations.number(position.file, position.line, position.function)
