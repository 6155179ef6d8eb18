"""The C stack of a state, innermost frame first, with the values of the variables that are still known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from unfork.clang.escape import quote_bytes
from unfork.contracts.outcome import StackEntry
from unfork.facts.function_facts import FactsTable
from unfork.facts.nearest import position_at
from unfork.facts.own_source import own_position
from unfork.llvm.demangle import readable
from unfork.llvm.ir import Bits, Operand, Register
from unfork.llvm.types import DebugVariable, Position
from unfork.logic import fp
from unfork.logic.term import Term
from unfork.state.lazy import LAZY
from unfork.state.memory import SLOT_BITS, SLOT_MASK, SLOT_MIDDLE, MemoryObject, Released, offset_in
from unfork.state.state import Frame, RegisterValue, State

VALUES_SHOWN = 12
FRAMES_SHOWN = 24
"""Frames shown at each end of a deep stack."""
SYMBOLIC = "symbolic"
"""Shown for a value that is not known, or that nobody wrote."""
FLOATS = {4: "float", 8: "double", 10: "x86_fp80", 16: "x86_fp80"}


class StackTraces:
    """Makes stack traces. A register is shown while it is live: compiled code does not write dead ones back.

    Values are shown where the path has no condition, as in the replay that every reported error comes from: an
    exploration may meet thousands of faults, and reports few.
    """

    def __init__(self, facts: FactsTable) -> None:
        self._facts = facts

    def of(self, state: State, position: Position | None) -> tuple[StackEntry, ...]:
        """The frames of ``state``, the innermost at ``position``; the middle of a very deep stack is left out."""
        frames = state.frames[::-1]
        hidden = len(frames) - 2 * FRAMES_SHOWN
        entries = []
        for depth, frame in enumerate(frames):
            if hidden > 0 and FRAMES_SHOWN <= depth < FRAMES_SHOWN + hidden:
                if depth == FRAMES_SHOWN:
                    entries.append(StackEntry(f"({hidden} more frames)", None, ()))
                continue
            where = position if depth == 0 else _call_position(frame)
            values = () if len(state.path) else self._values(state, frame)
            entries.append(StackEntry(frame.function.source_name, where, values))
        return tuple(entries)

    def _live(self, frame: Frame) -> int:
        """The registers that were live before the frame's current instruction."""
        return self._facts[frame.function].liveness.before(frame.block, max(frame.index - 1, 0))

    def _values(self, state: State, frame: Frame) -> tuple[tuple[str, str], ...]:
        """Variables described before the frame's instruction in its block, then in the entry; latest record first."""
        texts: dict[str, str] = {}
        known: set[str] = set()
        live = self._live(frame)
        block = frame.function.blocks[frame.block]
        for candidate in (block, frame.function.blocks[0]):
            for record in reversed(candidate.debug):
                name = record.variable.name
                is_later = candidate is block and record.index >= frame.index
                if is_later or name in known or len(texts) >= VALUES_SHOWN:
                    continue
                known.add(name)
                text = None
                if record.operand is not None:
                    text = value_text(state, frame, live, record.operand, record.variable, indirect=record.indirect)
                if text is not None:
                    texts[name] = text
        return tuple(texts.items())


def site_of(state: State, position: Position | None) -> Position | None:
    """``position``; if that is not in the program's own source, as if it was inlined where the call in there is.

    Where there is no position, the call is only near.
    """
    if own_position(position) is not None:
        return position
    call = _first_call(state, own_position)
    if position is not None:
        return position if call is None else replace(position, inlined_at=call)
    call = call or _first_call(state, lambda each: each)
    return None if call is None else replace(call, is_near=True)


def _first_call(state: State, seen: Callable[[Position | None], Position | None]) -> Position | None:
    """Of the calls that led to where a state is, the innermost that is something as it is ``seen``."""
    return next(filter(None, (seen(_call_position(frame)) for frame in state.frames[-2::-1])), None)


