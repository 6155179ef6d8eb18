"""Reads one instruction from its tokens: a method per kind of instruction, chosen by opcode."""

from __future__ import annotations

from collections.abc import Callable

from unfork.program.llvm.ir import (
    ORDERINGS,
    Alloca,
    AtomicUpdate,
    Binary,
    Bits,
    Branch,
    Cast,
    Compare,
    CompareExchange,
    ConditionalBranch,
    ExtractElement,
    ExtractValue,
    Fence,
    FloatCompare,
    FloatNegate,
    Freeze,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    LandingPad,
    Load,
    Operand,
    Phi,
    Resume,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
    VariadicArgument,
)
from unfork.program.llvm.layout import alignment_of
from unfork.program.llvm.lexer import ReadError, TokenCursor
from unfork.program.llvm.operand_reader import BINARIES, BOOLEAN, CASTS, OperandReader, shuffle_mask
from unfork.program.llvm.type_reader import TypeReader
from unfork.program.llvm.types import VOID, IntType, Position, StructType, Type

Reader = Callable[[TokenCursor, str, int, "Position | None"], Instruction]


class InstructionReader:
    """The instructions of one function. ``blocks`` maps a label with its % to the block's index."""

    def __init__(self, types: TypeReader, operands: OperandReader, blocks: dict[str, int]) -> None:
        self.types = types
        self.operands = operands
        self.blocks = blocks
        self.allocas = 0
        self.readers: dict[str, Reader] = {
            **dict.fromkeys(BINARIES, self.binary),
            **dict.fromkeys(CASTS, self.cast),
            "icmp": self.compare,
            "fcmp": self.compare,
            "fneg": self.float_negate,
            "load": self.load,
            "store": self.store,
            "getelementptr": self.gep,
            "br": self.branch,
            "alloca": self.alloca,
            "phi": self.phi,
            "select": self.select,
            "ret": self.ret,
            "switch": self.switch,
            "unreachable": self.unreachable,
            "indirectbr": self.indirect_branch,
            "extractvalue": self.extract_value,
            "insertvalue": self.insert_value,
            "extractelement": self.extract_element,
            "insertelement": self.insert_element,
            "shufflevector": self.shuffle,
            "freeze": self.freeze,
            "atomicrmw": self.atomic_update,
            "cmpxchg": self.compare_exchange,
            "fence": self.fence,
            "va_arg": self.variadic_argument,
            "landingpad": self.landing_pad,
            "resume": self.resume,
        }

    # --- arithmetic --------------------------------------------------------------------------------------------------

    def binary(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``add nsw TYPE LEFT, RIGHT``, and the other binary operators."""
        flags = self.operands.read_flags(cursor)
        type = self.types.read(cursor)
        left, right = self.pair(cursor, type)
        return Binary(result, op, type, left, right, flags, position)

    def pair(self, cursor: TokenCursor, type: Type) -> tuple[Operand, Operand]:
        """Two operands of one type, separated by a comma."""
        read = self.operands.read
        left = read(cursor, type)
        cursor.expect(",")
        return left, read(cursor, type)

    def compare(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``icmp FLAGS PREDICATE TYPE LEFT, RIGHT``, and ``fcmp``."""
        self.operands.read_flags(cursor)
        predicate = cursor.take()
        type = self.types.read(cursor)
        left, right = self.pair(cursor, type)
        return (Compare if op == "icmp" else FloatCompare)(result, predicate, type, left, right, position)

    def float_negate(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``fneg FLAGS TYPE VALUE``."""
        self.operands.read_flags(cursor)
        value = self.operands.typed(cursor)
        return FloatNegate(result, value.type, value, position)

    def cast(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``zext TYPE VALUE to TYPE``, and the other casts; ptrtoaddr is read as ptrtoint."""
        self.operands.read_flags(cursor)
        value = self.operands.typed(cursor)
        cursor.expect("to")
        target = self.types.read(cursor)
        return Cast(result, "ptrtoint" if op == "ptrtoaddr" else op, value.type, value, target, position)

    def select(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``select TYPE CONDITION, TYPE THEN, TYPE OTHERWISE``."""
        self.operands.read_flags(cursor)
        condition, then, otherwise = self.operands.several(cursor, 3)
        return Select(result, then.type, condition, then, otherwise, position)

    def freeze(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``freeze TYPE VALUE``."""
        value = self.operands.typed(cursor)
        return Freeze(result, value.type, value, position)

    # --- memory ------------------------------------------------------------------------------------------------------

    def alloca(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``alloca TYPE, TYPE COUNT, align BYTES``; it counts as captured until the whole function is known."""
        while cursor.tokens[cursor.at] in ("inalloca", "swifterror"):
            cursor.at += 1
        type = self.types.read(cursor)
        count: Operand = Bits(1, IntType(32))
        alignment = 0
        while cursor.accept(","):
            if cursor.accept("align"):
                alignment = int(cursor.take())
            elif cursor.accept("addrspace"):
                cursor.skip_group()
            else:
                count = self.operands.typed(cursor)
        self.allocas += 1
        return Alloca(result, type, count, alignment or alignment_of(type), position, self.allocas - 1, True)

    def load(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``load atomic volatile TYPE, ptr POINTER, align BYTES``."""
        atomic = cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        type = self.types.read(cursor)
        cursor.expect(",")
        pointer = self.operands.typed(cursor)
        ordering = self.ordering(cursor) if atomic else ""
        return Load(result, type, pointer, self.alignment(cursor) or alignment_of(type), volatile, position, ordering)

    def store(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``store atomic volatile TYPE VALUE, ptr POINTER, align BYTES``."""
        atomic = cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        value = self.operands.typed(cursor)
        cursor.expect(",")
        pointer = self.operands.typed(cursor)
        alignment = self.alignment(cursor) or alignment_of(value.type)
        ordering = self.ordering(cursor) if atomic else ""
        return Store(result, value.type, value, pointer, alignment, volatile, position, ordering)

    def ordering(self, cursor: TokenCursor) -> str:
        """The weakest of the atomic orderings that follow."""
        rest = cursor.tokens[cursor.at :]
        return next((ordering for ordering in ORDERINGS if ordering in rest), ORDERINGS[-1])

    def alignment(self, cursor: TokenCursor) -> int:
        """The alignment in bytes after an atomic ordering, or 0."""
        tokens = cursor.tokens
        for at in range(cursor.at, len(tokens) - 1):
            if tokens[at] == "align":
                return int(tokens[at + 1])
        return 0

    def gep(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``getelementptr TYPE, ptr BASE, TYPE INDEX, ...``."""
        return self.operands.read_gep(cursor, result, position)

    def atomic_update(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``atomicrmw volatile OPERATION ptr POINTER, TYPE VALUE``, then its ordering."""
        cursor.accept("volatile")
        operation = cursor.take()
        pointer, value = self.operands.several(cursor, 2)
        return AtomicUpdate(result, operation, value.type, pointer, value, position, self.ordering(cursor))

    def compare_exchange(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``cmpxchg weak volatile ptr POINTER, TYPE EXPECTED, TYPE REPLACEMENT``, then orderings."""
        is_weak = cursor.accept("weak")
        cursor.accept("volatile")
        pointer, expected, replacement = self.operands.several(cursor, 3)
        type = StructType((expected.type, BOOLEAN))
        ordering, failure = [token for token in cursor.tokens[cursor.at :] if token in ORDERINGS]
        return CompareExchange(result, type, pointer, expected, replacement, position, ordering, failure, is_weak)

    def fence(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``fence``."""
        return Fence(result, position)

    def variadic_argument(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``va_arg ptr LIST, TYPE``."""
        pointer = self.operands.typed(cursor)
        cursor.expect(",")
        return VariadicArgument(result, self.types.read(cursor), pointer, position)

    # --- aggregates and vectors --------------------------------------------------------------------------------------

    def extract_value(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``extractvalue TYPE VALUE, NUMBER, ...``."""
        value = self.operands.typed(cursor)
        return ExtractValue(result, value.type, value, self.numbers(cursor), position)

    def insert_value(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``insertvalue TYPE AGGREGATE, TYPE VALUE, NUMBER, ...``."""
        aggregate, value = self.operands.several(cursor, 2)
        return InsertValue(result, aggregate.type, aggregate, value, self.numbers(cursor), position)

    def numbers(self, cursor: TokenCursor) -> tuple[int, ...]:
        """The numbers that come next, each after a comma."""
        numbers: list[int] = []
        while cursor.accept(","):
            numbers.append(int(cursor.take()))
        return tuple(numbers)

    def extract_element(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``extractelement TYPE VECTOR, TYPE INDEX``."""
        vector, index = self.operands.several(cursor, 2)
        return ExtractElement(result, vector.type, vector, index, position)

    def insert_element(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``insertelement TYPE VECTOR, TYPE VALUE, TYPE INDEX``."""
        vector, value, index = self.operands.several(cursor, 3)
        return InsertElement(result, vector.type, vector, value, index, position)

    def shuffle(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``shufflevector TYPE LEFT, TYPE RIGHT, TYPE MASK``."""
        left, right, mask = self.operands.several(cursor, 3)
        return ShuffleVector(result, left.type, left, right, shuffle_mask(mask), position)

    # --- control -----------------------------------------------------------------------------------------------------

    def label(self, cursor: TokenCursor) -> int:
        """``label %x``, as a block index."""
        cursor.expect("label")
        return self.block(cursor.take())

    def block(self, token: str) -> int:
        """The index of the block with this label. Raises ReadError if there is none."""
        index = self.blocks.get(token)
        if index is None:
            raise ReadError(f"unknown label {token}")
        return index

    def phi(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``phi TYPE [ VALUE, LABEL ], ...``."""
        self.operands.read_flags(cursor)
        type = self.types.read(cursor)
        incoming: list[tuple[Operand, int]] = []
        while True:
            cursor.expect("[")
            value = self.operands.read(cursor, type)
            cursor.expect(",")
            incoming.append((value, self.block(cursor.take())))
            cursor.expect("]")
            if not cursor.accept(","):
                return Phi(result, type, tuple(incoming), position)

    def branch(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``br label TARGET``, or ``br i1 CONDITION, label THEN, label OTHERWISE``."""
        if cursor.tokens[cursor.at] == "label":
            return Branch(result, self.label(cursor), position)
        condition = self.operands.typed(cursor)
        cursor.expect(",")
        then = self.label(cursor)
        cursor.expect(",")
        return ConditionalBranch(result, condition, then, self.label(cursor), position)

    def switch(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``switch TYPE VALUE, label DEFAULT [ TYPE CASE, label TARGET ... ]``."""
        value = self.operands.typed(cursor)
        cursor.expect(",")
        default = self.label(cursor)
        cursor.expect("[")
        cases: list[tuple[int, int]] = []
        while not cursor.accept("]"):
            case = self.operands.typed(cursor)
            cursor.expect(",")
            if not isinstance(case, Bits):
                raise ReadError("a case is not an integer")
            cases.append((case.value, self.label(cursor)))
        return Switch(result, value.type, value, default, tuple(cases), position)

    def indirect_branch(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``indirectbr ptr ADDRESS, [ label TARGET, ... ]``."""
        address = self.operands.typed(cursor)
        cursor.expect(",")
        cursor.expect("[")
        targets: list[int] = []
        while not cursor.accept("]"):
            targets.append(self.label(cursor))
            cursor.accept(",")
        return IndirectBranch(result, address, tuple(targets), position)

    def landing_pad(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``landingpad TYPE``, then ``cleanup``, ``catch TYPE VALUE`` and ``filter TYPE VALUE``."""
        type = self.types.read(cursor)
        is_cleanup = cursor.accept("cleanup")
        clauses: list[Operand] = []
        while cursor.accept("catch") or cursor.accept("filter"):
            clauses.append(self.operands.typed(cursor))
        return LandingPad(result, type, tuple(clauses), is_cleanup, position)

    def resume(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``resume TYPE VALUE``."""
        return Resume(result, self.operands.typed(cursor), position)

    def ret(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``ret TYPE VALUE``, or ``ret void``."""
        type = self.types.read(cursor)
        value = None if type is VOID else self.operands.read(cursor, type)
        return Return(result, type, value, position)

    def unreachable(self, cursor: TokenCursor, op: str, result: int, position: Position | None) -> Instruction:
        """``unreachable``."""
        return Unreachable(result, position)
