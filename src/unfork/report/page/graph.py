"""The execution graph of run.db as data of the page, numbers in columns, laid out as an icicle: a row per fork."""

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
"""How a state ends that goes on as others."""
_LARGEST = (1 << 53) - 1
"""The largest integer that a page holds exactly; a larger one is text."""
_RANKS = {"error": 9, "dropped": 5, "left": 5, "bounded": 4, "moved": 2, "covered": 2, "joined": 1, FORKED: 0}
"""What a column shows that is too narrow for all the states in it."""
_KNOWN = 3
"""The rank of ends that a path comes to by itself; ends of lost paths are above it."""
_LOST = 6
_HARMLESS = ("exit", "abort", "silent")


def graph(tables: Tables, locations: Locations) -> dict[str, Any]:
    """The graph: lists of figures, each with one for every state, in the order of ``icicle``."""
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
    """How many paths a state stands for; run.db holds no more than LARGEST, which then means as many or more."""
    if multiplicity <= _LARGEST:
        return multiplicity
    return f"at least {multiplicity}" if multiplicity == LARGEST else str(multiplicity)


_COLUMNS = ("end", "detail", "place", "born", "instructions", "depth", "stands", "test")
_INNER = EndRow(-1, FORKED, "", NOWHERE, 0, 0, 0, None)
"""What is known of a state that forked."""


def _conditions(tables: Tables) -> dict[str, list[str]]:
    """The conditions of what was learnt, by its number."""
    learnt: dict[str, list[str]] = {}
    for number, _, condition in tables.learnt():
        learnt.setdefault(str(number), []).append(condition)
    return learnt


def _joins_of_tests(tables: Tables, at: dict[int, int]) -> dict[str, list[int]]:
    """For each test, the joins on its path and the parents that it comes from, in turn, by their indices."""
    taken: dict[str, list[int]] = {}
    for test, child, parent in tables.taken():
        if child in at and parent in at:
            taken.setdefault(test, []).extend((at[child], at[parent]))
    return taken


# --- the layout ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Icicle:
    """Nodes in the order of a walk that comes to parents before children, which follow in order of their numbers.

    A node that is a join stands below the first of its parents; ``bridges`` are the others, by indices in the order.
    """

    nodes: list[int]
    parents: list[int]
    """Indices in the order; -1 for a root."""
    depths: list[int]
    starts: list[int]
    """The column where a node begins."""
    widths: list[int]
    """Columns that a node spans: how many leaves are below it."""
    bridges: list[tuple[int, int]]


def icicle(forks: Sequence[tuple[int, int]], joins: Sequence[tuple[int, int]], alone: Sequence[int]) -> Icicle:
    """The layout of edges (parent, child); ``alone`` are nodes that need not have any."""
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
    """How many columns of each node its children have taken; the last entry is that of the roots."""
    for index, parent in enumerate(parents):
        starts[index] = filled[parent] + (starts[parent] if parent >= 0 else 0)
        filled[parent] += widths[index]
    return Icicle(nodes, parents, depths, starts, widths, [])


def worst(parents: Sequence[int], ends: Sequence[int], rank: Sequence[int]) -> list[int]:
    """For each node, the end of the highest rank at or below it; ``rank`` is by end."""
    out = list(ends)
    for index in range(len(out) - 1, 0, -1):
        parent = parents[index]
        if parent >= 0 and rank[out[index]] > rank[out[parent]]:
            out[parent] = out[index]
    return out
