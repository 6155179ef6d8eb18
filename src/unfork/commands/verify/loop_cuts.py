"""Loops with contracts in proofs: the head havocs what the loop modifies and assumes its invariants.

The invariants are proved where the loop begins. A path that comes back proves them again and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import gcd

from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import LoopTurn
from unfork.commands.verify.frame import ClauseFrame
from unfork.commands.verify.obligations import Obligations, Subject
from unfork.engine.explore.unwind import activation_of
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.expression_meaning import Where
from unfork.engine.meaning.pointers import leads_nowhere, targets
from unfork.engine.protocols.outcome import Halted, Killed, Outcome, Running
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import CellsOfSymbols, linear
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.contracts import LoopContract
from unfork.program.facts.function_facts import FactsTable
from unfork.reduce.invariants.candidates import Candidate, condition_of
from unfork.reduce.invariants.cells import Cell, NotAbstract
from unfork.reduce.invariants.havoc import GeneralIteration, havoc, havoc_contents
from unfork.reduce.invariants.houdini import Sought, inductive, run_once
from unfork.reduce.invariants.modified_set import COUNT_BITS, ModifiedSet, Stride

MOST_STEPS = 4096
"""The most steps to explore what an iteration modifies."""
MOST_LOOKS = 64
"""The most explorations of an iteration."""


@dataclass(frozen=True, slots=True)
class LoopCut(LoopTurn):
    """A general iteration, and what must hold at its end."""

    modified: ModifiedSet
    candidates: Sequence[Candidate]
    """Further facts that are proved of any iteration."""
    variant: CValue | None
    frame: ClauseFrame | None


class LoopCuts:
    """Cuts paths at loops with contracts. ``fresh`` numbers havocked values."""

    def __init__(
        self,
        conditions: ContractConditions,
        facts: FactsTable,
        cells: CellsOfSymbols,
        obligations: Obligations,
        fresh: Callable[[], int],
        sought: Sought,
        step: Callable[[State], list[Outcome]],
    ) -> None:
        self._conditions = conditions
        self._facts = facts
        self._cells = cells
        self._obligations = obligations
        self._chain = obligations.chain
        self._fresh = fresh
        self._sought = sought
        self._step = step
        """A step of the proof that reports nothing."""
        self.first: Where | None = None
        """Where the current paths began."""

    def at_head(self, state: State, loop: LoopContract) -> list[Outcome]:
        head = (len(state.frames) - 1, state.frames[-1].block)
        cut = state.proof.cuts.get(head)
        if not isinstance(cut, LoopCut):
            return [Running(self._begin(state, loop))]
        if not self._obligations.mute:  # else it is a loop within one that is looked at
            if cut.modified.update(self._chain, cut.begun, [state]):
                again = self.any_iteration(cut.modified, loop, cut.candidates)
                return [Running(again.state)]  # joins modified what no look has seen
            self._prove_kept(state, loop, cut)
        return [Halted(state, "silent", 0)]

    def _begin(self, entry: State, loop: LoopContract) -> State:
        where = self._where(entry, loop, entry, entry)
        self._obligations.prove_all(self._conditions.invariants("invariant at first", loop, where), entry)
        if loop.assigns is not None:
            self._obligations.prove(ClauseFrame(self._conditions.meaning, loop.assigns).at_first(), entry)
        stated = self._sought.stated(entry.frames[-1].function, entry.frames[-1].block)
        look, proposals = _Look(self, loop), self._sought.proposals(entry)
        self._obligations.mute += 1
        try:
            found = inductive(self._chain, look, ModifiedSet(entry, (), stride), stated, proposals)
        finally:
            self._obligations.mute -= 1
        for each, reason in found.lost.items():
            subject = Subject("invariant", each.invariant.file, each.invariant.line, each.invariant.text)
            self._obligations.fail(subject, f"it is not proved {reason}: nothing is concluded from it")
        return found.iteration.state

    def any_iteration(
        self, modified: ModifiedSet, loop: LoopContract, candidates: Sequence[Candidate]
    ) -> GeneralIteration:
        """An iteration before which modified locations hold anything that meets candidates and invariants."""
        conditions = self._conditions
        frame = None if loop.assigns is None else ClauseFrame(conditions.meaning, loop.assigns)
        entry = modified.entry

        def listed(state: State, number: int) -> list[tuple[Value, Value]] | None:
            where = self._where(state if loop.mathematical else entry, loop, entry, state)
            return None if frame is None else frame.ranges(where, number)

        iteration = havoc(modified, self._symbol, notices_unwritten=True)
        begun = iteration.state
        havoc_contents(begun, modified, self._cells, listed)
        for each in candidates:
            iteration.assume(condition_of(each, begun, iteration.before))
        where = self._where(begun, loop, entry, begun)
        for goal in conditions.invariants("invariant", loop, where):
            self._obligations.assume(begun, goal.formula)
        variant = conditions.variant(loop, where)
        function, block = begun.frames[-1].function, begun.frames[-1].block
        blocks = frozenset(self._facts[function].flow.loops[block])
        cut = LoopCut(loop, activation_of(begun), blocks, entry, begun.fork(), modified, candidates, variant, frame)
        head = (len(begun.frames) - 1, block)
        begun.proof = replace(begun.proof, cuts={**begun.proof.cuts, head: cut}, handled=begun.instructions)
        return iteration

    def over(self, begun: State) -> list[State]:
        frame = begun.frames[-1]
        blocks = self._facts[frame.function].flow.loops[frame.block]
        run = run_once(begun, blocks, self._step, MOST_STEPS, self._chain.deadline)
        for outcome in run.others:
            if isinstance(outcome, Killed):
                raise NoMeaning(outcome.detail)
        return run.over

    def _prove_kept(self, state: State, loop: LoopContract, cut: LoopCut) -> None:
        conditions, obligations = self._conditions, self._obligations
        where = self._where(state, loop, cut.entry, cut.begun)
        before = state.fork()
        obligations.prove_all(conditions.invariants("invariant kept", loop, where), state)
        for goal in conditions.progress(loop, cut.variant, where):
            obligations.prove(goal, before)
        if cut.frame is None:
            return
        locals = cut.locals()
        if not loop.mathematical:
            # CBMC's loops list what their places are where the loop is entered.
            entry = self._where(cut.entry, loop, cut.entry, cut.entry)
            for goal in cut.frame.written(before, cut.begun, (entry,), locals):
                obligations.prove(goal, before)
        else:
            begun = self._where(cut.begun, loop, cut.entry, cut.begun)
            for goal in cut.frame.written(before, cut.begun, (where, begun), locals):
                obligations.prove(goal, before)
            for goal in cut.frame.lost(begun, where, cut.modified.objects):
                obligations.prove(goal, before)

    def _symbol(self, prefix: str, width: int) -> Term:
        return symbol(f"{prefix}{self._fresh()}", width)

    def _where(self, state: State, loop: LoopContract, entry: State, current: State) -> Where:
        return self._conditions.in_loop(state, loop, self.first, entry, current)


@dataclass(slots=True)
class _Look:
    """A loop that is run to see what an iteration modifies and preserves."""

    cuts: LoopCuts
    contract: LoopContract
    times: int = 0

    def begin(self, modified: ModifiedSet, candidates: Sequence[Candidate]) -> GeneralIteration:
        self.times += 1
        if self.times > MOST_LOOKS:
            raise NotAbstract("it modifies more and more memory")
        return self.cuts.any_iteration(modified, self.contract, candidates)

    def over(self, begun: State) -> Sequence[State]:
        return self.cuts.over(begun.fork())


# --- where the pointers lead that a loop modifies: memory locations in one object, at equal distances


def stride(cell: Cell, known: Stride | None, states: Sequence[State]) -> Stride:
    """The smallest stride that covers a pointer's targets. Raises NotAbstract for several objects."""
    if cell.width != COUNT_BITS:
        raise NotAbstract("it changes a pointer together with what is beside it")
    for state in states:
        if cell.is_unwritten(state):
            continue
        address = cell.read(state)
        if leads_nowhere(address):
            raise NotAbstract("it changes a pointer that leads to no known object")
        for _, number, offset in targets(address):
            if known is None:
                known = Stride(number, offset, 0)
            if number != known.number:
                raise NotAbstract("it changes a pointer from one object to another")
            known = Stride(number, known.first, _divisor(known.step, build.sub(offset, known.first, COUNT_BITS)))
    if known is None:
        raise NotAbstract("it changes a pointer that has no value")
    return known


def _divisor(step: int, distance: Value) -> int:
    """The largest number that always divides a step and a distance."""
    if isinstance(distance, int):
        return gcd(step, min(distance, (1 << COUNT_BITS) - distance))
    total = linear(distance)
    return gcd(step, total.constant, *total.factors.values())
