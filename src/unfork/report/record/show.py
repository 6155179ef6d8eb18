"""Explains a run directory (the run, a test, an error, the end of a state); draws its execution graph for Graphviz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any

from unfork.engine.protocols.whereabouts import SourceSpot
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.kept_run import SCAN, KeptRun, read_run, read_test
from unfork.report.record.scan_finding import findings_at
from unfork.report.record.scans import scan_lines
from unfork.report.record.tables import Birth, EndRow, Tables, read_tables
from unfork.report.record.text import final_lines, plural, proof_lines
from unfork.report.record.words_of_tests import (
    expectation_words,
    heap_text,
    inputs_text,
    picture,
    schedule_text,
    world_text,
)

_STEPS = 200
"""The most forks and joins of a history."""
_SIDES = 3
"""The most other sides of a fork."""
_CONDITIONS = 40
"""The most conditions of a learnt interpolant."""
_SHOWN = 20
"""The most names of covered states."""
_ROWS = 10
_LONGEST_NUMBER = 18
"""The most digits of a state's number in the database."""


def show(root: Path, what: str | None) -> list[str]:
    """Explain ``what`` in the run ``root``: a test, an error or a state by name; None: the run itself.

    A number of six digits is a test; any other is a state. Raises InputError.
    """
    if not root.is_dir():
        raise InputError(f"{root}: no such run directory")
    has_ended = any((root / name).exists() for name in ("summary.json", SCAN))
    run = read_run(root) if has_ended else None
    if run is not None and run.is_of_scan:
        return scan_lines(run.summary, str(root)) if what is None else findings_at(run, what, str(root))
    if run is not None and run.is_of_proofs:
        if what is not None:
            raise InputError(f"{what}: {root} holds proofs (unfork verify), which are shown as a whole")
        return proof_lines(run.summary, str(root))
    if what is None:
        return _run(root, _cut_off(root) if run is None else _summary(root, run.summary))
    name = what.removeprefix(str(root) + "/").removeprefix("state:")
    stem = Path(name).name.split(".")[0]
    if name.startswith("errors/"):
        return _error(root, stem)
    if name.startswith("tests/") or (len(stem) == 6 and stem.isdigit() and not what.startswith("state:")):
        return [*_test(root, stem), *_finder(run, f"tests/{stem}.json"), *_origin(root, f"tests/{stem}.json")]
    if name.isdecimal() and len(name) <= _LONGEST_NUMBER:
        return _state(root, int(name))
    raise InputError(f"{what}: no test, error or state of {root} (say tests/000001, errors/000001 or a state's number)")


def _run(root: Path, lines: list[str]) -> list[str]:
    try:
        with closing(read_tables(root / "run.db")) as tables:
            return [*lines, *_tables(tables)]
    except InputError as problem:
        return [*lines, "", f"what is in run.db cannot be told: {escape_text(str(problem))}"]


def _summary(root: Path, summary: Mapping[str, Any]) -> list[str]:
    return [f"program: {' '.join(escape_text(name) for name in summary['program'])}", *final_lines(summary, str(root))]


def _cut_off(root: Path) -> list[str]:
    """The lines for a run without a summary."""
    tests, errors = (sorted((root / folder).glob("[0-9]*.*")) for folder in ("tests", "errors"))
    count = sum(1 for file in tests if file.suffix == ".json")
    if not (count or (root / "run.db").exists()):
        raise InputError(f"{root} holds no summary.json and no tests: no run directory")
    texts = [file for file in errors if file.suffix == ".txt"]
    lines = [f"{file.read_text('utf-8').splitlines()[0]} [errors/{file.name}]" for file in texts]
    return [
        "cut off: the run left no summary.json",
        *lines,
        f"{plural(count, 'test')} in {escape_text(str(root))}/tests",
    ]


def _tables(tables: Tables) -> list[str]:
    lines: list[str] = []
    ends = tables.ends_by_kind()
    if ends:
        lines += ["", "how states ended:", *(f"  {count:>8,}  {end}" for end, count in ends)]
    coverers = Counter(cover.coverer for cover in tables.covers() if cover.coverer is not None)
    if coverers:
        most = sorted(coverers.items(), key=lambda each: (-each[1], each[0]))[:_ROWS]
        lines += ["", "states that cover most others:", *[f"  {count:>8,}  by state {state}" for state, count in most]]
    forks = Counter(link.at for link in tables.forks() if link.at.file is not None)
    if forks:
        first = sorted(forks.items(), key=lambda each: (-each[1], each[0].file or "", each[0].line or 0))[:_ROWS]
        lines += ["", "where forks led to, most first:", *[f"  {count:>8,}  {_where(at)}" for at, count in first]]
    edges = tables.edges(covered=0)
    left = sorted({(edge.file, edge.line or 0, edge.function) for edge in edges if edge.file is not None})
    if left:
        lines += ["", "branches met with a side that was never taken:"]
        lines += [f"  {_where(SourceSpot(*spot))}" for spot in left[:_ROWS]]
    return lines


