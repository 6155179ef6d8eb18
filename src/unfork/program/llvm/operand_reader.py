"""Reads operands: registers, constants of every kind, and constant expressions."""

from __future__ import annotations

import struct
from collections.abc import Collection

from unfork.program.llvm.ir import (
    Aggregate,
    Binary,
    Bits,
    BlockAddress,
    ByteString,
    Cast,
    ConstantExpression,
    ExtractElement,
    GetElementPointer,
    GlobalAddress,
    InlineAssembly,
    InsertElement,
    Operand,
    Register,
    ShuffleVector,
    Undefined,
    Zero,
)
from unfork.program.llvm.layout import bits_of, offset_of, size_of
from unfork.program.llvm.lexer import ReadError, TokenCursor, plain_name, unescape
from unfork.program.llvm.narrow_pointers import SPELL, UNSPELL
from unfork.program.llvm.thread_locals import ConstantInstruction, OwnVariables
from unfork.program.llvm.type_reader import TypeReader
from unfork.program.llvm.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    Position,
    StructType,
    Type,
    VectorType,
)

BINARIES = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split())
CASTS = frozenset(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp".split()
    + "ptrtoint ptrtoaddr inttoptr bitcast addrspacecast".split()
    + [SPELL, UNSPELL]
)
FLAGS = frozenset(
    "nsw nuw exact disjoint nneg samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc".split()
)
BOOLEAN = IntType(1)
_INDEX_BITS = 32
"""Bits of an index where pointers have as many: LLVM cuts wider ones."""
HEX_FLOATS = {"K": "x86_fp80", "L": "fp128", "M": "ppc_fp128", "H": "half", "R": "bfloat"}


