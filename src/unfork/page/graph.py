"""The execution graph of run.db as data of the page: numbers in columns, since there may be very many."""

from __future__ import annotations

from typing import Any

from unfork.clang.escape import shown
from unfork.page.icicle import FORKED, icicle, worst
from unfork.page.places import Places
from unfork.report.database import Connection
from unfork.report.place_rows import LARGEST

_LARGEST = (1 << 53) - 1
"""The largest integer that a page holds exactly; a larger one is text."""
_RANKS = {"error": 9, "dropped": 5, "left": 5, "bounded": 4, "moved": 2, "covered": 2, "joined": 1, FORKED: 0}
"""What a column shows that is too narrow for all the states in it."""
_KNOWN = 3
"""The rank of ends that a path comes to by itself; ends of lost paths are above it."""
_LOST = 6
_HARMLESS = ("exit", "abort", "silent")


def graph(database: Connection, places: Places) -> dict[str, Any]:
    """The graph: lists of figures, each with one for every state, in the order of ``icicle``."""
    fork_rows = database.execute("SELECT parent, child, file, line, function FROM forks ORDER BY rowid").fetchall()
    join_rows = database.execute("SELECT parent, child, file, line, function FROM joins ORDER BY rowid").fetchall()
    rows = {row[0]: row[1:] for row in database.execute("SELECT * FROM states")}
    laid = icicle([row[:2] for row in fork_rows], [row[:2] for row in join_rows], [*rows])
    born = {row[1]: places.number(*row[2:]) for row in (*fork_rows, *join_rows)}
    ends: dict[str, int] = {FORKED: 0}
    texts: dict[str, int] = {"": 0}
    tests: dict[str, int] = {"": 0}
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for node in laid.nodes:
        ended, detail, file, line, function, *figures, test = rows.get(node, _INNER)
        instructions, depth, multiplicity = figures
        values = (
            ends.setdefault(ended, len(ends)),
            texts.setdefault(shown(detail or ""), len(texts)),
            places.number(file, line, function),
            born.get(node, 0),
            instructions,
            depth,
            _stands_for(multiplicity),
            tests.setdefault(test or "", len(tests)),
        )
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    rank = [_RANKS.get(end, _KNOWN if end in _HARMLESS else _LOST) for end in ends]
    at = {node: place for place, node in enumerate(laid.nodes)}
    return {
        **columns,
        "ends": [shown(end) for end in ends],
        "details": list(texts),
        "tests": list(tests),
        "id": laid.nodes,
        "parent": [place - parent if parent >= 0 else 0 for place, parent in enumerate(laid.parents)],
        "level": laid.depths,
        "x": laid.starts,
        "width": laid.widths,
        "worst": worst(laid.parents, columns["end"], rank),
        "bridges": [number for bridge in laid.bridges for number in bridge],
        "covers": _covers(database, at),
        "learnt": _learnt(database),
        "taken": _taken(database, at),
        "origins": {
            name: at[node]
            for name, node in database.execute("SELECT name, state FROM tests ORDER BY rowid")
            if node in at
        },
    }


def _stands_for(multiplicity: int) -> int | str:
    """How many paths a state stands for; run.db holds no more than LARGEST, which then means as many or more."""
    if multiplicity <= _LARGEST:
        return multiplicity
    return f"at least {multiplicity}" if multiplicity == LARGEST else str(multiplicity)


_COLUMNS = ("end", "detail", "place", "born", "instructions", "depth", "stands", "test")
_INNER = (FORKED, None, None, None, None, 0, 0, 0, None)
"""What is known of a state that forked."""


def _covers(database: Connection, at: dict[int, int]) -> list[list[Any]]:
    """Rows: the covered state, its coverer (-1: not there) and its number, words, renamed objects, what was learnt."""
    return [
        [at[node], at.get(coverer, -1), coverer, shown(cover or ""), shown(renamed or ""), learnt]
        for node, cover, coverer, renamed, learnt in database.execute("SELECT * FROM prunes ORDER BY rowid")
        if node in at
    ]


def _learnt(database: Connection) -> dict[str, list[str]]:
    """The conditions of what was learnt, by its number."""
    learnt: dict[str, list[str]] = {}
    for number, condition in database.execute("SELECT id, condition FROM learnt ORDER BY id, rowid"):
        learnt.setdefault(str(number), []).append(shown(condition))
    return learnt


def _taken(database: Connection, at: dict[int, int]) -> dict[str, list[int]]:
    """For each test, the joins on its path and the parents that it comes from, in turn, as places."""
    taken: dict[str, list[int]] = {}
    for test, child, parent in database.execute("SELECT test, child, parent FROM taken ORDER BY rowid"):
        if child in at and parent in at:
            taken.setdefault(test, []).extend((at[child], at[parent]))
    return taken
