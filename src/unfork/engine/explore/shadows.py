"""The single paths that joined states stand for, followed fork by fork and counted exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, log
from typing import TypeAlias

from unfork.engine.protocols.events import Began, Bounded, Covered, Dropped, Ended, Event, Forked, Joined, Left
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition, Trail
from unfork.logic.solve.solver import Statistics, Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

_GROWTH = 1.05
"""A point is kept whenever the multiplicity has grown by this factor, so that no part of a run outweighs others."""


@dataclass(frozen=True, slots=True)
class LineFit:
    """A line through ``points`` pairs (m, p), in natural logarithms; ``error`` is their root mean square."""

    c1: float
    c2: float
    points: int
    error: float

    def as_dict(self) -> dict[str, float | int]:
        """The block of summary.json."""
        return {"c1": round(self.c1, 4), "c2": round(self.c2, 4), "points": self.points, "error": round(self.error, 4)}

    def paths(self, multiplicity: int) -> float:
        """The estimate for a multiplicity of at least 1."""
        return exp(self.c1 + self.c2 * log(multiplicity))


class Growth:
    """The points of a run: the exact number of paths at each multiplicity."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []
        self._next = 2.0

    def note(self, multiplicity: int, paths: int) -> None:
        """The run now stands for ``paths`` paths, at this multiplicity."""
        if multiplicity >= self._next and paths > 0:
            self._points.append((log(multiplicity), log(paths)))
            self._next = multiplicity * _GROWTH

    def fit(self) -> LineFit | None:
        """The line of least squares; None for fewer than two points."""
        points = self._points
        count = len(points)
        if count < 2:
            return None
        mean_x = fsum(x for x, _ in points) / count
        mean_y = fsum(y for _, y in points) / count
        slope = fsum((x - mean_x) * (y - mean_y) for x, y in points) / fsum((x - mean_x) ** 2 for x, _ in points)
        c1 = mean_y - slope * mean_x
        squares = fsum((y - c1 - slope * x) ** 2 for x, y in points)
        return LineFit(c1, slope, count, (squares / count) ** 0.5)


MOST_PATHS = 20_000
"""Single paths to follow at once."""


@dataclass(frozen=True, slots=True)
class PathCount:
    """The exact number of completed paths; None if ``uncounted`` states ended some."""

    paths: int | None
    uncounted: int
    fit: LineFit | None
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class _Shadow:
    """The paths that a state stands for. Each implies ``known``, the state's conditions when they were computed."""

    known: PathCondition
    paths: tuple[PathCondition, ...]


class _Lost:
    """Stands for a state's paths that are no longer followed."""


_LOST = _Lost()
_Followed: TypeAlias = "_Shadow | _Lost"


