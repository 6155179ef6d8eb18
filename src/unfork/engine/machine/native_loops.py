"""Enters compiled loops: copies registers and addresses of objects into words, and registers back where the loop left.

The bytes of objects stay in place. A call holds the interpreter's lock, so that no object moves while native code runs,
and only the running state changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import PYFUNCTYPE, addressof, c_char, c_uint64, c_void_p

from unfork.engine.instructions.repetition import FIRST_DEPTH
from unfork.engine.machine.native_memory import (
    BUDGET,
    COUNT,
    DATA,
    ENTRY,
    FIELDS,
    LIMIT,
    MASK,
    MISSED,
    NAMES,
    NUMBER,
    PASSED,
    REFUSED,
    START,
    STORED,
)
from unfork.engine.machine.native_text import NativeText
from unfork.engine.state.flat_layout import start_of
from unfork.engine.state.memory import MASK_64, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.operands import Registers
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.llvm.binding import NoMachineCode, machine_code
from unfork.program.llvm.ir import Call

__all__ = ["NativeLoop", "NoMachineCode", "compiled"]
MOST_OBJECTS = 24
NO_STORE = MASK_64
"""A limit of -1: no store fits."""
IF_CONCRETE, IF_NOT_SYMBOLIC = MASK_64, int.from_bytes(bytes((SYMBOLIC,)) * 8, "little")


class NativeLoop:
    """Machine code of a loop."""

    def __init__(self, text: NativeText, coverage: BranchCoverage) -> None:
        self._text, self._coverage = text, coverage
        self._code = machine_code(text.text, "loop")
        self._words = (c_uint64 * (text.table + MOST_OBJECTS * len(FIELDS)))()
        self._enter = PYFUNCTYPE(c_uint64, c_void_p)(self._code.address)
        self._entries = {head: number for number, head in enumerate(text.heads)}
        self._numbers: dict[int, None] = {}
        """Objects that the code has needed, the latest last."""

    def run(self, step: Step, frame: Frame, registers: Registers, budget: int) -> bool:
        """Run from the head at which the frame stands, for ``budget`` instructions. Whether any ran; the frame is then
        where the code left.
        """
        words, text, state = self._words, self._text, step.state
        if text.calls and (len(state.frames) >= FIRST_DEPTH - 1 or frame.stack_bytes > step.limits.stack_size):
            return False
        entry = words[ENTRY] = self._entries[frame.block]
        for register, word in text.entries[entry]:
            value = registers[register]
            if value.__class__ is not int:
                return False
            words[word] = value
        passed = c_char.from_buffer(self._coverage.passed) if self._coverage.passed else None
        words[PASSED] = 0 if passed is None else addressof(passed)
        words[BUDGET], words[MISSED] = budget, 0
        views, unwritten, items = self._table(state)
        point = text.points[self._enter(addressof(words))]
        del views, passed
        for at, item in items:
            item.has_names = bool(words[at + NAMES])
        for item in unwritten:
            assert item.mask is not None
            if UNINITIALISED not in item.mask and SYMBOLIC not in item.mask:
                item.mask = None
        self._learn(words[MISSED])
        executed = words[BUDGET]
        if not executed:
            return False
        for register, word in point.registers:
            registers[register] = words[word]
        for name, word in text.calls:
            if words[word]:
                frame.calls = frame.calls or {}
                frame.calls[name] = frame.calls.get(name, 0) + words[word]
        state.instructions += executed
        frame.block, frame.index = point.block, point.index
        return True

    def _table(self, state: State) -> tuple[list[object], list[MemoryObject], list[tuple[int, MemoryObject]]]:
        """Fill in the table of objects.

        Yields views that keep bytes in place, the objects whose mask may become empty, and the objects with their
        entries.
        """
        words, held, token = self._words, state.memory.objects.held, state.memory.token
        views: list[object] = []
        unwritten: list[MemoryObject] = []
        items: list[tuple[int, MemoryObject]] = []
        at, count = self._text.table, 0
        words[at + NUMBER] = MASK_64  # of no object
        for number in self._numbers:
            item = held.get(number)
            limit = -1 if item is None else min(item.limit, len(item.data))
            if item is None or limit <= 0 or item.pieces:
                continue
            data = c_char.from_buffer(item.data)
            views.append(data)
            owns = item.owner is token
            mask = 0
            if item.mask is not None:
                marks = c_char.from_buffer(item.mask)
                views.append(marks)
                mask, limit = addressof(marks), min(limit, len(item.mask))
                if owns and not item.origins:
                    unwritten.append(item)
            words[at + NUMBER], words[at + DATA], words[at + MASK] = number, addressof(data), mask
            words[at + LIMIT] = limit
            words[at + STORED] = limit if owns else NO_STORE
            words[at + REFUSED] = IF_CONCRETE if item.origins else IF_NOT_SYMBOLIC
            words[at + START] = start_of(number)
            words[at + NAMES] = item.has_names
            items.append((at, item))
            at += len(FIELDS)
            count += 1
        words[COUNT] = count
        return views, unwritten, items

    def _learn(self, number: int) -> None:
        """Add an object that the table lacked. It replaces the one that was added first."""
        if number:
            self._numbers.pop(number, None)
            self._numbers[number] = None
            if len(self._numbers) > MOST_OBJECTS:
                del self._numbers[next(iter(self._numbers))]


def compiled(
    facts: FunctionFacts,
    statics: Statics,
    coverage: BranchCoverage,
    blocks: frozenset[int],
    heads: Sequence[int],
    callee: Callable[[Call], FunctionFacts | None],
) -> NativeLoop | None:
    """The code of a loop; None if no iteration of it can run natively. Raises NoMachineCode."""
    text = NativeText(facts, statics, coverage, blocks, heads, callee)
    return NativeLoop(text, coverage) if text.turns else None