class OperandReader:
    """Operands of one function, or of the module's initializers if ``indices`` is empty.

    ``indices`` maps each name (with its sigil) to the number of its register. Variables in ``thread_local`` become
    registers, too, which follow the others: ``own`` computes them.
    """

    __slots__ = ("indices", "own", "registers", "types")

    def __init__(self, types: TypeReader, indices: dict[str, int], thread_local: Collection[str] = ()) -> None:
        self.types = types
        self.indices = indices
        self.registers: dict[str, Register] = {}
        self.own = OwnVariables(thread_local, len(indices))

    def typed(self, cursor: TokenCursor) -> Operand:
        """A type followed by an operand of it."""
        return self.read(cursor, self.types.read(cursor))

    def several(self, cursor: TokenCursor, count: int) -> list[Operand]:
        """``count`` operands, each after its type, separated by commas."""
        operands = [self.typed(cursor)]
        while len(operands) < count:
            cursor.expect(",")
            operands.append(self.typed(cursor))
        return operands

    def read(self, cursor: TokenCursor, type: Type) -> Operand:
        """An operand of a known type."""
        token = cursor.tokens[cursor.at]
        first = token[:1]
        if first == "%":
            cursor.at += 1
            register = self.registers.get(token)
            if register is None:
                index = self.indices.get(token)
                if index is None:
                    raise ReadError(f"unknown value {token}")
                register = self.registers[token] = Register(index, type)
            return register
        if isinstance(type, IntType) and (first.isdigit() or first == "-"):
            cursor.at += 1
            return Bits(int(token) & ((1 << type.width) - 1), type)
        if first == "@":
            cursor.at += 1
            return self.own.address(token) if token in self.own.names else self.address(token)
        return self.read_constant(cursor, token, type)

    def address(self, token: str) -> GlobalAddress:
        """The address of a global variable or function."""
        return GlobalAddress(plain_name(token), self.types.pointer)

    def read_constant(self, cursor: TokenCursor, token: str, type: Type) -> Operand:
        """The constant of a type whose first token, at the cursor, is ``token``."""
        cursor.at += 1
        match token:
            case "true":
                return Bits(1, BOOLEAN)
            case "false":
                return Bits(0, BOOLEAN)
            case "null":
                return Bits(0, type)
            case "undef" | "poison":
                return Undefined(type)
            case "zeroinitializer":
                scalar = isinstance(type, IntType | FloatType | PointerType)
                return Bits(0, type) if scalar else Zero(type)
            case "[" | "{":
                return self.aggregate(self.read_elements(cursor), type)
            case "<":
                if cursor.accept("{"):
                    elements = self.read_elements(cursor)
                    cursor.expect(">")
                    return self.aggregate(elements, type)
                return self.aggregate(self.read_elements(cursor), type)
            case "splat":
                cursor.expect("(")
                element = self.typed(cursor)
                cursor.expect(")")
                if not isinstance(type, VectorType):
                    raise ReadError("splat of no vector")
                return self.aggregate((element,) * type.count, type)
            case "blockaddress":
                cursor.expect("(")
                function = plain_name(cursor.take())
                cursor.expect(",")
                label = plain_name(cursor.take())
                cursor.expect(")")
                return BlockAddress(function, label, self.types.pointer)
            case "dso_local_equivalent" | "no_cfi":
                return self.address(cursor.take())
            case "asm":
                return self.read_assembly(cursor)
        return self.read_literal(cursor, token, type)

    def read_literal(self, cursor: TokenCursor, token: str, type: Type) -> Operand:
        """A string, a floating-point number, or a constant expression."""
        if token[:2] == 'c"':
            return ByteString(unescape(token[2:-1]), type)
        if isinstance(type, FloatType) and token:
            return Bits(float_bits(token, type.name), type)
        return self.read_expression(cursor, token, type)

    def read_elements(self, cursor: TokenCursor) -> tuple[Operand, ...]:
        """The elements of an aggregate, up to and including its closing bracket."""
        elements: list[Operand] = []
        while cursor.tokens[cursor.at] not in ("]", "}", ">"):
            elements.append(self.typed(cursor))
            cursor.accept(",")
        cursor.at += 1
        return tuple(elements)

    def aggregate(self, elements: tuple[Operand, ...], type: Type) -> Operand:
        """An aggregate of these elements."""
        if self.own.instructions and any(isinstance(element, Register) for element in elements):
            return self.own.aggregate(elements, type)
        return Aggregate(elements, type)

    def read_assembly(self, cursor: TokenCursor) -> InlineAssembly:
        """The template and the constraints after ``asm``. Raises ReadError if there is no template."""
        while cursor.tokens[cursor.at][:1] != '"':
            if not cursor.take():
                raise ReadError("no template in inline assembly")
        template = unescape(cursor.take()[1:-1]).decode("utf-8", "replace")
        cursor.expect(",")
        constraints = unescape(cursor.take()[1:-1]).decode("utf-8", "replace")
        return InlineAssembly(template, constraints)

    # --- constant expressions ----------------------------------------------------------------------------------------

    def read_expression(self, cursor: TokenCursor, op: str, type: Type) -> Operand:
        """The constant expression after the word ``op``, as an instruction without a result.

        LLVM has made instructions of all other kinds. Raises ReadError for them.
        """
        instruction: ConstantInstruction
        mentions = self.own.mentions
        if op == "getelementptr":
            instruction = self.read_gep(cursor, -1, None)
            type = instruction.type
        else:
            instruction = self.read_operation(cursor, op, type)
        cursor.expect(")")
        if self.own.mentions > mentions:
            return self.own.computed(instruction, type)
        return ConstantExpression(instruction, type)

    def read_operation(self, cursor: TokenCursor, op: str, type: Type) -> ConstantInstruction:
        """The operands in parentheses of a constant expression, up to the closing one, and the operation."""
        instruction: ConstantInstruction
        flags = self.read_flags(cursor)
        cursor.expect("(")
        if op in CASTS:
            value = self.typed(cursor)
            cursor.expect("to")
            instruction = Cast(-1, op, value.type, value, self.types.read(cursor), None)
        elif op in BINARIES:
            left, right = self.several(cursor, 2)
            instruction = Binary(-1, op, type, left, right, flags, None)
        elif op == "extractelement":
            vector, index = self.several(cursor, 2)
            instruction = ExtractElement(-1, vector.type, vector, index, None)
        elif op == "insertelement":
            vector, value, index = self.several(cursor, 3)
            instruction = InsertElement(-1, type, vector, value, index, None)
        elif op == "shufflevector":
            left, right, mask = self.several(cursor, 3)
            instruction = ShuffleVector(-1, left.type, left, right, shuffle_mask(mask), None)
        else:
            raise ReadError(f"unknown constant {op}")
        return instruction

    def read_flags(self, cursor: TokenCursor) -> tuple[str, ...]:
        """The flags (nsw, exact, fast, ...) at the cursor."""
        flags: list[str] = []
        while (token := cursor.tokens[cursor.at]) in FLAGS:
            flags.append(token)
            cursor.at += 1
        return tuple(flags)

    def read_gep(self, cursor: TokenCursor, result: int, position: Position | None) -> GetElementPointer:
        """The rest of a getelementptr, with or without parentheses; its offsets are in bytes."""
        while (token := cursor.tokens[cursor.at]) in ("inbounds", "nuw", "nusw", "inrange"):
            cursor.at += 1
            if token == "inrange":
                cursor.skip_group()
        cursor.accept("(")
        token = cursor.tokens[cursor.at]
        at = self.types.read(cursor)
        record = (token, size_of(at)) if token.startswith("%") else None
        cursor.expect(",")
        base = self.typed(cursor)
        offset, terms, lanes = self.lay_out(cursor, at)
        if isinstance(base.type, VectorType):
            lanes = base.type.count
        pointer = self.types.pointer
        type: Type = VectorType(lanes, pointer) if lanes else pointer
        return GetElementPointer(result, type, base, offset, tuple(terms), position, record)

    def lay_out(self, cursor: TokenCursor, at: Type) -> tuple[int, list[tuple[Operand, int]], int]:
        """Constant byte offset, (index, stride) terms, and the number of lanes if an index is a vector."""
        offset = 0
        terms: list[tuple[Operand, int]] = []
        lanes = 0
        stride = size_of(at)
        outermost = True
        while cursor.accept(","):
            index = self.typed(cursor)
            if self.types.is_narrow and isinstance(index, Register) and bits_of(index.type) > _INDEX_BITS:
                raise ReadError("an index that is wider than a pointer")
            if not outermost:
                if isinstance(at, StructType):
                    number = lane_value(index)
                    offset += offset_of(at, number)
                    at = at.elements[number]
                    continue
                if not isinstance(at, ArrayType | VectorType):
                    raise ReadError("getelementptr into a scalar")
                at = at.element
                stride = size_of(at)
            outermost = False
            if isinstance(index, Bits) and isinstance(index.type, IntType):
                half = 1 << (index.type.width - 1)
                offset += ((index.value ^ half) - half) * stride
            else:
                if isinstance(index.type, VectorType):
                    lanes = index.type.count
                if stride and not isinstance(index, Zero):
                    terms.append((index, stride))
        return offset, terms, lanes


