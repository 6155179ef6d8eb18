"""The C stack of a state, innermost frame first, with the values of the variables in scope."""

from __future__ import annotations

from unfork.execute.faults import StackEntry
from unfork.logic.term import Term
from unfork.program.ir import Bits, Operand, Register
from unfork.program.types import DebugVariable, Position
from unfork.state.memory import SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.state.state import Frame, RegisterValue, State

VALUES_SHOWN = 12


def stack_trace(state: State, position: Position | None) -> tuple[StackEntry, ...]:
    """The frames of ``state``, the innermost at ``position``."""
    entries = []
    for depth, frame in enumerate(reversed(state.frames)):
        where = position if depth == 0 else _call_position(frame)
        entries.append(StackEntry(frame.function.source_name, where, _values(state, frame)))
    return tuple(entries)


def _call_position(frame: Frame) -> Position | None:
    index = frame.index - 1
    body = frame.function.blocks[frame.block].body
    return body[index].position if 0 <= index < len(body) else None


def _values(state: State, frame: Frame) -> tuple[tuple[str, str], ...]:
    """Variables described before the frame's instruction in its block, and those in memory, latest record first."""
    found: dict[str, str] = {}
    block = frame.function.blocks[frame.block]
    for candidate in (block, frame.function.blocks[0]):
        for record in reversed(candidate.debug):
            if candidate is block and record.index > frame.index:
                continue
            name = record.variable.name
            if name in found or record.operand is None or len(found) >= VALUES_SHOWN:
                continue
            text = _value_text(state, frame, record.operand, record.variable, record.indirect)
            if text is not None:
                found[name] = text
    return tuple(found.items())


def _value_text(state: State, frame: Frame, operand: Operand, variable: DebugVariable, indirect: bool) -> str | None:
    value: RegisterValue
    match operand:
        case Register(index=index):
            value = frame.registers[index]
        case Bits(value=value):
            pass
        case _:
            return None
    if value is None:
        return None
    if indirect:
        return _object_text(state, value, variable)
    if isinstance(value, Term):
        return "symbolic"
    return _number(value, variable) if isinstance(value, int) else None


def _object_text(state: State, address: RegisterValue, variable: DebugVariable) -> str | None:
    if not isinstance(address, int) or variable.size is None or variable.size > 16:
        return None
    found = state.memory.objects.get(address >> SLOT_BITS)
    if found is None or found.limit < variable.size:
        return None
    offset = (address & SLOT_MASK) - SLOT_MIDDLE
    if found.mask is not None and any(found.mask[offset : offset + variable.size]):
        return "symbolic"
    return _number(int.from_bytes(found.data[offset : offset + variable.size], "little"), variable)


def _number(value: int, variable: DebugVariable) -> str:
    size = variable.size or 8
    if variable.encoding == "signed" and value >> (8 * size - 1) & 1:
        value -= 1 << (8 * size)
    if variable.encoding in ("signed", "unsigned", "boolean"):
        return str(value)
    return hex(value)
