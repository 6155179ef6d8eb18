"""Functions with a contract but no body: how their types are found, and their stubs.

The compiler emits no types for functions that are merely declared. So it gets constants with their addresses, whose
types are in debug information; the reader removes the constants again. A stub makes calls visible. Running its body
is not supported; a proof uses the contract in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unfork.program.llvm.c_types import CType, Pointer, Prototype, Scalar
from unfork.program.llvm.ir import UnknownInstruction, Unreachable
from unfork.program.llvm.module import Block, Declaration, Function, Program
from unfork.program.llvm.types import FunctionType, IntType, PointerType, Type

PREFIX = "__unfork_prototype_"
"""Prefix of these constants, before a number for each file and the function's name."""
_QUIET = '\n#pragma clang diagnostic ignored "-Weverything"\n'


def constants(names: Iterable[str], file: int) -> str:
    """The text to append to that of a file with number ``file``; it declares these functions."""
    lines = [f"__typeof__({name}) *const {PREFIX}{file}_{name} = &{name};\n" for name in names]
    return _QUIET + "".join(lines) if lines else ""


def stubs(program: Program) -> tuple[dict[str, Function], dict[str, str]]:
    """The functions by their names in the program; and those with uncertain types, with the problem."""
    by_name: dict[str, Function] = {}
    problems: dict[str, str] = {}
    for name, said in program.prototypes.items():
        kind = program.declarations.get(name)
        source_name = said[0].source_name
        contract = program.contracts.functions.get(source_name)
        if kind is None or (contract is None and source_name not in program.contracts.unread):
            continue
        problem = None if contract is None else _problem(program, name, said, kind)
        if contract is not None and problem is not None:
            problems[source_name] = f"{contract.file}:{contract.line}: {source_name}: {problem}"
        body = (UnknownInstruction(-1, f"that {name} begins with: it has no body", None), Unreachable(-1, None))
        blocks = (Block(0, "declared", (), body, ()),)
        count = len(kind.parameters)
        unknown = (None,) * count
        by_name[name] = Function(name, kind, unknown, count, blocks, None, source_name, parameter_room=unknown)
    return by_name, problems


def is_stub(function: Function) -> bool:
    """Whether a function has no code to run."""
    return isinstance(function.blocks[0].body[0], UnknownInstruction)


def _problem(program: Program, name: str, said: Sequence[Declaration], kind: FunctionType) -> str | None:
    """Why a function's types are uncertain: its declarations disagree, or lack some."""
    if name in program.weak:
        return "a weak function that has no body may be none: its contract is not supported"
    prototypes = [program.c_types.prototype_of_target(name, each.reference) for each in said]
    first = prototypes[0]
    if first is None or (first.is_variadic and not first.parameters):
        return "it is declared without the types of its parameters, and has no body"
    if any(each != first for each in prototypes) or len({each.source_name for each in said}) > 1:
        return "it is declared in several ways, and has no body"
    if not _is_called_as(first, kind):
        return "it is declared in another way where it is called, and has no body"
    return None


def _is_called_as(prototype: Prototype, kind: FunctionType) -> bool:
    """Whether registers have the declared C types; structs, which become several registers, are not checked."""
    parameters = [parameter.type for parameter in prototype.parameters]
    if prototype.is_variadic != kind.variadic:
        return False
    if len(parameters) != len(kind.parameters):
        return True  # a use of such a parameter is refused where it is read (engine/meaning/scopes.py)
    pairs = [*zip(parameters, kind.parameters, strict=True), (prototype.result, kind.result)]
    return all(_is_passed_as(c_type, passed) for c_type, passed in pairs)


def _is_passed_as(kind: CType, passed: Type) -> bool:
    match kind:
        case Pointer():
            return isinstance(passed, PointerType)
        case Scalar(encoding="boolean"):
            return passed == IntType(1)
        case Scalar(size=size, encoding=encoding) if encoding.startswith(("signed", "unsigned", "UTF")):
            return passed == IntType(8 * size)
    return not isinstance(passed, IntType | PointerType) or not isinstance(kind, Scalar)
