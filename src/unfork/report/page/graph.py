"""The execution graph of run.db as columns of numbers, laid out as an icicle: a row for each fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unfork.engine.protocols.whereabouts import NOWHERE
from unfork.program.c.escape import escape_text
from unfork.report.page.page_sources import Locations
from unfork.report.record.database import LARGEST
from unfork.report.record.tables import EndRow, Tables

FORKED = "forked"
"""The end of a state that forked into others."""
_LARGEST = (1 << 53) - 1
"""The largest integer that JavaScript holds exactly; larger ones become text."""
_RANKS = {"error": 9, "dropped": 5, "left": 5, "bounded": 4, "moved": 2, "covered": 2, "joined": 1, FORKED: 0}
"""A column that is too narrow for its states shows the end with the highest rank."""
_KNOWN = 3
"""Rank of ends of complete paths; ends of lost paths rank higher."""
_LOST = 6
_HARMLESS = ("exit", "abort", "silent")


def graph(tables: Tables, locations: Locations) -> dict[str, Any]:
    """The graph: each column has one entry for each state, in the order of ``icicle``."""
    forks, joins = list(tables.forks()), list(tables.joins())
    rows = {end.state: end for end in tables.ends()}
    laid = icicle([link[:2] for link in forks], [link[:2] for link in joins], [*rows])
    born = {link.child: locations.number(*link.at) for link in (*forks, *joins)}
    ends: dict[str, int] = {FORKED: 0}
    texts: dict[str, int] = {"": 0}
    tests: dict[str, int] = {"": 0}
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for node in laid.nodes:
        end = rows.get(node, _INNER)
        values = (
            ends.setdefault(end.ended, len(ends)),
            texts.setdefault(end.detail, len(texts)),
            locations.number(*end.at),
            born.get(node, 0),
            end.instructions,
            end.depth,
            _stands_for(end.multiplicity),
            tests.setdefault(end.test or "", len(tests)),
        )
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    rank = [_RANKS.get(end, _KNOWN if end in _HARMLESS else _LOST) for end in ends]
    at = {node: index for index, node in enumerate(laid.nodes)}
    return {
        **columns,
        "ends": [escape_text(end) for end in ends],
        "details": list(texts),
        "tests": list(tests),
        "id": laid.nodes,
        "parent": [index - parent if parent >= 0 else 0 for index, parent in enumerate(laid.parents)],
        "level": laid.depths,
        "x": laid.starts,
        "width": laid.widths,
        "worst": worst(laid.parents, columns["end"], rank),
        "bridges": [number for bridge in laid.bridges for number in bridge],
        "covers": [
            [
                at[each.state],
                at.get(-1 if each.coverer is None else each.coverer, -1),
                each.coverer,
                each.words,
                each.renamed,
                each.learnt,
            ]
            for each in tables.covers()
            if each.state in at
        ],
        "learnt": _conditions(tables),
        "taken": _joins_of_tests(tables, at),
        "origins": {name: at[node] for name, node in tables.tests() if node in at},
    }


def _stands_for(multiplicity: int) -> int | str:
    """The number of paths of a state; LARGEST in run.db means that many or more."""
    if multiplicity <= _LARGEST:
        return multiplicity
    return f"at least {multiplicity}" if multiplicity == LARGEST else str(multiplicity)


_COLUMNS = ("end", "detail", "place", "born", "instructions", "depth", "stands", "test")
_INNER = EndRow(-1, FORKED, "", NOWHERE, 0, 0, 0, None)
"""The row of a state that forked."""


def _conditions(tables: Tables) -> dict[str, list[str]]:
    learnt: dict[str, list[str]] = {}
    for number, _, condition in tables.learnt():
        learnt.setdefault(str(number), []).append(condition)
    return learnt


def _joins_of_tests(tables: Tables, at: dict[int, int]) -> dict[str, list[int]]:
    """For each test, the joins on its path, each followed by the parent on the path, as indices."""
    taken: dict[str, list[int]] = {}
    for test, child, parent in tables.taken():
        if child in at and parent in at:
            taken.setdefault(test, []).extend((at[child], at[parent]))
    return taken


# --- the layout ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Icicle:
    """Nodes in depth-first order: parents before children, children by number.

    A join is below its first parent; ``bridges`` are edges (parent, join) from its other parents, as indices.
    """

    nodes: list[int]
    parents: list[int]
    depths: list[int]
    starts: list[int]
    """The first column of each node."""
    widths: list[int]
    """Columns of each node: the number of leaves below it."""
    bridges: list[tuple[int, int]]


def icicle(forks: Sequence[tuple[int, int]], joins: Sequence[tuple[int, int]], alone: Sequence[int]) -> Icicle:
    """The layout of edges (parent, child); ``alone`` are nodes that may have no edge."""
    first: dict[int, int] = {}
    others: list[tuple[int, int]] = []
    for parent, child in forks:
        first.setdefault(child, parent)
    for parent, child in joins:
        if first.setdefault(child, parent) != parent:
            others.append((parent, child))
    children: dict[int, list[int]] = {}
    for child in sorted(first):
        children.setdefault(first[child], []).append(child)
    roots = sorted({*children, *alone, *[parent for parent, _ in others]} - first.keys())
    laid = _lay_out(roots, children)
    at = {node: index for index, node in enumerate(laid.nodes)}
    laid.bridges.extend((at[parent], at[child]) for parent, child in others if parent in at and child in at)
    return laid


def _lay_out(roots: Sequence[int], children: Mapping[int, list[int]]) -> Icicle:
    nodes: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    waiting = [(root, -1, 0) for root in reversed(roots)]
    while waiting:
        node, parent, depth = waiting.pop()
        index = len(nodes)
        nodes.append(node)
        parents.append(parent)
        depths.append(depth)
        waiting += [(child, index, depth + 1) for child in reversed(children.get(node, ()))]
    widths = [0] * len(nodes)
    for index in range(len(nodes) - 1, -1, -1):
        widths[index] = widths[index] or 1
        if parents[index] >= 0:
            widths[parents[index]] += widths[index]
    starts = [0] * len(nodes)
    filled = [0] * (len(nodes) + 1)
    """Columns of each node that its children use; the last entry is for the roots."""
    for index, parent in enumerate(parents):
        starts[index] = filled[parent] + (starts[parent] if parent >= 0 else 0)
        filled[parent] += widths[index]
    return Icicle(nodes, parents, depths, starts, widths, [])


def worst(parents: Sequence[int], ends: Sequence[int], rank: Sequence[int]) -> list[int]:
    """For each node, the end with the highest rank at or below it; ``rank`` is by end."""
    out = list(ends)
    for index in range(len(out) - 1, 0, -1):
        parent = parents[index]
        if parent >= 0 and rank[out[index]] > rank[out[parent]]:
            out[parent] = out[index]
    return out
