"""The turns of annotated loops on a path, and what must hold where a proof would cut it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.frame import ClauseFrame
from unfork.commands.verify.obligations import ProofGoal
from unfork.engine.explore.unwind import Activation, activation_of
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.meaning.expression_meaning import Where
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import Cut
from unfork.errors import Unsupported
from unfork.program.c.contracts import Assertion, FunctionContract, LoopContract
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.ir import Register, Return
from unfork.program.llvm.stubs import is_stub
from unfork.reduce.invariants.cells import NotAbstract

ARGUMENT, HEAP, STACK = "argument", "heap", "stack"
"""Kinds of objects that contracts speak of, besides the program's variables: those on the stack are of loops."""


@dataclass(frozen=True, slots=True)
class LoopTurn(Cut):
    """A turn of a loop with ``blocks``."""

    contract: LoopContract
    activation: Activation
    blocks: frozenset[int]
    entry: State
    begun: State

    def locals(self) -> set[int]:
        """The locals declared before the loop, with those of callers."""
        frame, objects = self.begun.frames[-1], self.begun.memory.objects
        declared = [
            frame.registers[record.operand.index]
            for number, block in enumerate(frame.function.blocks)
            for record in block.debug
            if number not in self.blocks and record.indirect and isinstance(record.operand, Register)
        ]
        own = set(frame.locals) - {object_of(address) for address in declared if isinstance(address, int)}
        return {number for number, item in objects.held.items() if item.kind == STACK and number not in own}


def leave_loops(state: State) -> None:
    """Drop the turns of loops that the path has left."""
    if not state.proof.cuts:
        return
    top = len(state.frames) - 1
    activation, block = activation_of(state), state.frames[-1].block
    kept = {
        head: cut
        for head, cut in state.proof.cuts.items()
        if isinstance(cut, LoopTurn)
        and activation[: len(cut.activation)] == cut.activation
        and (head[0] < top or block in cut.blocks)
    }
    if len(kept) < len(state.proof.cuts):
        state.proof = replace(state.proof, cuts=kept)


Read = TypeVar("Read")


class Duties:
    """Lists the goals that are due. At the head of a loop a state begins a turn.

    Law: on a path from a concrete first state, a false formula certainly breaks the contract.
    """

    def __init__(self, conditions: ContractConditions, facts: FactsTable, variables: Collection[int]) -> None:
        self._conditions = conditions
        self._facts = facts
        self._variables = variables
        """The objects of the program's variables, without those of its library."""

    def at_first(self, first: Where) -> list[ProofGoal]:
        """What must hold of inputs that meet the contract's requirements."""
        return _read(lambda: self._conditions.cases(first))

    def at(self, state: State, first: Where) -> Iterator[ProofGoal]:
        """What must hold where a state stands, without what has no meaning there."""
        leave_loops(state)
        with suppress(NoMeaning, Unsupported):
            yield from self._at(state, first)

    def _at(self, state: State, first: Where) -> Iterator[ProofGoal]:
        conditions = self._conditions
        callee = conditions.callee(state)
        if callee is not None:
            yield from self._at_call(state, callee, first)
        for assertion in conditions.assertions(state):
            yield from _read(partial(self._asserted, assertion, state, first))
        loop = conditions.loop(state)
        if loop is not None:
            yield from self._at_head(state, loop, first)
        end = conditions.end(state)
        if end is not None:
            yield from self._at_return(state, first, end)

    def _asserted(self, assertion: Assertion, state: State, first: Where) -> list[ProofGoal]:
        return [self._conditions.asserted(assertion, state, first)]

    def _at_call(self, state: State, contract: FunctionContract, first: Where) -> Iterator[ProofGoal]:
        conditions = self._conditions
        function = state.frames[-1].function
        for where in _read(lambda: [conditions.at_call(state, contract)]):
            yield from _read(partial(conditions.required, contract, where))
            if not is_stub(function):  # what has no body need not call back
                yield from _read(partial(conditions.descent, first, function, contract, where))

    def _at_head(self, state: State, loop: LoopContract, first: Where) -> Iterator[ProofGoal]:
        conditions = self._conditions
        head = (len(state.frames) - 1, state.frames[-1].block)
        turn, begun = state.proof.cuts.get(head), state.fork()
        if isinstance(turn, LoopTurn):
            before = turn
            where = conditions.in_loop(state, loop, first, before.entry, before.begun)
            yield from _read(lambda: conditions.invariants("invariant kept", loop, where))
            earlier = conditions.in_loop(before.begun, loop, first, before.entry, before.begun)
            yield from _read(lambda: conditions.progress(loop, conditions.variant(loop, earlier), where))
            if loop.assigns is not None:
                at_entry = conditions.in_loop(before.entry, loop, first, before.entry, before.entry)
                frame = ClauseFrame(conditions.meaning, loop.assigns)
                places = [where, at_entry] if loop.mathematical else [at_entry]
                yield from self._changed(frame, state, before.entry, places, before.locals())
            entry = before.entry
        else:
            where = conditions.in_loop(state, loop, first, state, state)
            yield from _read(lambda: conditions.invariants("invariant at first", loop, where))
            entry = begun
        blocks = frozenset(self._facts[state.frames[-1].function].flow.loops[head[1]])
        now = LoopTurn(loop, activation_of(state), blocks, entry, begun)
        state.proof = replace(state.proof, cuts={**state.proof.cuts, head: now})

    def _at_return(self, state: State, first: Where, end: Return) -> Iterator[ProofGoal]:
        conditions = self._conditions
        yield from _read(lambda: conditions.promised(state, first, end))
        for frame in _read(lambda: conditions.frames(first)):
            yield from self._changed(frame, state, first.state, [first], ())

    def _changed(
        self, frame: ClauseFrame, state: State, begun: State, regions: list[Where], locals: Collection[int]
    ) -> list[ProofGoal]:
        """That nothing differs from ``begun`` except what a clause lists."""
        numbers = [
            number
            for number, item in begun.memory.objects.held.items()
            if number in self._variables or number in locals or item.kind in (ARGUMENT, HEAP)
        ]
        return _read(lambda: list(frame.changed(state, begun, regions, numbers)))


def _read(said: Callable[[], list[Read]]) -> list[Read]:
    """What contracts say, or nothing where that has no meaning: a search can do without."""
    try:
        return said()
    except (NoMeaning, NotAbstract):  # or where too much memory changed to look at all of it
        return []