def _call_position(frame: Frame) -> Position | None:
    return position_at(frame.function, frame.block, max(frame.index - 1, 0))


def value_text(
    state: State, frame: Frame, live: int, operand: Operand, variable: DebugVariable, *, indirect: bool
) -> str | None:
    """The value of a variable in words; None if it is not known: its register is not among the ``live`` ones."""
    value: RegisterValue
    match operand:
        case Register(index=index):
            value = frame.registers[index] if indirect or live >> index & 1 else None
        case Bits(value=value):
            pass
        case _:
            return None
    if indirect:
        return _object_text(state, value, variable)
    if isinstance(value, Term):
        return SYMBOLIC
    return _text(state, value, variable) if isinstance(value, int) else None


def _object_text(state: State, address: RegisterValue, variable: DebugVariable) -> str | None:
    """The variable at an address: a scalar, or the bytes of a short object."""
    if not isinstance(address, int) or variable.size is None or variable.size > 16:
        return None
    item = state.memory.objects.get(address >> SLOT_BITS)
    if item is None or item.limit < variable.size:
        return None
    offset = (address & SLOT_MASK) - SLOT_MIDDLE
    if item.mask is not None and any(item.mask[offset : offset + variable.size]):
        return SYMBOLIC
    data = bytes(item.data[offset : offset + variable.size])
    if is_text(variable.type_name):
        return in_quotes(data)
    if variable.encoding is None:
        return "{" + ", ".join(f"{byte:#04x}" for byte in data) + "}"
    return _text(state, int.from_bytes(data, "little"), variable)


def _text(state: State, value: int, variable: DebugVariable) -> str:
    size = variable.size or 8
    encoding = variable.encoding or "unsigned"
    if encoding == "pointer":
        return _pointer_text(state, value)
    if encoding == "float" and size in FLOATS:
        return repr(fp.to_float(value & (1 << 8 * min(size, 10)) - 1, FLOATS[size]))
    if encoding.startswith("signed") and value >> (8 * size - 1) & 1:
        value -= 1 << (8 * size)
    if encoding.endswith("char") and 0x20 <= value < 0x7F:
        return f"{value} {chr(value)!r}"
    return str(value)


def _pointer_text(state: State, value: int) -> str:
    """A pointer as the object that it names and the distance from its start."""
    if value < 1 << SLOT_BITS:
        return "null" if value == 0 else hex(value)
    item = state.memory.objects.get(value >> SLOT_BITS)
    if item is None:
        gone = state.memory.freed.get(value >> SLOT_BITS)
        return f"{value:#x}" if gone is None else f"{_start(gone)} + {offset_in(value)} (gone)"
    offset = offset_in(value)
    return _start(item) + (f" {'-' if offset < 0 else '+'} {abs(offset)}" if offset else "")


def _start(item: MemoryObject | Released) -> str:
    """The start of an object; one of the input is named by a pointer to it, a string literal by what it holds."""
    if (literal := literal_text(item)) is not None:
        return literal
    return item.name if item.kind == LAZY else f"&{readable(item.name)}"


NAME = re.compile(r"\.str(\.\d+)*")
ARRAY = re.compile(r"(const )?((un)?signed )?char ?\[\d+\]")
SHOWN = 24
"""Characters that are shown."""


def is_text(type_name: str | None) -> bool:
    """Whether a type, as C writes it, is an array of characters."""
    return type_name is not None and ARRAY.fullmatch(type_name) is not None


def in_quotes(data: bytes) -> str:
    """Characters as in C, cut short; one zero at the end is the string's own."""
    text = data.removesuffix(b"\0")
    return quote_bytes(text) if len(text) <= SHOWN else f'{quote_bytes(text[:SHOWN])[:-1]}..."'


def literal_text(item: MemoryObject | Released) -> str | None:
    """What a string literal holds, in quotes; None if ``item`` is something else."""
    if not isinstance(item, MemoryObject) or not item.read_only or NAME.fullmatch(item.name) is None:
        return None
    return in_quotes(bytes(item.data))
