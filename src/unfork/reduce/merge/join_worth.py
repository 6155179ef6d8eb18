"""Learns from the run at which places joins are undone at once, and stops joining there.

A fork undoes a join if each of its outcomes leaves the guard of the join a single value: it tells the sides apart
again. The other forks that came first happened once instead of twice; they are the join's gain. The fork that undoes it
would not have happened without it, so that a join whose gain is below 1 has bought nothing. One that is never undone
spares that fork, too, and an end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.engine.protocols.events import Bounded, Covered, Dropped, Ended, Event, Forked, Joined, Left, Moved
from unfork.engine.protocols.join import Refusal, Similarity
from unfork.engine.protocols.outcome import Outcome
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Solver, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.module import Function
from unfork.reduce.merge.merge_table import MergeCounts

UNDONE = Refusal("joins here are undone")
LEAST_GAIN = 1.0
AT_AN_END = 2
"""What a join has gained at an end: the end itself, and the fork that did not undo it."""
EVIDENCE = 4
"""Joins at a place whose gain must be known before it stops."""
MEMORY = 32
"""When the gains of so many joins are known, they count half, so that a change is noticed."""
FIRST, EVERY = 16, 8
"""So many joins at a place are followed, and then each eighth, since to see a fork undo one may take queries."""
MOST_FOLLOWED = 6
"""Joins of one state to follow, the latest ones."""
JoinPlace = tuple[Function, int, int] | None


@dataclass(frozen=True, slots=True)
class _FollowedJoin:
    """A join of a state that nothing has undone: its guard, its place, and its gain so far.

    ``after`` is the number of constraints that the path had when the state was joined last.
    """

    guard: Term
    place: JoinPlace
    after: int
    gain: int


@dataclass(slots=True)
class _PlaceGains:
    """The joins at one place whose gain is known, of all ``seen``; ``asked`` counts what came when it had stopped."""

    seen: int = 0
    joins: float = 0.0
    gain: float = 0.0
    asked: int = 0

    def is_worth(self) -> bool:
        return self.joins < EVIDENCE or self.gain >= LEAST_GAIN * self.joins

    def follows(self) -> bool:
        """Whether to follow one more join."""
        self.seen += 1
        return self.seen <= FIRST or self.seen % EVERY == 0 or not self.is_worth()


class JoinWorth:
    """Observes joins and forks; says whether joins at a state's place were worth it.

    A place that has stopped is tried again at the second, fourth, eighth ... state that comes there. ``chain`` gives
    values under models; ``solver`` is asked whether a fork undoes a join, with as little work as it likes: where it
    does not know, the fork has not.
    """

    def __init__(self, chain: Chain, solver: Solver, counts: MergeCounts, name: Callable[[State], str]) -> None:
        self._chain = chain
        self._solver = solver
        self._counts = counts
        self._name = name
        self._followed: dict[int, list[_FollowedJoin]] = {}
        self._gains: dict[JoinPlace, _PlaceGains] = {}

    def may_join(self, state: State) -> bool:
        """Whether a state that arrives may be joined."""
        gains = self._gains.get(join_place(state))
        if gains is None or gains.is_worth():
            return True
        gains.asked += 1
        if gains.asked > 1 and not gains.asked & (gains.asked - 1):
            return True
        self._counts.stopped[self._name(state)] += 1
        return False

    def tell(self, event: Event) -> None:
        """Follow joins."""
        match event:
            case Joined(parents, state):
                self._join(parents, state)
            case Forked(parent, outcomes):
                for join in self._followed.pop(parent, ()):
                    self._fork(join, outcomes)
            case Ended() | Bounded() | Covered():
                for join in self._followed.pop(event.state.node, ()):
                    self._know(join.place, join.gain + AT_AN_END)
            case Dropped(state) | Left(state) | Moved(state):
                self._followed.pop(state.node, None)

    def _join(self, parents: Sequence[State], state: State) -> None:
        place, after = join_place(state), state.path.length
        joins = [join for parent in parents for join in self._followed.pop(parent.node, ())]
        joins = [replace(join, after=after) for join in joins]
        if isinstance(state.joined_under, Term) and self._gains.setdefault(place, _PlaceGains()).follows():
            joins.append(_FollowedJoin(state.joined_under, place, after, 0))
        if joins:
            self._followed[state.node] = joins[-MOST_FOLLOWED:]

    def _fork(self, join: _FollowedJoin, outcomes: Sequence[Outcome]) -> None:
        """A fork is about something else if the models of all outcomes agree on the guard. If not, a proof decides."""
        paths = [outcome.state.path for outcome in outcomes]
        values = [self._chain.evaluate(path, join.guard) for path in paths]
        undecided = list(outcomes)
        if len(set(values)) > 1:
            against = join.guard, build.negate(join.guard)
            each = zip(outcomes, paths, values, strict=True)
            undecided = [
                outcome for outcome, path, value in each if not self._excludes(path, join.after, against[value])
            ]
        if not undecided:
            self._know(join.place, join.gain)
            self._counts.undone += 1
        after = replace(join, gain=join.gain + 1) if len(undecided) == len(outcomes) else join
        for outcome in undecided:
            self._followed.setdefault(outcome.state.node, []).append(after)

    def _excludes(self, path: PathCondition, after: int, condition: Value) -> bool:
        """Whether what a path has added since the join excludes a condition, by construction or for a cheap solver."""
        together = build.conjunction([*path.constraints(after), condition])
        if not isinstance(together, Term):
            return not together
        return isinstance(self._solver.check([together]), Unsat)

    def _know(self, place: JoinPlace, gain: int) -> None:
        gains = self._gains[place]
        if gains.joins >= MEMORY:
            gains.joins, gains.gain = gains.joins / 2, gains.gain / 2
        gains.joins += 1
        gains.gain += gain


class WorthSimilarity:
    """A similarity that refuses pairs at places where joins were not worth it."""

    def __init__(self, similarity: Similarity, worth: JoinWorth) -> None:
        self.unlike = similarity.unlike
        self._similarity = similarity
        self._worth = worth
        self._arrived: tuple[int, int] | None = None
        self._may_join = True

    def differs(self, a: State, b: State) -> Refusal | None:
        """``b`` arrives; it is looked at once for all that wait."""
        arrived = b.node, b.instructions
        if arrived != self._arrived:
            self._arrived, self._may_join = arrived, self._worth.may_join(b)
        return self._similarity.differs(a, b) if self._may_join else UNDONE

    def signature(self, state: State) -> int:
        return self._similarity.signature(state)


def join_place(state: State) -> JoinPlace:
    """Where a state rests; None if it has returned from everything."""
    if not state.frames:
        return None
    top = state.frames[-1]
    return top.function, top.block, top.index
