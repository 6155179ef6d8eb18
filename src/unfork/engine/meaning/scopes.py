"""The meaning of names in a contract: parameters, locals and globals, with C types; and what is certain of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from unfork.engine.meaning.c_values import CValue, NoMeaning, convert
from unfork.engine.meaning.expression_meaning import UNSPECIFIED, CPointer, Meaning, MemoryLocation, Names, Typed, Where
from unfork.engine.meaning.formula import Ground
from unfork.engine.state.state import RegisterValue, State
from unfork.errors import Unsupported
from unfork.logic.terms.term import Term, Value
from unfork.program.c.contracts import FunctionContract
from unfork.program.c.expressions import Expression, Integral, Name
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.visible import LocatedVariable
from unfork.program.llvm import layout
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer, Scalar
from unfork.program.llvm.ir import Bits, Register
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import DebugVariable, IntType, PointerType, Type


class Addresses(Protocol):
    """The addresses of the program's globals. Law: a global has the same address in all states of a run."""

    def address(self, name: str) -> int: ...


def _every(register: int) -> bool:
    return True


class Scopes:
    """Finds the variables of a program in its states."""

    def __init__(self, program: Program, addresses: Addresses, facts: Callable[[Function], FunctionFacts]) -> None:
        self._program = program
        self._addresses = addresses
        self._facts = facts
        self._globals: dict[str, list[tuple[MemoryLocation, DebugVariable]]] = {}

    def locals(self, state: State, depth: int, is_held: Callable[[int], bool] = _every) -> Names:
        """The names visible in a frame; only registers for which ``is_held`` is true have values."""
        frame = state.frames[depth]
        function, block, index = frame.function, frame.block, frame.index
        registers = frame.registers

        def known(name: str) -> Typed | None:
            visible = self._facts(function).visible
            scopes = visible.scopes(block, index)
            held = visible.at(block, index)
            static = self._static(name, scopes)
            if name in held and (static is None or not _is_nearer(static[1], held[name], scopes)):
                return self._held(held[name], registers, is_held)
            return None if static is None else static[0]

        return known

    def global_(self, name: str) -> Typed | None:
        """The global of a name."""
        static = self._static(name, ())
        return None if static is None else static[0]

    def visible(self, state: State, depth: int) -> list[str]:
        """The names of the locals visible in a frame."""
        frame = state.frames[depth]
        return list(self._facts(frame.function).visible.at(frame.block, frame.index))

    def parameters(self, contract: FunctionContract, function: Function, values: Sequence[RegisterValue]) -> Names:
        """The names in a function's contract. Raises NoMeaning for unsupported parameters."""
        known = self._parameters(contract, function, values)

        def name_of(name: str) -> Typed | None:
            return known[name] if name in known else self.global_(name)

        return name_of

    def _parameters(
        self, contract: FunctionContract, function: Function, values: Sequence[RegisterValue]
    ) -> Mapping[str, Typed]:
        """The parameters by their names in the contract."""
        prototype = self._program.c_types.prototype(function.name)
        if prototype is None:
            raise NoMeaning(f"{function.source_name} has no debug information")
        if len(prototype.parameters) != len(function.type.parameters):
            raise NoMeaning(f"{function.source_name} passes structs by value")
        known: dict[str, Typed] = {}
        kinds = function.type.parameters
        for parameter, name, kind, value in zip(
            prototype.parameters, contract.parameters, kinds, values[: len(kinds)], strict=True
        ):
            if name:
                known[name] = as_typed(parameter.type, kind, value, self._program.c_types)
        return known

    def _held(
        self, held: LocatedVariable, registers: Sequence[RegisterValue], is_held: Callable[[int], bool]
    ) -> Typed | None:
        match held.operand:
            case Register(index=index) if held.indirect:
                address = registers[index]
                kind = self._program.c_types.type(held.variable.reference)
                return MemoryLocation(address, kind) if isinstance(address, int | Term) else None
            case Register(index=index, type=passed) if is_held(index):
                value = registers[index]
                return self._of_variable(held.variable, passed, value) if isinstance(value, int | Term) else None
            case Bits(value=value, type=passed) if not held.indirect:
                return self._of_variable(held.variable, passed, value)
        return None

    def _of_variable(self, variable: DebugVariable, passed: Type, value: RegisterValue) -> Typed:
        signed = is_signed(variable)
        if signed is not None and isinstance(passed, IntType):
            return _resized(value, passed.width, 8 * (variable.size or 0) or passed.width, signed)
        types = self._program.c_types
        return as_typed(types.type(variable.reference), passed, value, types)

    def _static(self, name: str, scopes: tuple[str, ...]) -> tuple[MemoryLocation, DebugVariable] | None:
        """The innermost static of a name whose scope contains a program point; else the global of that name."""
        known = self._globals.get(name)
        if known is None:
            known = self._globals[name] = [
                found
                for key in sorted(self._program.globals, key=lambda key: key != name)
                if (found := self._global(key, name)) is not None
            ]
        near = [entry for entry in known if entry[1].scope in scopes]
        if near:
            return min(near, key=lambda entry: scopes.index(entry[1].scope))
        return known[0] if known else None

    def _global(self, key: str, name: str) -> tuple[MemoryLocation, DebugVariable] | None:
        if key != name and name not in key.split("."):
            return None
        try:
            declared = self._program.globals[key]
        except Unsupported:
            return None
        variable = self._program.c_types.variable(declared.reference) if declared.reference else None
        if declared.variable is None or variable is None or variable.name != name:
            return None
        return MemoryLocation(self._addresses.address(key), variable.type), declared.variable


