"""Where a run has spent its work, as run.db says: where states multiplied, what was asked, which joins were refused."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.contracts.whereabouts import NOWHERE, Spot
from unfork.report.database import Connection

MOST_EDGES = 2_000_000
"""Edges of an execution graph in which forks along paths are still counted."""
COUNTED = 4
"""Places for which they are."""
_LATE = 4
"""The last forks of a run are one in so many."""
Pair = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True)
class ForkPlace:
    """Where states forked, in the innermost loop around. ``born``: states that there were more afterwards.

    ``multiplicity`` is the sum of the paths that these states stood for. ``levels`` says how many of the forks were
    the first one here on their path, the second and so on; empty where that was not counted.
    """

    at: Spot
    loop: Spot
    forks: int
    born: int
    multiplicity: int
    levels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A loop, with the forks in it and in what it calls; ``late`` of them were among the last quarter of all."""

    loop: Spot
    forks: int
    born: int
    late: int
    deepest: ForkPlace
    """The place in it where most states were born."""


@dataclass(frozen=True, slots=True)
class QueryPlace:
    """Where the solver was asked."""

    at: Spot
    queries: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RefusedJoins:
    """Joins that a strategy refused at a place, for a reason."""

    strategy: str
    at: Spot
    reason: str
    count: int


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
    forks: tuple[ForkPlace, ...]
    loops: tuple[LoopPlace, ...]
    queries: tuple[QueryPlace, ...]
    refused: tuple[RefusedJoins, ...]
    waiting: tuple[Waiting, ...]
    late: int

    @property
    def born(self) -> int:
        """States that there were more after all forks."""
        return sum(place.born for place in self.forks)


def hot_spots(database: Connection, strategy: str, *, is_first: bool) -> HotSpots:
    """The hot spots of ``strategy``; only of the first one does run.db know paths. Raises sqlite3.Error."""
    rows = database.execute(
        "SELECT file, line, function, loop_file, loop_line, loop_function, forks, born, multiplicity FROM fork_places "
        "WHERE strategy = ? ORDER BY born DESC, forks DESC, file, line",
        (strategy,),
    ).fetchall()
    counted = [(Spot(*row[:3]), Spot(*row[3:6])) for row in rows[:COUNTED]]
    levels = _levels(database, counted) if is_first else {}
    forks = []
    for row in rows:
        at, loop, (count, born, multiplicity) = Spot(*row[:3]), Spot(*row[3:6]), row[6:]
        forks.append(ForkPlace(at, loop, count, born, multiplicity, levels.get((at, loop), ())))
    last, late = _late(database) if is_first else (0, Counter())
    queries = database.execute(
        "SELECT file, line, function, queries, seconds FROM query_places WHERE strategy = ? "
        "ORDER BY seconds DESC, queries DESC, file, line",
        (strategy,),
    )
    refused = database.execute(
        "SELECT strategy, file, line, function, reason, count FROM refusals ORDER BY count DESC, file, line, reason"
    )
    waiting = database.execute(
        "SELECT file, line, function, COUNT(*) FROM states WHERE ended = 'left' GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2"
    )
    return HotSpots(
        strategy,
        tuple(forks),
        _loops(forks, late),
        tuple([QueryPlace(Spot(*row[:3]), *row[3:]) for row in queries]),
        tuple([RefusedJoins(row[0], Spot(*row[1:4]), *row[4:]) for row in refused]),
        tuple([Waiting(Spot(*row[:3]), row[3]) for row in waiting]),
        last,
    )


def _loops(forks: Sequence[ForkPlace], late: Mapping[Spot, int]) -> tuple[LoopPlace, ...]:
    within: dict[Spot, list[ForkPlace]] = {}
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


def _late(database: Connection) -> tuple[int, Mapping[Spot, int]]:
    """How many forks the last quarter has, and how many of them were in each loop."""
    (count,) = database.execute("SELECT COUNT(*) FROM forked").fetchone()
    last = count // _LATE
    rows = database.execute(
        "SELECT loop_file, loop_line, loop_function, COUNT(*) FROM "
        "(SELECT * FROM forked ORDER BY rowid DESC LIMIT ?) GROUP BY 1, 2, 3",
        (last,),
    )
    return last, {Spot(*row[:3]): row[3] for row in rows}


def _levels(database: Connection, places: Sequence[Pair]) -> Mapping[Pair, tuple[int, ...]]:
    """How many forks at each place were the first there on their path, the second and so on.

    Behind a join the longest path counts. A graph that is too large is not looked at.
    """
    (edges,) = database.execute("SELECT (SELECT COUNT(*) FROM forks) + (SELECT COUNT(*) FROM joins)").fetchone()
    if edges > MOST_EDGES or not places:
        return {}
    (largest,) = database.execute(
        "SELECT MAX(child) FROM (SELECT child FROM forks UNION SELECT child FROM joins)"
    ).fetchone()
    numbers = {place: number for number, place in enumerate(places)}
    where: dict[int, int] = {}
    for node, *place in database.execute(
        "SELECT node, file, line, function, loop_file, loop_line, loop_function FROM forked"
    ):
        number = numbers.get((Spot(*place[:3]), Spot(*place[3:])))
        if number is not None:
            where[node] = number
    depths = [array("L", bytes(array("L").itemsize * ((largest or 0) + 1))) for _ in places]
    for parent, child in database.execute(
        "SELECT parent, child FROM forks UNION ALL SELECT parent, child FROM joins ORDER BY 2"
    ):
        at = where.get(parent)
        for number, depth in enumerate(depths):
            here = depth[parent] + (at == number)
            if here > depth[child]:
                depth[child] = here
    counts: list[Counter[int]] = [Counter() for _ in places]
    for node, number in where.items():
        counts[number][depths[number][node] if node <= (largest or 0) else 0] += 1
    return {
        place: tuple([count[level] for level in range(max(count, default=-1) + 1)])
        for place, count in zip(places, counts, strict=True)
    }
