"""Finds the running thread's own variables that a function names directly: each is looked up once, at its beginning.

LLVM takes the name of a thread-local variable for the address of the running thread's own. C uses
llvm.threadlocal.address, but constructors, guards, registered destructors and bitcode of clang before 15 name the
variable itself, also within constants. A function runs in one thread, so its own variables stay where they are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from unfork.program.llvm.ir import (
    Aggregate,
    Binary,
    Bits,
    Call,
    Cast,
    ExtractElement,
    GetElementPointer,
    GlobalAddress,
    InsertElement,
    InsertValue,
    Instruction,
    Operand,
    Register,
    ShuffleVector,
    Undefined,
)
from unfork.program.llvm.lexer import plain_name
from unfork.program.llvm.types import POINTER, FunctionType, IntType, Type, VectorType

ADDRESS = "llvm.threadlocal.address"
_INTRINSIC = GlobalAddress(f"{ADDRESS}.p0")
_ASKS = FunctionType(POINTER, (POINTER,), False)
ConstantInstruction = GetElementPointer | Cast | Binary | ExtractElement | InsertElement | ShuffleVector


class OwnVariables:
    """A thread's variables in a function's operands, in registers from ``first`` on. Mutable: it grows during
    reading.

    ``names`` are the module's thread-local variables, with their sigil. ``instructions`` compute the registers.
    """

    __slots__ = ("_addresses", "first", "instructions", "mentions", "names")

    def __init__(self, names: Collection[str], first: int) -> None:
        self.names = names
        self.first = first
        self.instructions: list[Instruction] = []
        self.mentions = 0
        """How often operands have named one: reading a constant with one increases it."""
        self._addresses: dict[str, Register] = {}

    def address(self, token: str) -> Register:
        """The address of the running thread's own variable."""
        self.mentions += 1
        register = self._addresses.get(token)
        if register is None:
            register = self._addresses[token] = self._next(POINTER)
            ask = Call(register.index, _ASKS, _INTRINSIC, (GlobalAddress(plain_name(token)),), (None,), False, None)
            self.instructions.append(ask)
        return register

    def computed(self, instruction: ConstantInstruction, type: Type) -> Register:
        """The value of a constant expression with such variables."""
        register = self._next(type)
        self.instructions.append(replace(instruction, result=register.index))
        return register

    def aggregate(self, elements: tuple[Operand, ...], type: Type) -> Register:
        """The value of an aggregate with such elements."""
        constants = [Undefined(each.type) if isinstance(each, Register) else each for each in elements]
        whole: Operand = Aggregate(tuple(constants), type)
        for number, element in enumerate(elements):
            if isinstance(element, Register):
                register = self._next(type)
                self.instructions.append(_inserted(register.index, type, whole, element, number))
                whole = register
        assert isinstance(whole, Register)
        return whole

    def _next(self, type: Type) -> Register:
        return Register(self.first + len(self.instructions), type)


def _inserted(result: int, type: Type, whole: Operand, element: Operand, number: int) -> Instruction:
    if isinstance(type, VectorType):
        return InsertElement(result, type, whole, element, Bits(number, IntType(32)), None)
    return InsertValue(result, type, whole, element, (number,), None)
