"""A minimum path cover: the fewest paths of a graph that pass all wanted nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import TypeAlias, TypeVar

from unfork.program.facts.cfg import Node, strong_components

Stop = TypeVar("Stop")
Stops: TypeAlias = tuple[tuple[Stop, ...], ...]
"""The wanted nodes of a path in its order; those on one cycle are one stop, since one path passes them all."""


def path_cover(start: Node, following: Callable[[Node], Iterable[Node]], wanted: Set[Node]) -> list[Stops[Node]]:
    """The fewest paths that together pass every wanted node that ``start`` reaches.

    Paths may share nodes. So two stops can follow each other on a path if one reaches the other, by other stops or
    not, and the number of paths is that of the stops minus a maximum matching of stops with those that they reach
    (Dilworth; Fulkerson 1956). By this a path goes through covered code without cost.
    """
    stops, reached = _order_of_stops(start, following, wanted)
    following_stop = maximum_matching(reached)
    later = set(following_stop)
    paths = []
    for first in range(len(stops)):
        if first not in later:
            path, stop = [], first
            while stop >= 0:
                path.append(stops[stop])
                stop = following_stop[stop]
            paths.append(tuple(path))
    return paths


def _order_of_stops(
    start: Node, following: Callable[[Node], Iterable[Node]], wanted: Set[Node]
) -> tuple[list[tuple[Node, ...]], list[int]]:
    """The stops, each after those that it reaches, and for each a mask of these."""
    stops: list[tuple[Node, ...]] = []
    reached: list[int] = []
    below: dict[Node, int] = {}
    for component in strong_components(start, following):
        mask = 0
        for node in component:
            for target in following(node):
                mask |= below.get(target, 0)
        stop = tuple([node for node in component if node in wanted])
        if stop:
            reached.append(mask)
            mask |= 1 << len(stops)
            stops.append(stop)
        below.update(dict.fromkeys(component, mask))
    return stops, reached


def maximum_matching(choices: Sequence[int]) -> list[int]:
    """Match as many numbers as possible, each with a bit of its mask, no bit twice; -1 for those that get none.

    Augmenting paths, breadth first (Berge 1957). Of several free bits the highest is taken.
    """
    matched = [-1] * len(choices)
    owner: dict[int, int] = {}
    taken = 0
    for start in range(len(choices)):
        seen, reached_from, pending = 0, dict[int, int](), [start]
        for number in pending:
            fresh = choices[number] & ~seen
            free = fresh & ~taken
            if free:
                bit = free.bit_length() - 1
                reached_from[bit] = number
                taken |= 1 << bit
                _augment(matched, owner, reached_from, bit)
                break
            seen |= fresh
            while fresh:
                bit = fresh.bit_length() - 1
                fresh ^= 1 << bit
                reached_from[bit] = number
                pending.append(owner[bit])
    return matched


def _augment(matched: list[int], owner: dict[int, int], reached_from: dict[int, int], bit: int) -> None:
    """Give each number on the way back from a free bit the bit that was reached from it."""
    while bit >= 0:
        number = reached_from[bit]
        owner[bit] = number
        matched[number], bit = bit, matched[number]