def lane_value(index: Operand) -> int:
    """The value of a constant struct index, which a vector repeats in each lane. Raises ReadError if not constant."""
    match index:
        case Bits(value):
            return value
        case Zero():
            return 0
        case Aggregate(elements) if isinstance(elements[0], Bits):
            return elements[0].value
    raise ReadError("a struct index is not constant")


def shuffle_mask(operand: Operand) -> tuple[int | None, ...]:
    """The lanes that a shufflevector picks, None for undefined ones. Raises ReadError if not constant."""
    match operand:
        case Aggregate(elements):
            return tuple(element.value if isinstance(element, Bits) else None for element in elements)
        case Zero(VectorType(count)):
            return (0,) * count
        case Undefined(VectorType(count)):
            return (None,) * count
    raise ReadError("a shuffle mask is not constant")


def float_bits(token: str, name: str) -> int:
    """The bits of a floating-point literal. Decimal literals, and hexadecimal ones without a letter, are doubles."""
    if token.startswith("f0x"):
        return int(token[3:], 16)
    if token.startswith("0xL"):  # fp128: LLVM prints the low 64 bits first
        return int(token[19:] + token[3:19], 16)
    if token.startswith("0x") and token[2:3] in HEX_FLOATS:
        return int(token[3:], 16)
    try:
        bits = int(token, 16) if token.startswith("0x") else struct.unpack("<Q", struct.pack("<d", float(token)))[0]
    except ValueError:
        raise ReadError(f"not a number: {token!r}") from None
    if name == "double":
        return int(bits)
    return narrow_double(bits, name)


# Exponent bits and explicit fraction bits.
FORMATS = {"half": (5, 10), "bfloat": (8, 7), "float": (8, 23)}


def narrow_double(bits: int, name: str) -> int:
    """The 64 bits of a double in a narrower format that holds it exactly, NaN payloads included."""
    if name not in FORMATS:
        raise ReadError(f"a literal of {name} as a double")
    exponent_bits, fraction_bits = FORMATS[name]
    if bits >> 52 & 0x7FF == 0x7FF:
        top = (bits >> 63 << exponent_bits) + (1 << exponent_bits) - 1
        return top << fraction_bits | (bits & (1 << 52) - 1) >> (52 - fraction_bits)
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    if name == "half":
        return int.from_bytes(struct.pack("<e", value), "little")
    single = int.from_bytes(struct.pack("<f", value), "little")
    return single >> 16 if name == "bfloat" else single
