"""The siblings of a failing path: all inputs with which a function decides as it did there, up to where it failed.

The path is followed once, as the values that it was found with lead it. Then all first states go the same way, block by
block: one that goes another way is no sibling. Some fail as the path did, others may come by there unharmed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from unfork.contracts.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.contracts.stepper import YieldPoints
from unfork.execute.conduct import Conduct
from unfork.execute.coverage import BranchCoverage
from unfork.execute.follow import Guided, follow
from unfork.execute.machine import Machine
from unfork.inputs.testcase import error_of
from unfork.llvm.module import Function
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import Feasibility
from unfork.logic.term import Term, Value
from unfork.replay.walk import of_own_blocks
from unfork.state.lazy import LazyHeap
from unfork.state.state import State

MOST_STEPS = 20_000
"""Steps for all siblings of a path: if there are more, it is not known what becomes of them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path rests: how many frames there are, and the block of the innermost one."""

    depth: int
    function: Function
    block: int
    index: int


@dataclass(frozen=True, slots=True)
class Sibling:
    """A path that decided alike. ``lengths`` are those of its path condition wherever it rested; if it failed because
    a condition (1 bit) did not hold, that is ``required``.
    """

    state: State
    lengths: tuple[int, ...]
    required: Value = 1


@dataclass(frozen=True, slots=True)
class Siblings:
    """Where all of them went (``places``), which of them failed alike, and which came by there unharmed. As soon as
    there is one of each with the pointers of the path, others are not looked for.

    ``granted`` is what accesses and other checks took for granted, which is no decision of the function.
    ``undecided`` says why there may be others.
    """

    places: tuple[Place, ...]
    failing: tuple[Sibling, ...]
    surviving: tuple[Sibling, ...]
    granted: frozenset[Term]
    undecided: str | None


class _ByModel:
    """Guides a path as a model of its path condition does."""

    def __init__(self) -> None:
        self.model = Model({})

    def decide(self, condition: Value) -> bool:
        return evaluate(condition, self.model) != 0

    def choose(self, value: Value) -> int:
        return evaluate(value, self.model)

    def knows(self, condition: Value) -> bool:
        return not isinstance(condition, Term) and condition != 0

    def worth(self, value: Value) -> int:
        return evaluate(value, self.model)


class _Granting(Conduct):
    """All that is feasible happens; what checks and assumptions took for granted is noted."""

    def __init__(self, chain: Chain, questions: Conduct) -> None:
        super().__init__(chain, questions.source)
        self.granted: set[Term] = set()
        self.failing: list[tuple[PathCondition, Value]] = []
        """Where a check of the step failed, and what it required."""

    def assumption(self, path: PathCondition, condition: Value) -> Feasibility:
        good = super().assumption(path, condition)
        self._note(path, good)
        return good

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        good, bad = super().check(path, condition, kind)
        self._note(path, good)
        if isinstance(bad, PathCondition):
            self.failing.append((bad, condition))
        return good, bad

    def required_of(self, failed: State) -> Value:
        """What a check required of a state that failed it in the last step; 1 if it failed whatever it holds."""
        return next((condition for path, condition in self.failing if path is failed.path), 1)

    def _note(self, path: PathCondition, good: Feasibility) -> None:
        if isinstance(good, PathCondition):
            self.granted.update(good.constraints(path.length))


class Family:
    """Finds the siblings of paths of one function. ``machine`` takes loops turn by turn; ``first`` makes its states."""

    def __init__(self, machine: Machine, chain: Chain, first: Callable[[Machine], list[State]]) -> None:
        self._guide = _ByModel()
        source = machine.step_of_instructions().source
        self._leading = machine.following(Conduct(Guided(self._guide), source), BranchCoverage())
        self._granting = _Granting(chain, Conduct(chain, source))
        self._machine = machine.following(self._granting, BranchCoverage())
        self._first = first
        self._rest = YieldPoints(partial(of_own_blocks, machine.program))

    def of(self, failed: Failed) -> Siblings | None:
        """The siblings of a path that failed; None if it cannot be followed."""
        places = self._places(failed)
        return None if places is None else self._along(places, failed)

    def _places(self, failed: Failed) -> list[Place] | None:
        """Where the path rested."""
        self._guide.model = failed.state.path.model()
        given = failed.state.lazy

        def agreeing(outcomes: list[Outcome]) -> list[Outcome]:
            left = [each for each in outcomes if not isinstance(each, Killed)] or outcomes
            return [each for each in left if agrees(each.state.lazy, given)]

        started = agreeing([Running(state) for state in self._first(self._leading)])
        if len(started) != 1:
            return None
        places: list[Place] = []
        for outcome in follow(self._leading, started[0].state, self._rest, agreeing):
            if isinstance(outcome, Running):
                if self._rests(outcome.state):
                    places.append(_place(outcome.state))
            elif isinstance(outcome, Failed) and error_of(outcome.fault) == error_of(failed.fault):
                return places
        return None

    def _along(self, places: Sequence[Place], failed: Failed) -> Siblings:
        self._granting.granted.clear()
        failing, surviving, undecided = list[Sibling](), list[Sibling](), None
        waiting: list[tuple[State, tuple[int, ...]]] = []
        for state in self._first(self._machine):
            lengths = (state.path.length,) if self._rests(state) else ()
            waiting.append((state, lengths))
        error, given, steps = error_of(failed.fault), failed.state.lazy, 0
        is_alike = [False, False]
        while waiting and not all(is_alike):
            state, lengths = waiting.pop()
            steps += 1
            if steps > MOST_STEPS:
                undecided = "too many paths decide alike"
                break
            is_last = len(lengths) == len(places)
            self._granting.failing.clear()
            for outcome in self._machine.step(state, self._rest):
                after = outcome.state
                match outcome:
                    case Running() if not self._rests(after):
                        waiting.append((after, lengths))
                    case Running() if is_last:
                        surviving.append(Sibling(after, lengths))
                        is_alike[0] |= agrees(given, after.lazy)
                    case Running():
                        if _place(after) == places[len(lengths)]:
                            waiting.append((after, (*lengths, after.path.length)))
                    case Failed(_, other) if is_last and error_of(other) == error:
                        failing.append(Sibling(after, lengths, self._granting.required_of(after)))
                        is_alike[1] |= agrees(after.lazy, given)
                    case Halted(_, end, _) if is_last and end != "silent":
                        surviving.append(Sibling(after, lengths))
                    case Killed(_, reason, detail) if reason in ("solver-unknown", "unsupported"):
                        undecided = detail
                    case _:
                        pass
        return Siblings(tuple(places), tuple(failing), tuple(surviving), frozenset(self._granting.granted), undecided)

    def _rests(self, state: State) -> bool:
        return self._rest.is_at(state)


def agrees(lazy: LazyHeap, given: LazyHeap) -> bool:
    """Whether what a path has looked at of its input heap is as in another one's, as far as that has looked at it."""
    return all(
        not isinstance(mine.value, int) or mine.value == other.value
        for mine, other in zip(lazy.arguments, given.arguments, strict=False)
    ) and all(given.pointers.get(key, address) == address for key, address in lazy.pointers.items())


def _place(state: State) -> Place:
    frame = state.frames[-1]
    return Place(len(state.frames), frame.function, frame.block, frame.index)
