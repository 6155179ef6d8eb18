"""In which turns of annotated loops a path is, and what must hold wherever a proof would cut it or prove something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from unfork.clang.contracts import Assigns, Clause, FunctionContract, LoopContract
from unfork.errors import Unsupported
from unfork.explore.unwind import Activation, activation_of
from unfork.facts.function_facts import FactsTable
from unfork.invariants.cells import NotAbstract
from unfork.llvm.ir import Return
from unfork.llvm.stubs import is_stub
from unfork.logic import build
from unfork.meaning import formula
from unfork.meaning.c_values import NoMeaning
from unfork.meaning.expressions import Where
from unfork.meaning.formula import Formula, Ground
from unfork.spec.conditions import Beginning, Conditions, Goals
from unfork.spec.frame import Frame
from unfork.spec.obligations import Place
from unfork.state.state import State
from unfork.state.unbounded import Cut


@dataclass(frozen=True, slots=True)
class Turn(Cut):
    """A turn of a loop. ``blocks`` are those of the loop."""

    contract: LoopContract
    activation: Activation
    blocks: frozenset[int]
    entry: State
    begun: State


def leave_loops(state: State) -> None:
    """Forget the turns that the path has left."""
    if not state.proof.cuts:
        return
    top = len(state.frames) - 1
    activation, block = activation_of(state), state.frames[-1].block
    kept = {
        place: cut
        for place, cut in state.proof.cuts.items()
        if isinstance(cut, Turn)
        and activation[: len(cut.activation)] == cut.activation
        and (place[0] < top or block in cut.blocks)
    }
    if len(kept) < len(state.proof.cuts):
        state.proof = replace(state.proof, cuts=kept)


Goal = TypeVar("Goal")
ARGUMENT, HEAP = "argument", "heap"
"""Kinds of objects that contracts speak of, besides the program's variables."""


@dataclass(frozen=True, slots=True)
class Due:
    """A formula that must hold where a path stands. ``place`` is that of the obligation to prove it."""

    place: Place
    formula: Formula


class Duties:
    """Says what is due. A state that stands at the head of a loop begins a turn by that.

    Law: on a path whose first state is all known, a formula that is false breaks the contract for certain.
    """

    def __init__(self, conditions: Conditions, facts: FactsTable, variables: Collection[int]) -> None:
        self._conditions = conditions
        self._facts = facts
        self._variables = variables
        """The objects of the program's variables. What its library remembers is none of them."""

    def at_first(self, first: Beginning) -> list[Due]:
        """What must hold of inputs for which the contract's requirements do."""
        where = Where(first.state, first.names, self._conditions.contract.mathematical)
        cases = _read(lambda: self._conditions.cases(where))
        return [Due(Place(kind, named.file, named.line, named.text), goal) for kind, named, goal in cases]

    def at(self, state: State, first: Beginning) -> Iterator[Due]:
        """What must hold where a state stands. What has no meaning there is left out."""
        leave_loops(state)
        with suppress(NoMeaning, Unsupported):
            yield from self._at(state, first)

    def _at(self, state: State, first: Beginning) -> Iterator[Due]:
        conditions = self._conditions
        callee = conditions.callee(state)
        if callee is not None:
            yield from self._called(state, callee, first)
        for assertion in conditions.assertions(state):
            where = conditions.here(state, first, mathematical=assertion.mathematical)
            yield from _due("assert", _read(partial(self._asserted, assertion.clause, where)))
        loop = conditions.loop(state)
        if loop is not None:
            yield from self._at_head(state, loop, first)
        end = conditions.end(state)
        if end is not None:
            yield from self._returned(state, first, end)

    def _asserted(self, clause: Clause, where: Where) -> Goals:
        return [(clause, self._conditions.meaning.formula(clause.expression, where))]

    def _called(self, state: State, contract: FunctionContract, first: Beginning) -> Iterator[Due]:
        conditions = self._conditions
        function = state.frames[-1].function
        arguments = tuple(state.frames[-1].registers[: len(function.type.parameters)])
        for names in _read(lambda: [conditions.scopes.parameters(contract, function, arguments)]):
            where = Where(state.fork(), names, contract.mathematical)
            yield from _due(f"requires of {contract.function}", _read(partial(conditions.required, contract, where)))
            if not is_stub(function):  # what has no body need not call back
                descent = partial(conditions.descent, first, function, contract, where)
                yield from _due("decreases", _read(descent))

    def _at_head(self, state: State, loop: LoopContract, first: Beginning) -> Iterator[Due]:
        conditions = self._conditions
        place = (len(state.frames) - 1, state.frames[-1].block)
        turn, begun = state.proof.cuts.get(place), state.fork()
        if isinstance(turn, Turn):
            before = turn
            where = conditions.in_loop(state, loop, first, before.entry, before.begun)
            yield from _due("invariant kept", _read(lambda: conditions.invariants(loop, where)))
            earlier = conditions.in_loop(before.begun, loop, first, before.entry, before.begun)
            yield from _due("variant", _read(lambda: conditions.progress(loop, earlier, where)))
            if loop.assigns is not None:
                at_entry = conditions.in_loop(before.entry, loop, first, before.entry, before.entry)
                yield from self._changed(loop.assigns, formula.TRUE, state, before.entry, [where, at_entry])
            entry = before.entry
        else:
            where = conditions.in_loop(state, loop, first, state, state)
            yield from _due("invariant at first", _read(lambda: conditions.invariants(loop, where)))
            entry = begun
        blocks = frozenset(self._facts[state.frames[-1].function].flow.loops[place[1]])
        now = Turn(loop, activation_of(state), blocks, entry, begun)
        state.proof = replace(state.proof, cuts={**state.proof.cuts, place: now})

    def _returned(self, state: State, first: Beginning, end: Return) -> Iterator[Due]:
        conditions = self._conditions
        yield from _due("ensures", _read(lambda: conditions.promised(state, first, end)))
        old = Where(first.state, first.names, conditions.contract.mathematical)
        for assigns, guard in _read(lambda: conditions.assigned(old)):
            yield from self._changed(assigns, guard, state, first.state, [old])

    def _changed(
        self, assigns: Assigns, guard: Formula, state: State, begun: State, regions: list[Where]
    ) -> Iterator[Due]:
        """That nothing has another value than in ``begun`` but what a clause lists."""
        frame = Frame(self._conditions.meaning, assigns)
        numbers = [
            number
            for number, item in begun.memory.objects.held.items()
            if number in self._variables or item.kind in (ARGUMENT, HEAP)
        ]
        for changed in _read(lambda: list(frame.changed(state, begun, regions, numbers))):
            goal = formula.implied(guard, Ground(build.negate(changed)))
            yield Due(Place("assigns", assigns.file, assigns.line, assigns.text), goal)


def _read(goals: Callable[[], list[Goal]]) -> list[Goal]:
    """Goals, or none where what they say has no meaning: a search can do without."""
    try:
        return goals()
    except (NoMeaning, NotAbstract):  # or where too much memory changed to look at all of it
        return []


def _due(kind: str, goals: Goals) -> Iterator[Due]:
    for clause, goal in goals:
        yield Due(Place(kind, clause.file, clause.line, clause.text), goal)
