"""--loops abstract: a loop is taken for any number of turns at once (Steinhoefel's loop analysis).

Iterations with a single path run concretely. Then a path at a loop goes on as two kinds of paths: those of its first
iteration, run concretely; and those that follow on any other iteration. For these, modified values are havocked
(havoc.py), except numbers that grow by a constant, which are functions of the number of iterations, and under
everything proved to hold at the beginning of each iteration (houdini.py). So they stand for more than the program
does: they may prove, but their failures are alarms. A loop that modifies more than numbers runs turn by turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.protocols.outcome import Failed, Fault, Killed, Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import CellsOfSymbols
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.stack_trace import StackTraces
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.solve.chain import Chain
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.merge_points import MergePoints, union
from unfork.program.facts.nearest import position_at
from unfork.program.llvm.module import Function
from unfork.reduce.invariants.array_invariants import (
    ElementBound,
    OfArray,
    Within,
    changed_arrays,
    havoc_arrays,
    open_arrays,
)
from unfork.reduce.invariants.candidates import Candidate, Stated, StatedInvariant, condition_of
from unfork.reduce.invariants.cells import NotAbstract
from unfork.reduce.invariants.havoc import Fresh, GeneralIteration, havoc
from unfork.reduce.invariants.houdini import NOT_AT_FIRST, Run, inductive, refuted_at_first, run_once
from unfork.reduce.invariants.modified_set import ModifiedSet, check_remembered, no_strides
from unfork.reduce.invariants.proposals import Proposals

MOST_STEPS = 512
"""A loop with more steps per turn, inner loops included, runs turn by turn."""
MOST_FOLLOWED = 8
"""If a turn ends on more paths, its successors do not distinguish them."""
MOST_KNOWN = 1024
"""Turns with a single path to run concretely; further ones are general."""
MOST_KNOWN_OF_ARRAYS = 16
"""The same where arrays are filled or searched; then all of them are general."""
MOST_NESTED = 8
"""More deeply nested loops run turn by turn."""
NOT_IN_TURN = "in a turn that is run as it is"


@dataclass(frozen=True, slots=True)
class Taken:
    """How a loop was taken: what it modifies, and what holds whenever an iteration begins."""

    function: Function
    head: int
    modified: ModifiedSet
    kept: tuple[Candidate, ...]
    over: tuple[State, ...]
    """The ends of the general iteration."""
    any: GeneralIteration
    """The beginning of the general iteration."""


@dataclass(frozen=True, slots=True)
class LoopRequest:
    """The user's requirements: loops of ``others``, and those in whose turns ``watched`` functions begin, run turn
    by turn; each loop's ``invariants`` are proved. ``takes_arrays``: arrays may become objects of any length.
    """

    others: Collection[str]
    watched: Collection[str]
    invariants: Callable[[Function, int], Sequence[Stated]]
    notices_unwritten: bool
    takes_arrays: bool


class AbstractLoops:
    """A stepper that takes loops of the program's own functions for any number of turns at once.

    Loops for which that is impossible run turn by turn; ``refused`` says why, and ``taken`` how others were taken.
    """

    def __init__(
        self,
        stepper: Stepper,
        chain: Chain,
        fresh: Fresh,
        facts: FactsTable,
        traces: StackTraces,
        coverage: BranchCoverage,
        wanted: LoopRequest,
    ) -> None:
        self._stepper = stepper
        self._chain = chain
        self._fresh = fresh
        self._cells = CellsOfSymbols()
        self._facts = facts
        self._traces = traces
        self._coverage = coverage
        self.wanted = wanted
        self._heads = YieldPoints(self._heads_of)
        self._with_heads: dict[YieldPoints, YieldPoints] = {}
        self._said: set[StatedInvariant] = set()
        self.rehearsals = 0
        """Above 0 while turns run only to find invariants: events in them may be impossible."""
        self.performs = False
        """Whether a turn runs once more under the final invariants, for an onlooker."""
        self.taken: dict[tuple[Function, int], Taken] = {}
        self.refused: dict[tuple[Function, int], str] = {}

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """A step of the machine, or a whole loop if the state is at its head."""
        return self._step(state, self._with_loop_heads(yield_points), 0, is_taken=self._is_to_be_taken(state))

    def _step(self, state: State, yield_points: YieldPoints, nested: int, *, is_taken: bool) -> list[Outcome]:
        alarms = list(self._unproved(state, NOT_AT_FIRST if is_taken else NOT_IN_TURN))
        outcomes = self._loop(state, nested) if is_taken else None
        return [*alarms, *(self._stepper.step(state, yield_points) if outcomes is None else outcomes)]

    # --- resting places

    def _heads_of(self, function: Function) -> MergePoints:
        is_own = function.name not in self.wanted.others
        heads = self._facts[function].flow.loop_heads if is_own else ()
        return MergePoints(frozenset(heads), frozenset(), lambda block, index: False)

    def _with_loop_heads(self, yield_points: YieldPoints) -> YieldPoints:
        known = self._with_heads.get(yield_points)
        if known is None:
            known = self._with_heads[yield_points] = YieldPoints(union(yield_points.places, self._heads_of))
        return known

    def _is_to_be_taken(self, state: State) -> bool:
        """Whether the state is at the head of a loop that may be taken for any number of turns."""
        frame = state.frames[-1]
        return frame.index == 0 and frame.block not in frame.turning and self._heads.is_at(state)

    # --- a loop

    def _loop(self, state: State, nested: int) -> list[Outcome] | None:
        """The outcomes of the loop at whose head the state is; None if it must run turn by turn."""
        entry = state
        try:
            if nested > MOST_NESTED:
                raise NotAbstract("it is nested too deep")
            entry, first = self._as_far_as_known(state, nested)
            return self._taken(entry, first, nested)
        except NotAbstract as refusal:
            if entry.proof.contents.keys() != state.proof.contents.keys():
                entry = state
            frame = entry.own_top()
            self.refused[frame.function, frame.block] = refusal.reason
            if refusal.for_good:
                frame.turning |= {frame.block}
            return None if entry is state else [Running(entry)]

    def _as_far_as_known(self, state: State, nested: int) -> tuple[State, Run]:
        """Runs turns that have a single path to the next turn; the state reached, and the turn from there."""
        begun, turn = state, self.run(state.fork(), nested)
        arrays: dict[int, None] = {}
        for known in range(MOST_KNOWN):
            if self.wanted.takes_arrays:
                arrays |= dict.fromkeys(changed_arrays(begun, turn.over))
            is_short = known < MOST_KNOWN_OF_ARRAYS or not (arrays or begun.proof.contents)
            if turn.others or len(turn.over) != 1 or not is_short:
                break
            [state] = turn.over
            turn = self.run(state.fork(), nested)
        if turn.over and (arrays or begun.proof.contents):
            self.forget(_states(turn))
            state = open_arrays(begun, list(arrays), self._cells, self._fresh) if arrays else begun
            turn = self.run(state.fork(), nested)
        return state, turn

    def _taken(self, entry: State, first: Run, nested: int) -> list[Outcome]:
        """The outcomes of a loop whose ``first`` iteration is known and that begins in ``entry``."""
        if not first.over:
            return first.others
        self.check_numbers(entry, first)
        function, head = entry.frames[-1].function, entry.frames[-1].block
        modified = ModifiedSet(entry, first.over, no_strides)
        modified.update(self._chain, entry, first.over)
        stated = self.wanted.invariants(function, head)
        rehearsal = _Rehearsal(self, entry, first, nested)
        self.rehearsals += 1
        try:
            proposals = Proposals(self._chain, entry, first.over)
            found = inductive(self._chain, rehearsal, modified, stated, proposals)
        except NotAbstract:
            self.forget(_states(first))
            self.forget(_states(rehearsal.run))  # the path runs again
            raise
        finally:
            self.rehearsals -= 1
        if self.performs:
            rehearsal.over(found.iteration.state)
        self.refused.pop((function, head), None)
        self.taken[function, head] = Taken(
            function, head, modified, found.kept, tuple(rehearsal.run.over), found.iteration
        )
        alarms = list(self._broken(entry, {each.invariant: reason for each, reason in found.lost.items()}))
        outcomes = [*first.others, *self._following(rehearsal.run, nested)]
        self.forget(first.over)
        return [*outcomes, *alarms]

    def _following(self, turn: Run, nested: int) -> list[Outcome]:
        """The outcomes of the turns that follow on any turn.

        If a turn reads unwritten bytes, more paths end there than in the program: general terms depend on more. So
        these alarms stay.
        """
        if len(turn.over) > MOST_FOLLOWED:
            self.forget(turn.over)
            return turn.others
        outcomes: list[Outcome] = [
            each for each in turn.others if isinstance(each, Failed) and each.fault.kind == UNINITIALISED
        ]
        for state in turn.over:
            following = self.run(state.fork(), nested)
            outcomes += following.others
            self.forget(following.over)
        self.forget([outcome.state for outcome in turn.others if outcome not in outcomes])
        return outcomes

    def _unproved(self, state: State, reason: str) -> Iterator[Outcome]:
        """Alarms for stated invariants that are not proved at the loop of a state."""
        frame = state.frames[-1] if state.frames else None
        if self.rehearsals or frame is None or frame.index or not self._heads.is_at(state):
            return
        broken = refuted_at_first(self._chain, self.wanted.invariants(frame.function, frame.block), state)
        yield from self._broken(state, {each.invariant: reason for each in broken})

    def _broken(self, entry: State, invariants: Mapping[StatedInvariant, str]) -> Iterator[Outcome]:
        """Alarms for the loop's stated invariants that are not proved, with reasons."""
        for invariant, reason in invariants.items():
            if invariant not in self._said:
                self._said.add(invariant)
                state = entry.fork()
                state.over = True
                frame = state.frames[-1]
                position = position_at(frame.function, frame.block, 0)
                message = f"the invariant {invariant.text} is not proved {reason}: nothing is concluded from it"
                yield Failed(state, Fault("contract", message, position, self._traces.of(state, position)))

    def any(self, modified: ModifiedSet) -> GeneralIteration:
        """A general iteration, with modified values havocked."""
        return havoc(modified, self._fresh, notices_unwritten=self.wanted.notices_unwritten)

    def havoc_arrays(self, state: State, modified: ModifiedSet, candidates: Sequence[OfArray]) -> None:
        """Havoc modified arrays under the candidates, and let the state know these."""
        if modified.objects or candidates:
            havoc_arrays(state, modified.objects, candidates, self._cells, self._fresh)

    def check_numbers(self, begun: State, run: Run) -> None:
        """Raise NotAbstract if an iteration modifies more than numbers: it had better run turn by turn."""
        for outcome in run.others:
            if isinstance(outcome, Killed) and begun.over:
                raise NotAbstract(f"with any numbers, it comes to {outcome.detail}")
        for state in run.over:
            check_remembered(begun, state)
            if state.output is not begun.output:
                raise NotAbstract("it prints")
            if state.proof.contents != begun.proof.contents and not self.wanted.takes_arrays:
                raise NotAbstract("it writes an object of any length")
            _check_registers(begun, state)
            self._check_objects(begun, state)

    def _check_objects(self, begun: State, state: State) -> None:
        mine, other = begun.memory.objects, state.memory.objects
        for number in sorted({**mine.held, **other.held}):
            before, after = mine.get(number), other.get(number)
            if before is None and after is not None and after.kind != "heap":
                # once made, it has a name by which the next iteration finds it
                raise NotAbstract("it is the first to use an object", for_good=False)
            if before is None and after is not None:
                # addresses as numbers may lead there in later turns, and every turn begins without it
                raise NotAbstract("it allocates memory that outlives the turn")
            if after is None and before is not None and before.kind == "stack":
                # the next iteration begins without it
                raise NotAbstract("it leaves the scope of a local", for_good=False)

    # --- an iteration

    def run(self, state: State, nested: int) -> Run:
        """Run a state from the head of a loop, once through it."""
        frame, depth, begun = state.frames[-1], len(state.frames), state.instructions
        blocks = self._facts[frame.function].flow.loops.get(frame.block)
        if blocks is None:
            raise NotAbstract("it may be entered in several places")

        def stepped(current: State) -> list[Outcome]:
            is_taken = current.instructions != begun and self._is_to_be_taken(current)
            outcomes = self._step(current, self._heads, nested + 1, is_taken=is_taken)
            for outcome in outcomes:
                if isinstance(outcome, Running) and len(outcome.state.frames) > depth:
                    self._check_watched(outcome.state)
            return outcomes

        return run_once(state, blocks, stepped, MOST_STEPS, self._chain.deadline)

    def _check_watched(self, state: State) -> None:
        """Raise NotAbstract in a function that must be seen."""
        function = state.frames[-1].function
        if function.name in self.wanted.watched:
            raise NotAbstract(f"it calls {function.source_name}, of which contracts speak")

    def forget(self, states: Iterable[State]) -> None:
        """The edges that these states covered first count as uncovered again."""
        for state in states:
            self._coverage.forget(state.pending)


