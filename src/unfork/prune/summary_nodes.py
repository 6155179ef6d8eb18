"""What folded segments hold (Anand06, Definition 4): any of their nodes' values, whichever is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from unfork.logic.path import PathCondition
from unfork.logic.term import Value, symbol
from unfork.prune.compared_side import WORD, stretches
from unfork.prune.contract import Chosen, Differ, Pair, Record, Summaries
from unfork.prune.implication import Implication
from unfork.state.memory import MemoryObject

MOST_CHOICES = 64
"""Ways to choose one node of each segment of a state; with more, segments are not compared."""


def summaries(covered: Sequence[MemoryObject], coverer: Sequence[MemoryObject], pointers: Sequence[int]) -> Summaries:
    """The records of nodes whose pointers are at these offsets, all cut alike."""
    nodes = (*covered, *coverer)
    size = len(nodes[0].data)
    cuts = {0, size, *pointers, *[pointer + WORD for pointer in pointers]}
    for item in nodes:
        for start, end, is_concrete in stretches(item, item, size):
            if not is_concrete:
                cuts.update((start, end))
    ends = sorted(cuts)
    places = [(a, b) for a, b in pairwise(ends) if not any(pointer <= a < pointer + WORD for pointer in pointers)]
    records = [[tuple([_value(item, *place) for place in places]) for item in side] for side in (covered, coverer)]
    return Summaries(tuple(records[0]), tuple(records[1]), tuple([8 * (b - a) for a, b in places]))


def _value(item: MemoryObject, start: int, end: int) -> Value | None:
    return None if item.uninitialised_runs(start, end - start) else item.read(start, end - start)


def prove_any(
    implication: Implication, path: PathCondition, other: PathCondition, pairs: Sequence[Pair], all_of: list[Summaries]
) -> list[Chosen]:
    """Whichever nodes of the first state's segments are taken, some of the second's hold the same. Raises Differ."""
    theirs = list(product(*[each.coverer for each in all_of]))
    mine = list(product(*[each.covered for each in all_of]))
    if len(mine) > MOST_CHOICES or len(theirs) > MOST_CHOICES:
        raise Differ("long segments")
    widths = [each.widths for each in all_of]

    def prove(nodes: tuple[Record, ...]) -> Chosen:
        reason = Differ("different values")
        for their in theirs:
            try:
                proof = implication.prove(path, other, [*pairs, *pairs_of(nodes, their, widths)])
            except Differ as differ:
                reason = differ
            else:
                return Chosen(nodes, their, proof)
        raise reason

    return [prove(nodes) for nodes in mine]


def pairs_of(mine: Sequence[Record], theirs: Sequence[Record], widths: Sequence[Sequence[int]]) -> list[Pair]:
    """What must be equal where these nodes are taken: what the second state's are untouched in may be anything."""
    return [pair for one, its, bits in zip(mine, theirs, widths, strict=True) for pair in _pairs(one, its, bits)]


def _pairs(one: Record, other: Record, widths: Sequence[int]) -> list[Pair]:
    pairs: list[Pair] = []
    for number, (value, its, width) in enumerate(zip(one, other, widths, strict=True)):
        if its is not None:
            pairs.append((symbol(f"untouched {number}", width) if value is None else value, its, width))
    return pairs
