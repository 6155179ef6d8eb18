"""Memory while all iterations of a loop run in one step: what such a loop may read and write.

A loop's writes change the state's memory at once, which so becomes the memory after the loop. Hence a loop may not read
an object that it writes to.
"""

from __future__ import annotations

from unfork.engine.machine.guarded_run import GuardedConduct
from unfork.engine.machine.loop_refusal import NotAtOnce
from unfork.engine.machine.plain_code import PlainBlock
from unfork.engine.memory.loads import MADE_AS_READ, has_order, read_at
from unfork.engine.memory.pieces import put
from unfork.engine.memory.resolve import resolve
from unfork.engine.memory.spans import constants_of
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.operands import Registers, Semantics
from unfork.engine.step.step import UNINITIALISED, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value


class UnchangedMemory:
    """The memory of a loop that only reads."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def run(self, block: PlainBlock, number: int, semantics: Semantics, registers: Registers) -> None:
        semantics(self._step, registers)


class ChangedMemory:
    """The memory of a loop that writes. Checks that it reads and writes different objects."""

    def __init__(self, step: Step, conduct: GuardedConduct) -> None:
        self._step = step
        self._conduct = conduct
        self._objects_read: set[int] = set()
        self._objects_written: set[int] = set()
        self.reached: Value = 1
        """When the loop comes to the current iteration (1 bit). Iterations sets it."""

    def run(self, block: PlainBlock, number: int, semantics: Semantics, registers: Registers) -> None:
        if number in block.foreign:
            raise NotAtOnce("it writes, and calls a function that may read memory")
        access = block.accesses.get(number)
        if access is None:
            semantics(self._step, registers)
            return
        pointer = access.pointer(self._step, registers)
        if access.value is None:
            self._check_read(pointer)
            semantics(self._step, registers)
        else:
            self._write(pointer, access.size, access.value(self._step, registers))

    def _check_read(self, pointer: RegisterValue) -> None:
        addresses = constants_of(pointer, 64) if isinstance(pointer, int | Term) else None
        if addresses is None:
            raise NotAtOnce("it writes, and reads a symbolic address")
        numbers = {object_of(address) for address in addresses.constants}
        if not all(number in self._step.state.memory.objects for number in numbers):
            raise NotAtOnce("it writes, and reads outside of all objects")
        self._objects_read |= numbers
        if not self._objects_read.isdisjoint(self._objects_written):
            raise NotAtOnce("it reads and writes one object")

    def _write(self, pointer: RegisterValue, size: int, value: Value) -> None:
        """Write ``size`` bytes where the loop comes to this iteration and control to this instruction."""
        step = self._step
        number, offset, item = self._target(pointer, size)
        if item.kind in MADE_AS_READ or has_order(step, number, offset, size):
            raise NotAtOnce("it writes to an object whose bytes are made on reading")
        self._objects_written.add(number)
        if number in self._objects_read:
            raise NotAtOnce("it reads and writes one object")
        when = build.both(self.reached, self._conduct.guard)
        if when != 1:
            if UNINITIALISED in step.limits.checks and item.uninitialised_runs(offset, size):
                raise NotAtOnce("it writes where nothing was written before")
            inputs_before = len(step.state.inputs)
            before = read_at(step, number, offset, size)
            step.state.inputs = step.state.inputs.latent_after(inputs_before)
            value = build.ite(when, value, before, 8 * size)
        put(step, number, offset, size, value)

    def _target(self, pointer: RegisterValue, size: int) -> tuple[int, int, MemoryObject]:
        """The object with its number, and the offset, that a write goes to; outside of an object is a fault."""
        step, objects = self._step, self._step.state.memory.objects
        if not isinstance(pointer, int):
            raise NotAtOnce("it writes to a symbolic address")
        number, offset = object_of(pointer), offset_in(pointer)
        item = objects.get(number)
        if item is None or item.read_only or not 0 <= offset <= item.limit - size:
            ((_, location),) = resolve(step, pointer, size, "write")
            if (location.number, location.offset) != (number, offset):
                raise NotAtOnce("it writes to an address that was a number")
            item = objects[number]
        return number, offset, item
