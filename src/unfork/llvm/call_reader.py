"""Reads what calls and function headers share: attributes, parameters, and the call itself."""

from __future__ import annotations

from unfork.llvm.ir import Binary, Call, Instruction, MetadataOperand, Operand, Select
from unfork.llvm.lexer import Cursor, ReadError
from unfork.llvm.opaque import CHOICE, RESTORED
from unfork.llvm.operand_reader import OperandReader
from unfork.llvm.type_reader import TypeReader
from unfork.llvm.types import METADATA, POINTER, FunctionType, Position, Type

# Words that begin an operand; every other word before an operand is a parameter attribute.
CONSTANT_WORDS = frozenset(
    "true false null undef poison zeroinitializer splat blockaddress dso_local_equivalent no_cfi asm none".split()
    + "getelementptr add sub mul xor trunc ptrtoint ptrtoaddr inttoptr bitcast addrspacecast".split()
    + "extractelement insertelement shufflevector icmp select zext sext and or shl lshr ashr inf nan".split()
)
VALUE_STARTS = frozenset("%@-0123456789[{<c!")
NUMBERED_ATTRIBUTES = frozenset(("align", "cc"))


def skip_attributes(types: TypeReader, cursor: Cursor) -> None:
    """Step over linkage, calling convention, flags and result attributes, up to a type."""
    while not types.starts_here(cursor):
        if not cursor.take():
            raise ReadError("no type")
        if cursor.tokens[cursor.at] == "(":
            cursor.skip_group()
        elif cursor.tokens[cursor.at - 1] in NUMBERED_ATTRIBUTES:
            cursor.at += 1


def skip_parameter_attributes(types: TypeReader, cursor: Cursor) -> Type | None:
    """Step over the attributes between a parameter's type and its value; the type of byval, if there."""
    byval: Type | None = None
    while True:
        token = cursor.tokens[cursor.at]
        if token in (",", ")") or token in CONSTANT_WORDS or (token[:1] in VALUE_STARTS and not token.isidentifier()):
            return byval
        if token == "c" or token[:2] == 'c"' or not token:
            return byval
        cursor.at += 1
        if token == "byval":
            cursor.expect("(")
            byval = types.read(cursor)
            cursor.expect(")")
        elif token == "align" and cursor.tokens[cursor.at] != "(":
            cursor.at += 1
        elif cursor.tokens[cursor.at] == "(":
            cursor.skip_group()


class CallReader:
    """Calls of one function. ``returns_twice`` holds attribute groups (``#3``) and functions (``@name``)."""

    def __init__(self, types: TypeReader, operands: OperandReader, returns_twice: frozenset[str]) -> None:
        self.types = types
        self.operands = operands
        self.returns_twice = returns_twice

    def call(self, cursor: Cursor, op: str, result: int, position: Position | None) -> Instruction:
        """The call after its opening word; calls that stand for divisions and choices turn back into them."""
        skip_attributes(self.types, cursor)
        type = self.types.read(cursor)
        name = cursor.tokens[cursor.at]
        if name.startswith("@unfork."):
            restored = RESTORED.get(name[: name.rfind(".")])
            if name.startswith(f"@{CHOICE}"):
                cursor.at += 1
                condition, then, otherwise = self.arguments(cursor)[0]
                return Select(result, type, condition, then, otherwise, position)
            if restored is not None:
                cursor.at += 1
                left, right = self.arguments(cursor)[0]
                return Binary(result, restored, type, left, right, (), position)
        callee = self.operands.read(cursor, POINTER)
        arguments, byval = self.arguments(cursor)
        if not isinstance(type, FunctionType):
            type = FunctionType(type, tuple(argument.type for argument in arguments), False)
        twice = name in self.returns_twice
        if self.returns_twice and not twice:
            tokens = cursor.tokens
            twice = any(tokens[at] in self.returns_twice for at in range(cursor.at, len(tokens)))
        return Call(result, type, callee, arguments, byval, twice, position)

    def arguments(self, cursor: Cursor) -> tuple[tuple[Operand, ...], tuple[Type | None, ...]]:
        """The arguments in parentheses, and for each its byval type or None."""
        cursor.expect("(")
        arguments: list[Operand] = []
        byval: list[Type | None] = []
        types, operands, tokens = self.types, self.operands, cursor.tokens
        while not cursor.accept(")"):
            type = types.read(cursor)
            if type == METADATA:
                arguments.append(self.metadata(cursor))
                byval.append(None)
            else:
                byval.append(None if tokens[cursor.at][:1] in "%@" else skip_parameter_attributes(types, cursor))
                arguments.append(operands.read(cursor, type))
            cursor.accept(",")
        return tuple(arguments), tuple(byval)

    def metadata(self, cursor: Cursor) -> MetadataOperand:
        """The metadata argument that comes next, as text."""
        start = cursor.at
        while cursor.tokens[cursor.at] not in (",", ")"):
            if cursor.tokens[cursor.at] in ("(", "{", "[", "<"):
                cursor.skip_group()
            else:
                cursor.at += 1
        return MetadataOperand(" ".join(cursor.tokens[start : cursor.at]))