def _test(root: Path, stem: str) -> list[str]:
    test = read_test(root / "tests" / f"{stem}.json")
    lines = [
        f"test {stem} of {' '.join(escape_text(name) for name in test.program)}",
        f"expected: {expectation_words(test)}",
    ]
    lines += [*world_text(test), *inputs_text(test), *heap_text(test), *schedule_text(test)]
    if test.branches:
        lines += ["", f"written for {plural(len(test.branches), 'branch edge')}:"]
        lines += [f"  {escape_text(name)}" for name in test.branches]
    return lines


def _finder(run: KeptRun | None, test: str) -> list[str]:
    strategies = () if run is None else run.summary["strategies"]
    names = [each["name"] for each in strategies if test in each["tests"]] or [each["name"] for each in strategies[:1]]
    return [f"found by the strategy {escape_text(name)}" for name in names]


def _origin(root: Path, test: str) -> list[str]:
    if not (root / "run.db").is_file():
        return []
    with closing(read_tables(root / "run.db")) as tables:
        known = tables.origin(test)
        return [] if known is None else ["", f"from state {known[0]}", *_history(tables, *known)]


def drawing(root: Path, what: str | None) -> str:
    """An SVG picture of a test's heap, or of the heap at an error. Raises InputError."""
    name = (what or "").removeprefix(str(root) + "/")
    stem = Path(name).name.split(".")[0]
    if name.startswith("errors/"):
        path = root / "errors" / f"{stem}.svg"
        try:
            return path.read_text("utf-8")
        except OSError:
            raise InputError(f"{path}: no picture of a heap") from None
    if not stem.isdigit():
        raise InputError("--svg draws the heap of a test or of an error: name one")
    test = read_test(root / "tests" / f"{stem}.json")
    if test.command.heap is None:
        raise InputError(f"test {stem} gives no heap to a function")
    return picture(test.command.heap)


def _error(root: Path, stem: str) -> list[str]:
    path = root / "errors" / f"{stem}.txt"
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        raise InputError(f"{path}: no such error") from None
    test = root / "tests" / f"{stem}.json"
    if not test.is_file():
        return lines
    loaded = read_test(test)
    return [*lines, "", *world_text(loaded), *inputs_text(loaded), *heap_text(loaded), *schedule_text(loaded)]


def _state(root: Path, number: int) -> list[str]:
    with closing(read_tables(root / "run.db")) as tables:
        end = next(tables.ends(id=number), None)
        if end is None:
            children = [link.child for link in tables.forks(parent=number)]
            if not children:
                raise InputError(f"{root} has no state {number}")
            lines = [f"state {number} forked into {', '.join(map(str, children))}"]
        else:
            where = f" at {_where(end.at)}" if end.at.file is not None else ""
            lines = [f"state {number} ended: {escape_text(end.ended)}{where}"]
            if end.detail:
                lines.append(f"  {end.detail}")
            lines.append(f"  {plural(end.instructions, 'instruction')}, {plural(end.depth, 'fork')} along the path")
            lines += [f"  test: {end.test or 'none'}", *_cover(tables, number)]
        return [*lines, *_states_covered(tables, number), *_history(tables, number, {})]


def _cover(tables: Tables, number: int) -> list[str]:
    cover = next(tables.covers(id=number), None)
    if cover is None or cover.coverer is None:
        return []
    lines = [f"  covered by state {cover.coverer}" + (f", with objects {cover.renamed}" if cover.renamed else "")]
    if cover.learnt is not None:
        learnt = list(tables.learnt(id=cover.learnt))
        lines.append(f"  what was learnt there asks for {plural(len(learnt), 'condition')}:")
        lines += [f"    {each.condition}" for each in learnt[:_CONDITIONS]]
        lines += [f"    ... and {len(learnt) - _CONDITIONS} more"] if len(learnt) > _CONDITIONS else []
    return lines


def _states_covered(tables: Tables, number: int) -> list[str]:
    states = sorted(cover.state for cover in tables.covers(coverer=number))
    if not states:
        return []
    names = ", ".join(map(str, states[:_SHOWN]))
    return [f"  it covers {plural(len(states), 'state')}: {names}" + (", ..." if len(states) > _SHOWN else "")]


