"""The execution graph laid out as an icicle: a row per fork, a column per state, in the order of a walk through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FORKED = "forked"
"""How a state ends that goes on as others."""


@dataclass(frozen=True, slots=True)
class Icicle:
    """Nodes in the order of a walk that comes to parents before children, which follow in order of their numbers.

    A node that is a join stands below the first of its parents; ``bridges`` are the others, by places in the order.
    """

    nodes: list[int]
    parents: list[int]
    """Places in the order; -1 for a root."""
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
    laid = _walked(roots, children)
    at = {node: place for place, node in enumerate(laid.nodes)}
    laid.bridges.extend((at[parent], at[child]) for parent, child in others if parent in at and child in at)
    return laid


def _walked(roots: Sequence[int], children: Mapping[int, list[int]]) -> Icicle:
    nodes: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    waiting = [(root, -1, 0) for root in reversed(roots)]
    while waiting:
        node, parent, depth = waiting.pop()
        place = len(nodes)
        nodes.append(node)
        parents.append(parent)
        depths.append(depth)
        waiting += [(child, place, depth + 1) for child in reversed(children.get(node, ()))]
    widths = [0] * len(nodes)
    for place in range(len(nodes) - 1, -1, -1):
        widths[place] = widths[place] or 1
        if parents[place] >= 0:
            widths[parents[place]] += widths[place]
    starts = [0] * len(nodes)
    filled = [0] * (len(nodes) + 1)
    """How many columns of each node its children have taken; the last entry is that of the roots."""
    for place, parent in enumerate(parents):
        starts[place] = filled[parent] + (starts[parent] if parent >= 0 else 0)
        filled[parent] += widths[place]
    return Icicle(nodes, parents, depths, starts, widths, [])


def worst(parents: Sequence[int], ends: Sequence[int], rank: Sequence[int]) -> list[int]:
    """For each place, the end of the highest rank at or below it; ``rank`` is by end."""
    out = list(ends)
    for place in range(len(out) - 1, 0, -1):
        parent = parents[place]
        if parent >= 0 and rank[out[place]] > rank[out[parent]]:
            out[parent] = out[place]
    return out
