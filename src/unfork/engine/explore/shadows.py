"""The single paths that joined states stand for, followed fork by fork: counted, or estimated by samples of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from unfork.engine.explore.growth import Growth, LineFit
from unfork.engine.explore.path_sample import PathEstimate, PathSample, SampledPath, cut, groups_of, mean, spread, total
from unfork.engine.protocols.events import (
    Began,
    Bounded,
    Covered,
    Dropped,
    Ended,
    Event,
    Forked,
    Joined,
    Moved,
)
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition, Trail
from unfork.logic.solve.solver import Feasibility, Statistics, Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value


@dataclass(frozen=True, slots=True)
class PathCount:
    """The exact number of completed paths; None if it is not exact because of ``uncounted`` states, which ended.

    ``estimate`` is None if some of the paths were not followed at all.
    """

    paths: int | None
    uncounted: int
    fit: LineFit | None
    estimate: PathEstimate | None
    statistics: Statistics


class Shadows:
    """Observes a run and counts its single paths (Kuznetsov12, section 5.2).

    A joined path goes on as a shadow of the joined state, with its own condition and the guard of its side. Where
    the state forks, a path goes wherever it is feasible. A joined state keeps at most ``size`` paths, with weights.
    Law: the expected number of paths is that of a run without joins, and it is the number itself as long as no sample
    was cut. ``chain`` is not the exploration's, so that the run takes the same course with or without shadows.

    Not followed: paths of states that stand for more than the program does, or come from another process or go to one.
    """

    def __init__(self, chain: Chain, size: int, chance: Random) -> None:
        self._chain = chain
        self._size = size
        self._chance = chance
        self._groups = groups_of(size)
        self._samples: dict[int, PathSample] = {}
        """Of waiting states, by node; any other waiting state is one path."""
        self._waiting = 0
        self._multiplicities: dict[int, int] = {}
        """Of waiting states, by node, if it is not 1."""
        self._multiplicity = 0
        self._explored = [0.0] * self._groups
        """Paths that ended, except in silence, in each independent sample."""
        self._completed = [0.0] * self._groups
        self._ended_samples = 0
        self._uncounted = 0
        self._lost = 0
        self._is_exact = True
        self._is_whole = True
        """Whether all paths are followed. Otherwise none is any more."""
        self._is_busy = False
        self._growth = Growth()

    def tell(self, event: Event) -> None:
        """Follow the paths of the event's states. After an interruption they stay where they were."""
        self._note_interruption()
        self._is_busy = True
        if self._is_whole:
            self._follow(event)
        elif isinstance(event, Ended) and _is_completed(event.outcome):
            self._uncounted += event.outcome.state.multiplicity > 1
        self._is_busy = False

    def give_up(self) -> None:
        """From now on no path is followed, since an earlier process has explored a part."""
        self._is_whole = False
        self._samples.clear()
        self._multiplicities.clear()

    def _follow(self, event: Event) -> None:
        match event:
            case Began(states):
                self._begin(states)
            case Forked(parent, outcomes):
                self._fork(parent, outcomes)
            case Joined(parents, state):
                self._join(parents, state)
            case Ended(outcome):
                self._end(outcome)
            case Bounded(state, _) | Covered(state, _) | Dropped(state):
                self._leave(state.node, is_completed=False)
            case Moved():
                self.give_up()

    def count(self) -> PathCount:
        """The counts so far."""
        self._note_interruption()
        completed = mean(self._completed)
        paths = None if self._uncounted or not self._is_whole else int(completed)
        estimate = self._estimate(completed) if self._is_whole else None
        return PathCount(paths, self._uncounted, self._growth.fit(), estimate, self._chain.statistics)

    def forget(self) -> None:
        """Drop caches."""
        self._chain.forget()

    def close(self) -> None:
        """Stop counting."""
        self._chain.solver.close()

    def _estimate(self, completed: float) -> PathEstimate:
        explored = self._explored_now()
        sampled = self._ended_samples + sum(len(sample.paths) for sample in self._samples.values())
        sampled += self._waiting - len(self._samples)
        is_exact = self._is_exact and not self._lost
        return PathEstimate(mean(explored), completed, spread(explored), sampled, self._lost, is_exact)

    def _explored_now(self) -> list[float]:
        """Paths that ended or wait, in each independent sample."""
        alone = self._waiting - len(self._samples)
        waiting = [total(sample.paths, self._groups) for sample in self._samples.values()]
        return [alone + ended + sum(sums[i] for sums in waiting) for i, ended in enumerate(self._explored)]

    def _note_interruption(self) -> None:
        """Note that the paths of the last event could not be placed in time."""
        if self._is_busy:
            self._is_busy, self._lost = False, self._lost + 1

    # --- events: first all is computed, which may be interrupted, then it is kept

    def _begin(self, states: Sequence[State]) -> None:
        for state in states:
            self._put(state, None)

    def _fork(self, parent: int, outcomes: Sequence[Outcome]) -> None:
        before = self._samples.get(parent)
        after = [None] * len(outcomes) if before is None else self._placed(before, [it.state.path for it in outcomes])
        self._remove(parent)
        for outcome, sample in zip(outcomes, after, strict=True):
            self._put(outcome.state, sample)
        self._mark()

    def _join(self, parents: Sequence[State], state: State) -> None:
        if state.over:
            self.give_up()
            return
        guard = state.joined_under
        samples = [self._sample_of(parent) for parent in parents]
        sides = zip(samples, (1, 0), strict=True)
        paths = [each.on_side(guard, side) for sample, side in sides for each in sample.paths]
        kept = tuple(cut(paths, self._size, self._chance))
        is_exact = len(paths) <= self._size and all(sample.is_exact for sample in samples)
        for parent in parents:
            self._remove(parent.node)
        self._put(state, PathSample(state.path, kept, is_exact))
        self._is_exact = self._is_exact and is_exact

    def _end(self, outcome: Halted | Failed | Killed) -> None:
        state = outcome.state
        before = self._samples.get(state.node)
        if before is not None:
            (after,) = self._placed(before, [state.path])
            self._samples[state.node] = after
        if isinstance(outcome, Halted) and outcome.end == "silent":
            self._remove(state.node)
        else:
            self._leave(state.node, is_completed=_is_completed(outcome))
        self._mark()

    def _mark(self) -> None:
        """Add a point of the growth if it is due."""
        if self._growth.is_due(self._multiplicity):
            self._growth.note(self._multiplicity, mean(self._explored_now()))

    # --- states

    def _put(self, state: State, sample: PathSample | None) -> None:
        """A state waits from now on."""
        self._waiting += 1
        if sample is not None:
            self._samples[state.node] = sample
        if state.multiplicity != 1:
            self._multiplicities[state.node] = state.multiplicity
        self._multiplicity += state.multiplicity

    def _remove(self, node: int) -> PathSample | None:
        """A state no longer waits."""
        self._waiting -= 1
        self._multiplicity -= self._multiplicities.pop(node, 1)
        return self._samples.pop(node, None)

    def _leave(self, node: int, *, is_completed: bool) -> None:
        """A state ended: its paths stay explored."""
        multiplicity = self._multiplicities.get(node, 1)
        sample = self._remove(node)
        self._multiplicity += multiplicity
        sums = (1.0,) * self._groups if sample is None else total(sample.paths, self._groups)
        self._ended_samples += 1 if sample is None else len(sample.paths)
        self._explored = [a + b for a, b in zip(self._explored, sums, strict=True)]
        if is_completed:
            self._completed = [a + b for a, b in zip(self._completed, sums, strict=True)]
            self._uncounted += sample is not None and not sample.is_exact

    # --- paths

    def _sample_of(self, parent: State) -> PathSample:
        """The sample of a waiting state at its present conditions."""
        sample = self._samples.get(parent.node)
        if sample is None:
            return PathSample(parent.path, (SampledPath(parent.path, {}, (1.0,) * self._groups),))
        (placed,) = self._placed(sample, [parent.path])
        return placed

    def _placed(self, before: PathSample, ends: Sequence[PathCondition]) -> list[PathSample]:
        """The paths that went on to each of the ``ends`` of their state, which exclude each other."""
        added = [_since(before.known.trail, end.trail) for end in ends]
        shared = _shared(added)
        conditions = [build.conjunction(each[shared:]) for each in added]
        common = build.conjunction(added[0][:shared])
        lost = self._lost
        sides: list[list[SampledPath]] = [[] for _ in ends]
        for sampled in before.paths:
            for here in self._assumed(sampled, common):
                for side, path in zip(sides, self._sorted(here, conditions), strict=True):
                    side += path
        is_exact = before.is_exact and lost == self._lost
        return [PathSample(end, tuple(side), is_exact) for end, side in zip(ends, sides, strict=True)]

    def _sorted(self, sampled: SampledPath, conditions: Sequence[Value]) -> list[list[SampledPath]]:
        """The path under each of the conditions on which it is feasible."""
        if len(conditions) == 2 and conditions[1] == build.negate(conditions[0]):
            sides = self._chain.branch(sampled.path, sampled.read(conditions[0]))
            return [self._feasible(sampled, side) for side in sides]
        return [self._assumed(sampled, condition) for condition in conditions]

    def _assumed(self, sampled: SampledPath, condition: Value) -> list[SampledPath]:
        """The path on which a condition of its state holds too; none if it is not feasible."""
        return self._feasible(sampled, self._chain.assume(sampled.path, sampled.read(condition)))

    def _feasible(self, sampled: SampledPath, side: Feasibility) -> list[SampledPath]:
        if isinstance(side, Unknown):
            self._lost += 1
            return []
        if not isinstance(side, PathCondition):
            return []
        return [sampled if side is sampled.path else replace(sampled, path=side)]


def _is_completed(outcome: Halted | Failed | Killed) -> bool:
    return not isinstance(outcome, Killed) and not (isinstance(outcome, Halted) and outcome.end == "silent")


def _since(known: Trail | None, trail: Trail | None) -> list[Term]:
    """The conditions after ``known``, in order; all if the trail does not begin with ``known``."""
    added: list[Term] = []
    while trail is not None and trail is not known:
        trail, condition = trail
        added.append(condition)
    added.reverse()
    return added


def _shared(added: Sequence[Sequence[Term]]) -> int:
    """How many conditions all begin with."""
    first = added[0]
    count = 0
    while all(len(each) > count for each in added) and all(each[count] is first[count] for each in added):
        count += 1
    return count