def as_typed(kind: CType, passed: Type, value: RegisterValue, types: CTypes) -> Typed:
    """A register as a value of a C type. Raises NoMeaning for unsupported types."""
    if isinstance(kind, Pointer) and isinstance(passed, PointerType):
        return CPointer(value, types.target(kind))
    if isinstance(kind, Scalar) and isinstance(passed, IntType):
        return _resized(value, passed.width, 8 * kind.size, kind.encoding.startswith("signed"))
    raise NoMeaning(f"a value of type {kind.name} (passed in {layout.bits_of(passed)} bits)")


def _resized(value: RegisterValue, passed: int, width: int, signed: bool) -> CValue:
    return CValue(convert(CValue(value, Integral(passed, signed)), Integral(width, signed)), Integral(width, signed))


def is_signed(variable: DebugVariable) -> bool | None:
    """Whether an integer variable is signed; None for other variables."""
    encoding = variable.encoding or ""
    if encoding.startswith("signed"):
        return True
    return False if encoding.startswith(("unsigned", "boolean", "UTF")) else None


def _is_nearer(static: DebugVariable, other: LocatedVariable, scopes: tuple[str, ...]) -> bool:
    """Whether a static is declared in a scope within that of the local variable of the same name."""
    if static.scope not in scopes or other.variable.scope not in scopes:
        return False
    return scopes.index(static.scope) < scopes.index(other.variable.scope)


@dataclass(frozen=True, slots=True)
class Here:
    """A program point in a state, and what is certain there."""

    meaning: Meaning
    where: Where

    def says(self, expression: Expression, given: Mapping[str, CValue] | None = None) -> Value | None:
        """Whether an expression is true (1 bit); None if it has no meaning or reads unknown values.

        ``given`` are values of names.
        """
        try:
            said = self.meaning.formula(expression, replace(self.where, bound=given or {}))
        except NoMeaning:
            return None
        return said.value if isinstance(said, Ground) and _is_known(said.value) else None

    def number(self, name: str) -> CValue | None:
        """The number in a variable; None if there is none or it is unknown."""
        try:
            value = self.meaning.value(Name(name), self.where)
        except NoMeaning:
            return None
        return value if isinstance(value, CValue) and _is_known(value.value) else None


def _is_known(value: Value) -> bool:
    return isinstance(value, int) or not any(each.name.startswith(UNSPECIFIED) for each in value.symbols)
