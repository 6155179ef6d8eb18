"""Joins the stacks of two states at one program point: registers that may still be read, and the frames' records."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import Memory, MemoryObject
from unfork.engine.state.state import JUMP_TARGETS, Frame, OtherActivation, ProgramPoint, RegisterValue, State
from unfork.logic.terms.term import Value
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.llvm.types import Type
from unfork.reduce.merge.value_choice import Unjoinable, ValueChoice, joined_value

Key = TypeVar("Key")
_NEVER: tuple[Value, list[RegisterValue]] = (0, [])
"""For a point at which a side does not wait: the condition, and no registers."""


class Frames:
    """Joins stacks. ``keeps_all`` makes every register count, not only those that may be read (for leak checks).

    With ``anywhere``, an activation may wait at different calls. For exact joins.
    """

    def __init__(self, live: LiveRegisters, *, keeps_all: bool, anywhere: bool = False) -> None:
        self._keeps_all = keeps_all
        self._anywhere = anywhere
        self.live = live

    def check_place(self, a: State, b: State) -> None:
        """Raise Unjoinable unless both states wait at one program point."""
        if len(a.frames) != len(b.frames):
            raise Unjoinable("different stacks")
        anywhere = self._anywhere and not a.remembered[JUMP_TARGETS]
        top = len(a.frames) - 1
        for depth, (frame, other) in enumerate(zip(a.frames, b.frames, strict=True)):
            if frame is other:
                continue
            is_here = frame.block == other.block and frame.index == other.index
            if frame.function is not other.function or not (is_here or (anywhere and depth < top)):
                raise Unjoinable("different places")
            if frame.ordinal != other.ordinal and (frame.activation or other.activation):
                raise Unjoinable("different activations")

    def joined(self, choice: ValueChoice, a: State, b: State, owner: object) -> list[Frame]:
        """The joined stack at the common program point; its top frame belongs to ``owner``."""
        frames = []
        last = len(a.frames) - 1
        for depth, (frame, other) in enumerate(zip(a.frames, b.frames, strict=True)):
            if frame is other and depth < last:
                frames.append(frame)
            else:
                frames.append(
                    self._frame(choice, (frame, other), (a.memory, b.memory), self.live.of_frame(a, depth), owner)
                )
        return frames

    def _frame(
        self,
        choice: ValueChoice,
        parents: tuple[Frame, Frame],
        memories: tuple[Memory, Memory],
        live: Collection[int],
        owner: object,
    ) -> Frame:
        a, b = parents
        facts = self.live.facts(a.function)
        registers, elsewhere = self._waiting(choice, a, b, live, facts.types)
        return Frame(
            function=a.function,
            block=a.block,
            index=a.index,
            registers=registers,
            activation=a.activation or b.activation,
            ordinal=max(a.ordinal, b.ordinal),
            stack_bytes=max(a.stack_bytes, b.stack_bytes),
            locals=_joined_locals(a.locals, b.locals, facts),
            ended=_joined_ended(a.ended, b.ended, memories),
            repetitions=largest(a.repetitions, b.repetitions),
            calls=largest(a.calls, b.calls),
            variadic=_joined_variadic(choice, a.variadic, b.variadic),
            entered=None,
            turning=a.turning | b.turning,
            elsewhere=elsewhere,
            owner=owner,
        )

    def _waiting(
        self, choice: ValueChoice, a: Frame, b: Frame, live: Collection[int], types: list[Type]
    ) -> tuple[list[RegisterValue], tuple[OtherActivation, ...]]:
        """The registers at the point of ``a``, and those at other points at which a side waits: each point is joined
        separately.
        """
        here = a.block, a.index
        if here == (b.block, b.index) and not a.elsewhere and not b.elsewhere:
            return self._registers(choice, a.registers, b.registers, live, types), ()
        mine, theirs = a.waits_at(), b.waits_at()
        known: dict[ProgramPoint, OtherActivation] = {}
        for point in dict.fromkeys((*mine, *theirs)):
            (first, x), (second, y) = mine.get(point, _NEVER), theirs.get(point, _NEVER)
            if x and y:
                live = self.live.after_call(a.function, point)
                x = self._registers(choice, x, y, live, types)
            known[point] = OtherActivation(choice.exact(first, second, 1), point, x or y)
        return known.pop(here).registers, tuple([other for other in known.values() if other.guard != 0])

    def _registers(
        self,
        choice: ValueChoice,
        a: list[RegisterValue],
        b: list[RegisterValue],
        live: Collection[int],
        types: list[Type],
    ) -> list[RegisterValue]:
        registers: list[RegisterValue] = [None] * len(a)
        for i in live:
            x, y = a[i], b[i]
            registers[i] = x if x is y else joined_value(choice, x, y, types[i])
        if self._keeps_all:
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                if i not in live:
                    registers[i] = x if x is y else _dead(choice, x, y, types[i])
        return registers


def _dead(choice: ValueChoice, a: RegisterValue, b: RegisterValue, kind: Type) -> RegisterValue:
    """A register that is never read again, but may still lead to an object. Undefined counts as null."""
    if isinstance(a, tuple) or isinstance(b, tuple):
        return None
    return joined_value(choice, 0 if a is None else a, 0 if b is None else b, kind)


def largest(a: dict[Key, int] | None, b: dict[Key, int] | None) -> dict[Key, int] | None:
    """The larger count for each key: a name used on either side is used."""
    if a is None or b is None or a is b:
        counts = a if b is None else b
        return None if counts is None else counts.copy()
    counts = a.copy()
    for key, count in b.items():
        if count > counts.get(key, 0):
            counts[key] = count
    return counts


def _joined_locals(a: tuple[int, ...], b: tuple[int, ...], facts: FunctionFacts) -> tuple[int, ...]:
    if a != b and facts.marks_stack:
        raise Unjoinable("variable-length arrays")
    return (*a, *[number for number in b if number not in a])


def _joined_ended(
    a: dict[int, MemoryObject] | None, b: dict[int, MemoryObject] | None, memories: tuple[Memory, Memory]
) -> dict[int, MemoryObject] | None:
    """The locals whose scope ended on both sides; one that lives on a side is kept in memory instead."""
    if not a and not b:
        return None
    first, second = memories
    both = {**(b or {}), **(a or {})}
    kept = {n: item for n, item in both.items() if n not in first.objects and n not in second.objects}
    return kept or None


def _joined_variadic(
    choice: ValueChoice, a: tuple[RegisterValue, ...], b: tuple[RegisterValue, ...]
) -> tuple[RegisterValue, ...]:
    if a is b:
        return a
    if len(a) != len(b) or any(x[:2] != y[:2] for x, y in zip(a, b, strict=True)):
        raise Unjoinable("different variadic arguments")
    return tuple([(*x[:2], joined_value(choice, x[2], y[2], x[0])) for x, y in zip(a, b, strict=True)])