class Shadows:
    """Observes a run and counts its single paths (Kuznetsov12, section 5.2).

    A joined path goes on as a shadow of the joined state, with its own condition and the guard of its side. Where
    the state forks, a path goes wherever it is feasible. Law: if all are counted, as many paths complete as without
    joins. ``chain`` is not the exploration's, so that the run takes the same course with or without shadows.

    Not followed: paths of states that stand for more than the program does, those beyond MOST_PATHS, and those that
    the solver cannot place.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._shadows: dict[int, _Followed] = {}
        self._followed = 0
        self._completed = 0
        self._uncounted = 0
        self._is_lost = False
        self._multiplicity = 0
        self._paths = 0
        self._growth = Growth()

    def tell(self, event: Event) -> None:
        """Follow the paths of the event's states."""
        match event:
            case Began(states):
                self._multiplicity += len(states)
                self._paths += len(states)
            case Forked(parent, outcomes):
                self._fork(parent, outcomes)
            case Joined(parents, state):
                self._join(parents, state)
            case Ended(outcome):
                self._end(outcome)
            case Bounded(state, _) | Covered(state, _) | Dropped(state) | Left(state):
                self._take(state.node)

    def count(self) -> PathCount:
        """The counts so far."""
        paths = None if self._uncounted else self._completed
        return PathCount(paths, self._uncounted, self._growth.fit(), self._chain.statistics)

    def forget(self) -> None:
        """Drop caches."""
        self._chain.forget()

    def close(self) -> None:
        """Stop counting."""
        self._chain.solver.close()

    def of(self, state: State) -> tuple[PathCondition, ...] | None:
        """The paths that a waiting state stands for; None if they are not followed."""
        followed = self._shadows.get(state.node)
        if followed is None:
            return (state.path,)
        now = self._under(followed, state.path)
        return now.paths if isinstance(now, _Shadow) else None

    # --- events ---

    def _fork(self, parent: int, outcomes: Sequence[Outcome]) -> None:
        before = self._take(parent)
        self._multiplicity += (len(outcomes) - 1) * outcomes[0].state.multiplicity
        if before is None:
            self._paths += len(outcomes) - 1
        else:
            after = [self._under(before, outcome.state.path) for outcome in outcomes]
            for outcome, shadow in zip(outcomes, after, strict=True):
                self._follow(outcome.state.node, shadow)
            self._paths += sum(map(_size, after)) - _size(before)
        self._mark()

    def _join(self, parents: Sequence[State], state: State) -> None:
        first, second = parents
        guard = state.joined_under
        before = [self._shadow_of(parent) for parent in (first, second)]
        sides = [self._on_side(before[0], guard), self._on_side(before[1], build.negate(guard))]
        paths: list[PathCondition] = []
        for side in sides:
            if isinstance(side, _Lost) or state.over:
                self._follow(state.node, _LOST)
                return
            paths += side.paths
        self._follow(state.node, _Shadow(state.path, tuple(paths)))
        self._paths += len(paths) - sum(map(_size, before))

    def _end(self, outcome: Halted | Failed | Killed) -> None:
        state = outcome.state
        before = self._take(state.node)
        after = before if before is None else self._under(before, state.path)
        self._paths += _size(after) - _size(before)
        is_completed = not isinstance(outcome, Killed) and not (isinstance(outcome, Halted) and outcome.end == "silent")
        if not is_completed:
            self._multiplicity -= state.multiplicity
            self._paths -= _size(after)
        elif isinstance(after, _Lost):
            self._uncounted += 1
        else:
            self._completed += _size(after)
        self._mark()

    def _mark(self) -> None:
        """Add a point of the growth, as long as all paths are followed."""
        if not self._is_lost:
            self._growth.note(self._multiplicity, self._paths)

    # --- paths followed ---

    def _take(self, node: int) -> _Followed | None:
        """Removes and returns the paths of a node that is gone."""
        followed = self._shadows.pop(node, None)
        if isinstance(followed, _Shadow):
            self._followed -= len(followed.paths)
        return followed

    def _shadow_of(self, parent: State) -> _Followed:
        followed = self._take(parent.node)
        return _Shadow(parent.path, (parent.path,)) if followed is None else self._under(followed, parent.path)

    def _follow(self, node: int, followed: _Followed) -> None:
        if isinstance(followed, _Shadow):
            self._followed += len(followed.paths)
            if self._followed > MOST_PATHS:
                self._followed -= len(followed.paths)
                followed = _LOST
        self._is_lost = self._is_lost or isinstance(followed, _Lost)
        self._shadows[node] = followed

    def _under(self, followed: _Followed, path: PathCondition) -> _Followed:
        """The paths still feasible after their state came to ``path``."""
        if isinstance(followed, _Lost):
            return followed
        added = _since(followed.known.trail, path.trail)
        feasible = self._assume(followed.paths, build.conjunction(added)) if added else followed.paths
        return _LOST if feasible is None else _Shadow(path, feasible)

    def _on_side(self, followed: _Followed, guard: Value) -> _Followed:
        """The paths of one side of a join, which now imply their side's guard."""
        if isinstance(followed, _Lost):
            return followed
        paths = self._assume(followed.paths, guard)
        return _LOST if paths is None else _Shadow(followed.known, paths)

    def _assume(self, paths: Sequence[PathCondition], condition: Value) -> tuple[PathCondition, ...] | None:
        """The ``paths`` on which ``condition`` (1 bit) may hold, under it; None if the solver does not know."""
        feasible = []
        for path in paths:
            extended = self._chain.assume(path, condition)
            if isinstance(extended, Unknown):
                return None
            if isinstance(extended, PathCondition):
                feasible.append(extended)
        return tuple(feasible)


def _size(followed: _Followed | None) -> int:
    match followed:
        case None:
            return 1
        case _Shadow(_, paths):
            return len(paths)
        case _:
            return 0


def _since(known: Trail | None, trail: Trail | None) -> list[Term]:
    """The conditions after ``known``, in order; all if the trail does not begin with ``known``."""
    added: list[Term] = []
    while trail is not None and trail is not known:
        trail, condition = trail
        added.append(condition)
    added.reverse()
    return added
