"""The execution graph of a run, for Graphviz: forks, joins, ends, and which state covers which."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from unfork.clang.escape import shown
from unfork.report.database import Connection, read_database

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
    with closing(read_database(root / "run.db")) as database:
        edges = database.execute(
            "SELECT parent, child, file, line, 'fork' FROM forks WHERE child <= ? "
            "UNION SELECT parent, child, file, line, 'join' FROM joins WHERE child <= ? ORDER BY 2, 1",
            (MOST, MOST),
        ).fetchall()
        ends = {
            row[0]: row[1:] for row in database.execute("SELECT id, ended, detail FROM states WHERE id <= ?", (MOST,))
        }
        covers = database.execute(
            "SELECT id, coverer, learnt FROM prunes WHERE id <= ? ORDER BY id", (MOST,)
        ).fetchall()
        largest = database.execute("SELECT MAX(id) FROM states").fetchone()[0] or 0
        kept = _kept(database)
    lines = ["digraph run {", "  node [shape=box, fontname=monospace, fontsize=10];"]
    places = {child: (file, line) for _, child, file, line, _ in edges}
    numbers = sorted({0, *places, *ends, *[state for _, state, _ in covers if state is not None and state <= MOST]})
    labels = [_node(number, places.get(number), ends.get(number), kept.get(number, [])) for number in numbers]
    lines += [f"  n{number} [{label}];" for number, label in zip(numbers, labels, strict=True)]
    for parent, child, _, _, sort in edges:
        lines.append(f"  n{parent} -> n{child}" + (" [color=blue];" if sort == "join" else ";"))
    for covered, coverer, learnt in covers:
        if coverer is not None and coverer <= MOST:
            label = "" if learnt is None else f', label="{learnt}"'
            lines.append(f"  n{covered} -> n{coverer} [style=dashed, constraint=false{label}];")
    if largest > MOST:
        lines.append(f'  more [shape=plaintext, label="{largest - MOST} later states are not drawn"];')
    return "\n".join([*lines, "}", ""])


def _kept(database: Connection) -> dict[int, list[str]]:
    """For each state, the conditions of what was learnt there and covers others, with the number of what was learnt."""
    conditions: dict[int, list[str]] = {}
    for number, node, condition in database.execute("SELECT id, node, condition FROM learnt ORDER BY id, rowid"):
        conditions.setdefault(node, []).append(f"[{number}] {condition}")
    return conditions


def _node(number: int, place: tuple[Any, Any] | None, end: tuple[Any, Any] | None, kept: list[str]) -> str:
    rows = [str(number)]
    if place is not None and place[0] is not None:
        rows[0] += f": {Path(shown(place[0])).name}:{place[1]}"
    if end is not None and end[0] != "joined":
        detail = f" {end[1]}" if end[0] == "error" and end[1] else ""
        rows.append(f"({end[0]}{detail})")
    rows += kept
    label = "\\l".join(shown(row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    colour = "" if end is None or end[0] not in _COLOURS else f", color={_COLOURS[end[0]]}"
    return f'label="{label}\\l"{colour}'