class _Rehearsal:
    """A loop run to find invariants; ``run`` is the result of the last iteration."""

    def __init__(self, loops: AbstractLoops, entry: State, first: Run, nested: int) -> None:
        self._loops = loops
        self._entry = entry
        self._first = first
        self._nested = nested
        self.run = Run()

    def begin(self, modified: ModifiedSet, candidates: Sequence[Candidate]) -> GeneralIteration:
        if self._loops.wanted.notices_unwritten:
            _check_written(modified, self._entry, self._first)
        iteration = self._loops.any(modified)
        arrays = [each for each in candidates if isinstance(each, ElementBound | Within)]
        for each in candidates:
            if each not in arrays:
                iteration.assume(condition_of(each, iteration.state, iteration.before))
        self._loops.havoc_arrays(iteration.state, modified, arrays)
        return iteration

    def over(self, begun: State) -> Sequence[State]:
        """Its ends; the edges that the previous iteration covered first count as uncovered again."""
        self._loops.forget(_states(self.run))
        self.run = Run()
        self.run = self._loops.run(begun.fork(), self._nested)
        self._loops.check_numbers(begun, self.run)
        return self.run.over


def _states(run: Run) -> list[State]:
    return [*run.over, *[outcome.state for outcome in run.others]]


def _check_registers(begun: State, over: State) -> None:
    """Raise NotAbstract if a register of the loop's head is dead at one end of an iteration only."""
    before, after = begun.frames[-1], over.frames[-1]
    for phi in before.function.blocks[before.block].phis:
        if (before.registers[phi.result] is None) != (after.registers[phi.result] is None):
            raise NotAbstract("what changes is no number")


def _check_written(modified: ModifiedSet, entry: State, first: Run) -> None:
    """Raise NotAbstract if a loop is the first to write a modified value: for good, if later iterations may be, too.

    A register or a copy may be unwritten in any iteration, unless the first writes everything that was not.
    """
    looked_at = (entry, *first.over)
    unwritten = [cell for cell in modified.cells if any(cell.is_unwritten(state) for state in looked_at)]
    if unwritten:
        left = any(cell.is_unwritten_around(state) for cell in unwritten for state in first.over)
        raise NotAbstract("it writes memory for the first time", for_good=left)
    unwritten = [cell for cell in modified.cells if cell.may_be_unwritten(entry)]
    if unwritten and not any(cell.may_be_unwritten(state) for cell in modified.unwritten for state in first.over):
        raise NotAbstract("it writes a variable for the first time", for_good=False)