def _history(tables: Tables, number: int, taken: Mapping[int, int]) -> list[str]:
    """The forks and joins before a state, latest first. ``taken`` gives the parents on one path, by join."""
    lines: list[str] = []
    for birth in tables.births(number, taken):
        if len(lines) == _STEPS:
            lines.append("  ... and what came before")
            break
        lines.append(_join_line(birth, taken) if birth.is_join else _fork_line(tables, birth))
    return ["how it came to be, latest first:", *lines] if lines else []


def _fork_line(tables: Tables, birth: Birth) -> str:
    others = sorted(link[1:] for link in tables.forks(parent=birth.parent) if link.child != birth.child)
    spots = dict.fromkeys(at for _, at in others if at.file is not None and at != birth.at)
    elsewhere = [f"{escape_text(at.file or '')}:{at.line}" for at in spots]
    if len(elsewhere) > _SIDES:
        elsewhere[_SIDES:] = ["..."]
    text = f"  {birth.parent} -> {birth.child}, on to {_where(birth.at)}"
    return text + (f", not {', '.join(elsewhere)}" if elsewhere else "")


def _join_line(birth: Birth, taken: Mapping[int, int]) -> str:
    side = "this path is that of" if birth.child in taken else "what follows is of"
    parents = " and ".join(map(str, birth.parents))
    return f"  {parents} joined to {birth.child} at {_where(birth.at)}; {side} {birth.parent}"


def _where(at: SourceSpot) -> str:
    return (
        f"{escape_text(at.file)}:{at.line} in {escape_text(at.function or '')}"
        if at.file is not None
        else "unknown place"
    )


_DRAWN = 5000
"""The most nodes in the drawing; a note counts the others."""
_COLOURS = {
    "error": "red",
    "covered": "grey",
    "joined": "blue",
    "left": "orange",
    "dropped": "orange",
    "moved": "orange",
}


def graph(root: Path) -> str:
    """The graph of the run in ``root``. Dashed edges lead from a covered state to its coverer."""
    with closing(read_tables(root / "run.db")) as tables:
        joins = {link for link in tables.joins() if link.child <= _DRAWN}
        forks = {link for link in tables.forks() if link.child <= _DRAWN}
        edges = sorted(joins | forks, key=lambda each: each[1::-1])
        ends = {end.state: end for end in takewhile(lambda each: each.state <= _DRAWN, tables.ends())}
        covers = [cover for cover in tables.covers() if cover.state <= _DRAWN]
        largest = tables.largest()
        conditions: dict[int, list[str]] = {}
        for number, state, condition in sorted(tables.learnt(), key=lambda each: each.number):
            conditions.setdefault(state, []).append(f"[{number}] {condition}")
    lines = ["digraph run {", "  node [shape=box, fontname=monospace, fontsize=10];"]
    spots = {link.child: link.at for link in edges}
    coverers = [cover.coverer for cover in covers if cover.coverer is not None and cover.coverer <= _DRAWN]
    numbers = sorted({0, *spots, *ends, *coverers})
    labels = [_node(number, spots.get(number), ends.get(number), conditions.get(number, [])) for number in numbers]
    lines += [f"  n{number} [{label}];" for number, label in zip(numbers, labels, strict=True)]
    for link in edges:
        lines.append(f"  n{link.parent} -> n{link.child}" + (" [color=blue];" if link in joins else ";"))
    for cover in sorted(covers, key=lambda each: each.state):
        if cover.coverer is not None and cover.coverer <= _DRAWN:
            label = "" if cover.learnt is None else f', label="{cover.learnt}"'
            lines.append(f"  n{cover.state} -> n{cover.coverer} [style=dashed, constraint=false{label}];")
    if largest > _DRAWN:
        lines.append(f'  more [shape=plaintext, label="{largest - _DRAWN} later states are not drawn"];')
    return "\n".join([*lines, "}", ""])


def _node(number: int, at: SourceSpot | None, end: EndRow | None, conditions: list[str]) -> str:
    rows = [str(number)]
    if at is not None and at.file is not None:
        rows[0] += f": {Path(escape_text(at.file)).name}:{at.line}"
    if end is not None and end.ended != "joined":
        rows.append(f"({end.ended} {end.detail})" if end.ended == "error" and end.detail else f"({end.ended})")
    rows += conditions
    label = "\\l".join(escape_text(row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    colour = "" if end is None or end.ended not in _COLOURS else f", color={_COLOURS[end.ended]}"
    return f'label="{label}\\l"{colour}'
