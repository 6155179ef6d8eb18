"""A finished path, run once more on the general state that it began in: its choices, and what it made of the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unfork.errors import Unsupported
from unfork.execute.activations import finish
from unfork.execute.machine import Machine
from unfork.execute.step import PathEnded, ProgramExit, Split
from unfork.logic.evaluate import Model
from unfork.logic.term import Term
from unfork.program.cfg import control_flow
from unfork.program.ir import Cast, Compare, Load
from unfork.program.module import Function
from unfork.program.types import IntType, PointerType
from unfork.prune.interpolation.general import CannotGeneralise, General
from unfork.prune.interpolation.oracle import Choice, FollowingStep, Oracle
from unfork.prune.interpolation.sources import based
from unfork.prune.interpolation.table import Place, number_at
from unfork.prune.live import LiveRegisters
from unfork.state.state import State

LONGEST = 200_000
"""Instructions of a stretch; a longer one is not learnt from."""
NEAR_BY = 2_000
"""Instructions up to the next place of rest, on a path that nobody took."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from a general state: ``general.state`` is at its end now. ``uses_addresses``: pointers became numbers."""

    general: General
    choices: list[Choice]
    uses_addresses: bool


class Retracer:
    """Follows paths on a machine of its own."""

    def __init__(self, make: Callable[[Oracle], Machine], live: LiveRegisters, rests: Callable[[State], bool]) -> None:
        self._oracle = Oracle()
        self._machine = make(self._oracle)
        plain = self._machine.step_of_instructions()
        self.step = FollowingStep(
            plain.program, self._oracle, plain.names, plain.source, plain.limits, plain.statics, plain.coverage
        )
        self.step.oracle = self._oracle
        self._live = live
        self._rests = rests
        self._numeric: dict[Function, frozenset[tuple[int, int]]] = {}
        self._loaded: dict[Function, dict[tuple[int, int], int]] = {}
        self._exits: dict[Function, frozenset[int]] = {}

    def trace(self, start: State, end: State, model: Model, *, is_leaf: bool) -> Trace:
        """The path from ``start`` to where ``end`` is; ``model`` has values that lead there.

        Raises CannotGeneralise where the path does things that interpolants do not describe.
        """
        if end.instructions - start.instructions > LONGEST:
            raise CannotGeneralise("a long stretch")
        general = General(start, self._live)
        self._oracle.follow(general, model)
        step = self.step
        step.general = general
        step.outcomes = []
        uses_addresses = general.has_numbers
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

    def other(self, start: State, model: Model, script: Sequence[int]) -> Trace | None:
        """The path that makes the choices of ``script``, the last of which no path made, up to where it rests next.

        None if it does not come to rest, or does what no path did: it fails, ends, or takes an edge for the first time.
        """
        general = General(start, self._live)
        self._oracle.follow(general, model, script)
        step, state = self.step, general.state
        step.general = general
        step.outcomes = []
        uses_addresses = general.has_numbers
        step.begin(state, None)
        end = state.instructions + NEAR_BY
        try:
            while state.instructions < end:
                uses_addresses |= self._instruction(step)
                if step.outcomes or step.state is not state:
                    return None
                if len(self._oracle.choices) >= len(script) and state.frames and self._rests(state):
                    if state.pending:
                        return None
                    return Trace(general, self._oracle.choices, uses_addresses)
        except (PathEnded, Split, Unsupported, CannotGeneralise):
            pass
        except (AssertionError, LookupError):
            pass  # choices that contradict each other may lead to bytes that no object has
        finally:
            self._machine.coverage.forget(state.pending)
        return None

    def number(self, place: Place) -> int | None:
        """What the state at the end of the last path has at a place, on that path."""
        value = self.step.general.value(place)
        return number_at(place, self._oracle.worth(value) if isinstance(value, Term) else value)

    def _instruction(self, step: FollowingStep) -> bool:
        """Run one; whether it makes a number of an address."""
        state = step.state
        frame = state.frames[-1]
        block, index = frame.block, frame.index
        instructions = self._machine.code(frame.function).block(block)
        semantics, position, _ = instructions[index]
        last = len(instructions) - 1
        frame.index = index + 1
        state.instructions += 1
        step.position = position
        step.known_inputs = len(state.inputs)
        self._oracle.counts_turns = index == last and block in self._leaving(frame.function)
        try:
            semantics(step, frame.registers)
        except ProgramExit as program_exit:
            finish(step, program_exit.status)
        if (block, index) in self._numbers(frame.function):
            return True
        loaded = self._loads(frame.function).get((block, index))
        if loaded is None:
            return False
        value = frame.registers[loaded]
        return isinstance(value, int | Term) and based(value) is not None

    def _leaving(self, function: Function) -> frozenset[int]:
        """The blocks from which a loop is left."""
        found = self._exits.get(function)
        if found is None:
            flow = control_flow(function)
            found = self._exits[function] = frozenset(
                block for body in flow.loops.values() for block in body if not body.issuperset(flow.successors[block])
            )
        return found

    def _loads(self, function: Function) -> dict[tuple[int, int], int]:
        """The registers into which a function loads numbers that are as wide as addresses, by place."""
        found = self._loaded.get(function)
        if found is None:
            found = self._loaded[function] = {
                (block.index, index): one.result
                for block in function.blocks
                for index, one in enumerate(block.body)
                if isinstance(one, Load) and one.type == IntType(64)
            }
        return found

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
