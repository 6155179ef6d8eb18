"""States in words: a call with concrete arguments, or the numbers of variables in a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import LoopTurn
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning.c_values import CValue
from unfork.engine.meaning.expression_meaning import CPointer, Where
from unfork.engine.meaning.scopes import Here
from unfork.engine.meaning.unbounded_integers import number, value_of
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.program.c.expressions import Integral
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType, Scalar
from unfork.program.llvm.module import Function
from unfork.world.inputs.lazy_globals import own_variables

MOST_ELEMENTS = 12
MOST_DEEP = 2
WORD_BYTES = 8


def call_text(machine: Machine, function: Function, begun: Where) -> str:
    """``fill(a = {1, 2}, n = 3) where last = 2``: after "where", variables with static storage that are not zero."""
    types = machine.program.c_types
    prototype = types.prototype(function.name)
    assert prototype is not None
    arguments = []
    for parameter in prototype.parameters:
        known = begun.names(parameter.name)
        if isinstance(known, CValue) and isinstance(known.value, int):
            arguments.append(f"{parameter.name} = {value_of(number(known))}")
        elif isinstance(known, CPointer) and isinstance(known.value, int):
            arguments.append(f"{parameter.name} = {_pointer_text(types, begun, known.value, known.target, 0)}")
        else:
            arguments.append(f"{parameter.name} = ?")
    where = ", ".join(_static_texts(machine, begun))
    return f"{function.source_name}({', '.join(arguments)})" + (f" where {where}" if where else "")


def _static_texts(machine: Machine, begun: Where) -> Iterator[str]:
    types = machine.program.c_types
    for symbol, _, variable in own_variables(machine.program):
        item = begun.state.memory.objects.get(object_of(machine.statics.address(symbol)))
        if item is not None and any(item.data):
            yield f"{variable.name} = {_value_text(types, begun, item, 0, variable.type, 0)}"


def _pointer_text(types: CTypes, begun: Where, address: int, target: CType, depth: int) -> str:
    if address == 0:
        return "NULL"
    item = begun.state.memory.objects.get(object_of(address))
    offset = offset_in(address)
    if item is not None and item.kind == "global":
        return f"&{item.name}" + (f" + {offset} bytes" if offset else "")
    if item is None or depth > MOST_DEEP or not target.size:
        return f"{address:#x}"
    elements: list[str] = []
    start = offset % target.size
    index = (offset - start) // target.size
    while start + target.size <= len(item.data) and len(elements) < MOST_ELEMENTS:
        elements.append(_value_text(types, begun, item, start, target, depth))
        start += target.size
    more = ", ..." if start + target.size <= len(item.data) else ""
    text = "{" + ", ".join(elements) + more + "}"
    return text if index == 0 else f"&{item.name}{text}[{index}]"


def _value_text(types: CTypes, begun: Where, item: MemoryObject, offset: int, kind: CType, depth: int) -> str:
    match kind:
        case Scalar(_, size, encoding) if not item.uninitialised_runs(offset, size):
            value = item.read(offset, size)
            kind_of_number = Integral(8 * size, encoding.startswith("signed"))
            return str(value_of(number(CValue(value, kind_of_number)))) if isinstance(value, int) else "?"
        case Pointer() if not item.uninitialised_runs(offset, WORD_BYTES):
            value = item.read(offset, WORD_BYTES)
            return _pointer_text(types, begun, value, types.target(kind), depth + 1) if isinstance(value, int) else "?"
        case RecordType() if depth <= MOST_DEEP:
            parts = [
                f".{field.name} = {_value_text(types, begun, item, offset + field.offset, field.type, depth + 1)}"
                for field in types.fields(kind)
                if not field.is_bits
            ]
            return "{" + ", ".join(parts) + "}"
        case Array(_, element, count, _) if depth <= MOST_DEEP:
            shown = [
                _value_text(types, begun, item, offset + index * element.size, element, depth + 1)
                for index in range(min(count, MOST_ELEMENTS))
            ]
            return "{" + ", ".join(shown) + (", ..." if count > MOST_ELEMENTS else "") + "}"
    return "?"


class Explained:
    """The variables in a model where a path may break an obligation, and where its loop turns began."""

    def __init__(self, conditions: ContractConditions) -> None:
        self._conditions = conditions

    def __call__(self, state: State, model: Model) -> str:
        lines = []
        for _, turn in sorted(state.proof.cuts.items()):
            if isinstance(turn, LoopTurn):
                where = f"a turn of the loop at line {turn.contract.line} begins with "
                lines.append(where + self._variables(turn.begun, model))
        lines.append("here " + self._variables(state, model))
        return "\n".join(lines)

    def _variables(self, state: State, model: Model) -> str:
        """``i = 3, n = 4``: the numbers among the locals of the innermost function."""
        if not state.frames:
            return "the function has returned"
        scopes, depth = self._conditions.scopes, len(state.frames) - 1
        here = Here(self._conditions.meaning, self._conditions.at(state, mathematical=False))
        names = sorted(scopes.visible(state, depth))
        known = [(name, held) for name in names if (held := here.number(name)) is not None]
        values = [(name, number(replace(held, value=evaluate(held.value, model)))) for name, held in known]
        return ", ".join([f"{name} = {value_of(value)}" for name, value in values]) or "no numbers"
