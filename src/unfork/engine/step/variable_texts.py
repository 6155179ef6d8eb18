"""The values of variables as text, where debug information has them."""

from __future__ import annotations

import re
from collections.abc import Callable

from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import SLOT_BITS, MemoryObject, Released, offset_in
from unfork.engine.state.state import Frame, RegisterValue, State
from unfork.engine.step.computed_value import StackWord, computed
from unfork.errors import Unsupported
from unfork.logic.terms import fp
from unfork.logic.terms.term import Term
from unfork.program.c.escape import quote_bytes
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.visible import LocatedVariable, VariablePiece
from unfork.program.llvm import layout
from unfork.program.llvm.debug_expression import StackComputation
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.ir import Operand, Register
from unfork.program.llvm.types import DebugVariable

SYMBOLIC = "symbolic"
"""Shown for an unknown or unwritten value."""
OPTIMISED_OUT = "optimised out"
"""Shown for a value that debug information no longer has."""
LARGEST_SHOWN = 16
"""The largest variable shown, in bytes."""
FLOATS = {4: "float", 8: "double", 10: "x86_fp80", 16: "x86_fp80"}


class VariableTexts:
    """Describes the variables of frames. ``constant`` gives the values of constants."""

    def __init__(self, facts: FactsTable, constant: Callable[[Operand], RegisterValue]) -> None:
        self._facts = facts
        self._constant = constant

    def during(self, state: State, frame: Frame, index: int) -> dict[str, str]:
        """The variables visible at instruction ``index`` of a frame's block, before it runs."""
        return self._texts(state, frame, index, self._facts[frame.function].visible.during(frame.block, index))

    def before(self, state: State, frame: Frame) -> dict[str, str]:
        """The variables visible where a frame rests."""
        index = frame.index
        return self._texts(state, frame, index, self._facts[frame.function].visible.at(frame.block, index))

    def _texts(self, state: State, frame: Frame, index: int, visible: dict[str, LocatedVariable]) -> dict[str, str]:
        written = self._facts[frame.function].written.before(frame.block, index)
        values = _Values(state, frame, written, self._constant)
        texts = {name: values.text(located) for name, located in visible.items() if _is_shown(located.variable)}
        return {name: text for name, text in texts.items() if text is not None}


def _is_shown(variable: DebugVariable) -> bool:
    return variable.size is not None and 0 < variable.size <= LARGEST_SHOWN


class _Values:
    """The values of a frame: a register has one if it is among the ``written`` ones."""

    def __init__(self, state: State, frame: Frame, written: int, constant: Callable[[Operand], RegisterValue]) -> None:
        self._state, self._frame, self._written, self._constant = state, frame, written, constant

    def text(self, located: LocatedVariable) -> str | None:
        """A variable as text; None if its memory is gone."""
        variable, size = located.variable, located.variable.size or 0
        if isinstance(located.operand, tuple):
            return self._of_pieces(variable, located.operand)
        value = self._value(located.operand, 8 * size, is_address=located.indirect)
        if value is None:
            return OPTIMISED_OUT
        if isinstance(value, Term):
            return SYMBOLIC
        if not located.indirect:
            data = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            return _bytes_text(self._state, data, variable)
        held = _bytes_at(self._state, value, size)
        return _bytes_text(self._state, held, variable) if isinstance(held, bytes) else held

    def _value(self, operand: Operand | StackComputation, bits: int, *, is_address: bool) -> int | Term | None:
        """The value of ``bits`` bits, or the address, of an operand."""
        if isinstance(operand, StackComputation):
            return computed(operand, self._known, self._state.memory, 64 if is_address else bits)
        value = self._operand(operand)
        return value if isinstance(value, int | Term) else None

    def _operand(self, operand: Operand) -> RegisterValue:
        """The value of an operand; None if unknown."""
        if isinstance(operand, Register):
            return self._frame.registers[operand.index] if self._written >> operand.index & 1 else None
        try:
            return self._constant(operand)
        except Unsupported:
            return None

    def _known(self, operand: Operand) -> StackWord | None:
        value = self._operand(operand)
        return StackWord(value, layout.bits_of(operand.type)) if isinstance(value, int) else None

    def _of_pieces(self, variable: DebugVariable, pieces: tuple[VariablePiece, ...]) -> str:
        """A variable in several places; parts of a struct without a place are shown as such."""
        size = variable.size or 0
        data: list[int | None] = [None] * size
        is_symbolic = False
        for piece in pieces:
            held = self._bytes(piece)
            is_symbolic = is_symbolic or isinstance(held, Term)
            if isinstance(held, bytes):
                data[piece.start // 8 : piece.start // 8 + len(held)] = held
        if is_symbolic:
            return SYMBOLIC
        if all(byte is not None for byte in data[:size]):
            return _bytes_text(self._state, bytes(byte or 0 for byte in data[:size]), variable)
        if variable.encoding is not None or is_text(variable.type_name) or all(byte is None for byte in data):
            return OPTIMISED_OUT
        return "{" + ", ".join("??" if byte is None else f"{byte:#04x}" for byte in data[:size]) + "}"

    def _bytes(self, piece: VariablePiece) -> bytes | Term | None:
        """The bytes of a piece, if it has whole ones."""
        size = piece.size // 8
        if piece.start % 8 or piece.size % 8:
            return None
        value = self._value(piece.operand, piece.size, is_address=piece.indirect)
        if not isinstance(value, int):
            return value
        if not piece.indirect:
            return (value & ((1 << piece.size) - 1)).to_bytes(size, "little")
        held = _bytes_at(self._state, value, size)
        return held if isinstance(held, bytes) else None


def _bytes_at(state: State, address: int, size: int) -> bytes | str | None:
    """The bytes at an address; SYMBOLIC if some are unknown, None if they are gone."""
    item = state.memory.objects.get(address >> SLOT_BITS)
    offset = offset_in(address)
    if item is None or not 0 <= offset <= item.limit - size:
        return None
    return bytes(item.data[offset : offset + size]) if item.is_concrete(offset, size) else SYMBOLIC


def _bytes_text(state: State, data: bytes, variable: DebugVariable) -> str:
    """A scalar, or the bytes of a short object."""
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
    """The start of an object; an input object is named by a pointer to it, a string literal by its text."""
    if (literal := literal_text(item)) is not None:
        return literal
    return item.name if item.kind == LAZY else f"&{readable(item.name)}"


NAME = re.compile(r"\.str(\.\d+)*")
ARRAY = re.compile(r"(const )?((un)?signed )?char ?\[\d+\]")
SHOWN = 24
"""The most characters shown."""


def is_text(type_name: str | None) -> bool:
    """Whether a type, as C writes it, is an array of characters."""
    return type_name is not None and ARRAY.fullmatch(type_name) is not None


def in_quotes(data: bytes) -> str:
    """Characters as in C, cut short; one zero at the end belongs to the string."""
    text = data.removesuffix(b"\0")
    return quote_bytes(text) if len(text) <= SHOWN else f'{quote_bytes(text[:SHOWN])[:-1]}..."'


def literal_text(item: MemoryObject | Released) -> str | None:
    """The text of a string literal, in quotes; None for other objects."""
    if not isinstance(item, MemoryObject) or not item.read_only or NAME.fullmatch(item.name) is None:
        return None
    return in_quotes(bytes(item.data))
