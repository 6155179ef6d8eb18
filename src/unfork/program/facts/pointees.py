"""The C types of pointers' targets, as the source declares or uses them.

A ``void *``, or a pointer to a struct that is only declared, is cast where code uses it: to the type of a variable,
or for one access. LLVM's pointers have no types, but debug information has those of variables, and pointer
arithmetic (getelementptr) names its struct.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer
from unfork.program.llvm.ir import Cast, GetElementPointer, Instruction, Load, Operand, Register
from unfork.program.llvm.module import Function
from unfork.program.llvm.narrow_pointers import UNSPELL


@dataclass(frozen=True, slots=True)
class Pointee:
    """The type of a target; it begins ``distance`` bytes before the pointer's address.

    With indices, the distance is only its constant part. ``is_here``: the pointer itself was made from one to this
    type; otherwise a variable, or other code, gives the type.
    """

    type: CType
    distance: int
    is_here: bool = False


class Pointees:
    """The targets of one function's registers."""

    def __init__(self, function: Function, types: CTypes) -> None:
        self._made: dict[int, tuple[GetElementPointer, CType | None]] = {}
        self._types: dict[int, list[CType]] = {}
        slots: dict[int, CType] = {}
        for block in function.blocks:
            for record in block.debug:
                if isinstance(record.operand, Register):
                    kind = types.type(record.variable.reference)
                    if record.indirect:
                        slots[record.operand.index] = kind
                        self._types.setdefault(record.operand.index, []).append(kind)
                    else:
                        self._note(record.operand.index, kind, types)
        for instruction in function.instructions():
            self._read(instruction, slots, types)

    def _read(self, instruction: Instruction, slots: dict[int, CType], types: CTypes) -> None:
        match instruction:
            case GetElementPointer(result=result, base=base, record=record):
                kind = types.named(*record) if record is not None else None
                self._made[result] = instruction, kind
                if kind is not None and isinstance(base, Register):
                    self._types.setdefault(base.index, []).append(kind)
            case Load(result=result, pointer=Register(index=index)) if index in slots:
                self._note(result, slots[index], types)
            case Cast(result=result, op=op, value=Register(index=index)) if op == UNSPELL and index in self._types:
                self._types[result] = self._types[index]

    def _note(self, register: int, kind: CType, types: CTypes) -> None:
        if isinstance(kind, Pointer):
            self._types.setdefault(register, []).append(types.target(kind))

    def named(self) -> Iterator[tuple[int, CType]]:
        """The registers whose targets variables or pointer arithmetic name, and the type of each."""
        for index, kinds in self._types.items():
            yield from ((index, kind) for kind in kinds)

    def of(self, operand: Operand) -> Iterator[Pointee]:
        """The types of a pointer's target, and of what contains it."""
        distance = 0
        while isinstance(operand, Register):
            for kind in self._types.get(operand.index, ()):
                yield Pointee(kind, distance)
            if operand.index not in self._made:
                return
            step, kind_here = self._made[operand.index]
            distance += step.offset
            if kind_here is not None:
                yield Pointee(kind_here, distance, is_here=True)
            operand = step.base
