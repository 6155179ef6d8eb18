"""Where a run has spent its work, as run.db says: where states multiplied, what was asked, which joins were refused."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.contracts.whereabouts import NOWHERE, Spot
from unfork.report.tables import Forked, Forks, Queries, Refused, Tables

MOST_EDGES = 2_000_000
"""Edges of an execution graph in which forks along paths are still counted."""
COUNTED = 4
"""Places for which they are."""
_LATE = 4
"""The last forks of a run are one in so many."""
Pair = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A loop, with the forks in it and in what it calls; ``late`` of them were among the last quarter of all."""

    loop: Spot
    forks: int
    born: int
    late: int
    deepest: Forks
    """The place in it where most states were born."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where states waited when the run stopped."""

    at: Spot
    states: int


@dataclass(frozen=True, slots=True)
class HotSpots:
    """All that, most first. ``strategy`` is the one whose forks and queries these are; "" where there is but one.

    ``late`` is how many forks the last quarter has.
    """

    strategy: str
    forks: tuple[Forks, ...]
    loops: tuple[LoopPlace, ...]
    queries: tuple[Queries, ...]
    refused: tuple[Refused, ...]
    waiting: tuple[Waiting, ...]
    late: int

    @property
    def born(self) -> int:
        """States that there were more after all forks."""
        return sum(place.born for place in self.forks)


def hot_spots(tables: Tables, strategy: str, *, is_first: bool) -> HotSpots:
    """The hot spots of ``strategy``; only of the first one does run.db know paths."""
    rows = sorted(tables.fork_places(strategy=strategy), key=lambda row: (-row.born, -row.forks, *_line(row.at)))
    forked = list(tables.forked()) if is_first else []
    levels = _levels(tables, [(row.at, row.loop) for row in rows[:COUNTED]], forked) if is_first else {}
    forks = [row._replace(levels=levels.get((row.at, row.loop), ())) for row in rows]
    late = forked[len(forked) - len(forked) // _LATE :]
    queries = sorted(
        tables.query_places(strategy=strategy), key=lambda row: (-row.seconds, -row.queries, *_line(row.at))
    )
    refused = sorted(tables.refusals(), key=lambda row: (-row.times, *_line(row.at), row.reason))
    left = Counter(end.at for end in tables.ends(ended="left"))
    waiting = sorted(left.items(), key=lambda each: (-each[1], *_line(each[0])))
    return HotSpots(
        strategy,
        tuple(forks),
        _loops(forks, Counter(fork.loop for fork in late)),
        tuple(queries),
        tuple(refused),
        tuple([Waiting(*each) for each in waiting]),
        len(late),
    )


def _line(at: Spot) -> tuple[str, int]:
    """By what places are ordered; those that are not known come first."""
    return at.file or "", at.line or 0


def _loops(forks: Sequence[Forks], late: Mapping[Spot, int]) -> tuple[LoopPlace, ...]:
    within: dict[Spot, list[Forks]] = {}
    for place in forks:
        if place.loop != NOWHERE:
            within.setdefault(place.loop, []).append(place)
    loops = [
        LoopPlace(
            loop,
            sum(place.forks for place in places),
            sum(place.born for place in places),
            late.get(loop, 0),
            places[0],
        )
        for loop, places in within.items()
    ]
    return tuple(sorted(loops, key=lambda loop: -loop.born))


def _levels(tables: Tables, places: Sequence[Pair], forked: Sequence[Forked]) -> Mapping[Pair, tuple[int, ...]]:
    """How many forks at each place were the first there on their path, the second and so on.

    Behind a join the longest path counts. A graph that is too large is not looked at.
    """
    if tables.count("forks", "joins") > MOST_EDGES or not places:
        return {}
    numbers = {place: number for number, place in enumerate(places)}
    where = {state: numbers[at, loop] for state, at, loop in forked if (at, loop) in numbers}
    largest = max([child for _, child in tables.links()], default=0)
    depths = [array("L", bytes(array("L").itemsize * (largest + 1))) for _ in places]
    for parent, child in tables.links():
        at = where.get(parent)
        for number, depth in enumerate(depths):
            here = depth[parent] + (at == number)
            if here > depth[child]:
                depth[child] = here
    counts: list[Counter[int]] = [Counter() for _ in places]
    for state, number in where.items():
        counts[number][depths[number][state] if state <= largest else 0] += 1
    return {
        place: tuple([count[level] for level in range(max(count, default=-1) + 1)])
        for place, count in zip(places, counts, strict=True)
    }
