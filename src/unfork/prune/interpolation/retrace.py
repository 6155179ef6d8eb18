"""A finished path, run once more on the general state that it began in: its choices, and what it made of the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.errors import Unsupported
from unfork.execute.activations import finish
from unfork.execute.machine import Machine
from unfork.execute.step import PathEnded, ProgramExit, Split
from unfork.logic.evaluate import Model
from unfork.program.ir import Cast, Compare
from unfork.program.module import Function
from unfork.program.types import PointerType
from unfork.prune.interpolation.general import CannotGeneralise, Facts, General
from unfork.prune.interpolation.oracle import Choice, FollowingStep, Oracle
from unfork.state.state import State

LONGEST = 200_000
"""Instructions of a stretch; a longer one is not learnt from."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from a general state: ``general.state`` is at its end now. ``uses_addresses``: pointers became numbers."""

    general: General
    choices: list[Choice]
    uses_addresses: bool


class Retracer:
    """Follows paths on a machine of its own."""

    def __init__(self, make: Callable[[Oracle], Machine], facts: Facts) -> None:
        self._oracle = Oracle()
        self._machine = make(self._oracle)
        plain = self._machine.step_of_instructions()
        self.step = FollowingStep(
            plain.program, self._oracle, plain.names, plain.source, plain.limits, plain.statics, plain.coverage
        )
        self.step.oracle = self._oracle
        self._facts = facts
        self._numeric: dict[Function, frozenset[tuple[int, int]]] = {}

    def trace(self, start: State, end: State, model: Model, *, is_leaf: bool) -> Trace:
        """The path from ``start`` to where ``end`` is; ``model`` has values that lead there.

        Raises CannotGeneralise where the path does things that interpolants do not describe.
        """
        if end.instructions - start.instructions > LONGEST:
            raise CannotGeneralise("a long stretch")
        general = General(start, self._facts)
        self._oracle.follow(general, model)
        step = self.step
        step.general = general
        step.outcomes = []
        uses_addresses = False
        step.begin(general.state, None)
        try:
            while general.state.instructions < end.instructions:
                uses_addresses |= self._instruction(step)
                if step.outcomes:
                    raise CannotGeneralise("a path that ends early")
        except PathEnded:
            if not is_leaf:
                raise CannotGeneralise("a path that ends early") from None
            return Trace(general, self._oracle.choices, uses_addresses)
        except (Split, Unsupported) as problem:
            raise CannotGeneralise(f"{type(problem).__name__.lower()}") from None
        if not is_leaf and not _same_place(step.state, end):
            raise CannotGeneralise("a path that was lost")
        if is_leaf:
            raise CannotGeneralise("a path that does not end")
        return Trace(general, self._oracle.choices, uses_addresses)

    def _instruction(self, step: FollowingStep) -> bool:
        """Run one; whether it makes a number of an address."""
        state = step.state
        frame = state.frames[-1]
        block, index = frame.block, frame.index
        semantics, position, _ = self._machine.code(frame.function).block(block)[index]
        frame.index = index + 1
        state.instructions += 1
        step.position = position
        step.known_inputs = len(state.inputs)
        try:
            semantics(step, frame.registers)
        except ProgramExit as program_exit:
            finish(step, program_exit.status)
        return (block, index) in self._numbers(frame.function)

    def _numbers(self, function: Function) -> frozenset[tuple[int, int]]:
        """Where a function makes numbers of addresses, or orders them."""
        found = self._numeric.get(function)
        if found is None:
            found = self._numeric[function] = frozenset(
                (block.index, index)
                for block in function.blocks
                for index, one in enumerate(block.body)
                if (isinstance(one, Cast) and one.op == "ptrtoint")
                or (isinstance(one, Compare) and one.predicate not in ("eq", "ne") and _is_pointer(one))
            )
        return found


def _is_pointer(compare: Compare) -> bool:
    return isinstance(compare.type, PointerType)


def _same_place(state: State, end: State) -> bool:
    return len(state.frames) == len(end.frames) and all(
        one.function is other.function and one.block == other.block and one.index == other.index
        for one, other in zip(state.frames, end.frames, strict=True)
    )
