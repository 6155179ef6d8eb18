"""The execution graph of a run, for Graphviz: forks, joins, ends, and which state covers which."""

from __future__ import annotations

from contextlib import closing
from itertools import takewhile
from pathlib import Path

from unfork.clang.escape import shown
from unfork.contracts.whereabouts import Spot
from unfork.report.tables import Ended, read_tables

MOST = 5000
"""The most nodes that are drawn; a note says how many are left out."""
_COLOURS = {
    "error": "red",
    "covered": "grey",
    "joined": "blue",
    "left": "orange",
    "dropped": "orange",
    "moved": "orange",
}


def graph(root: Path) -> str:
    """The graph of the run in ``root``. Dashed edges lead from a covered state to the one that covers it."""
    with closing(read_tables(root / "run.db")) as tables:
        joins = {link for link in tables.joins() if link.child <= MOST}
        edges = sorted({*joins, *(link for link in tables.forks() if link.child <= MOST)}, key=lambda each: each[1::-1])
        ends = {end.state: end for end in takewhile(lambda each: each.state <= MOST, tables.ends())}
        covers = [cover for cover in tables.covers() if cover.state <= MOST]
        largest = tables.largest()
        kept: dict[int, list[str]] = {}
        for number, state, condition in sorted(tables.learnt(), key=lambda each: each.number):
            kept.setdefault(state, []).append(f"[{number}] {condition}")
    lines = ["digraph run {", "  node [shape=box, fontname=monospace, fontsize=10];"]
    places = {link.child: link.at for link in edges}
    coverers = [cover.coverer for cover in covers if cover.coverer is not None and cover.coverer <= MOST]
    numbers = sorted({0, *places, *ends, *coverers})
    labels = [_node(number, places.get(number), ends.get(number), kept.get(number, [])) for number in numbers]
    lines += [f"  n{number} [{label}];" for number, label in zip(numbers, labels, strict=True)]
    for link in edges:
        lines.append(f"  n{link.parent} -> n{link.child}" + (" [color=blue];" if link in joins else ";"))
    for cover in sorted(covers, key=lambda each: each.state):
        if cover.coverer is not None and cover.coverer <= MOST:
            label = "" if cover.learnt is None else f', label="{cover.learnt}"'
            lines.append(f"  n{cover.state} -> n{cover.coverer} [style=dashed, constraint=false{label}];")
    if largest > MOST:
        lines.append(f'  more [shape=plaintext, label="{largest - MOST} later states are not drawn"];')
    return "\n".join([*lines, "}", ""])


def _node(number: int, at: Spot | None, end: Ended | None, kept: list[str]) -> str:
    rows = [str(number)]
    if at is not None and at.file is not None:
        rows[0] += f": {Path(shown(at.file)).name}:{at.line}"
    if end is not None and end.ended != "joined":
        rows.append(f"({end.ended} {end.detail})" if end.ended == "error" and end.detail else f"({end.ended})")
    rows += kept
    label = "\\l".join(shown(row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    colour = "" if end is None or end.ended not in _COLOURS else f", color={_COLOURS[end.ended]}"
    return f'label="{label}\\l"{colour}'
