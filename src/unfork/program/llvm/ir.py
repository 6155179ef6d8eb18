"""Operands and instructions: LLVM IR as frozen data, one class per kind of instruction.

Registers of a function are numbered densely: its parameters first, then every instruction result in program order.
Constants carry their type and, where they are plain bits, an unsigned integer. Nothing here knows how to run.
"""

from __future__ import annotations

from dataclasses import dataclass

from unfork.program.llvm.types import METADATA, POINTER, FunctionType, Position, Type

# --- operands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Register:
    """A parameter, or the result of an instruction: register ``index`` of the function."""

    index: int
    type: Type


@dataclass(frozen=True, slots=True)
class Bits:
    """A constant integer, float (as its bit pattern) or null pointer (0): ``value`` is unsigned."""

    value: int
    type: Type


@dataclass(frozen=True, slots=True)
class GlobalAddress:
    """The address of a global variable, function or alias."""

    name: str
    type: Type = POINTER


@dataclass(frozen=True, slots=True)
class BlockAddress:
    """The address of a label in a function, for an indirect branch."""

    function: str
    label: str
    type: Type = POINTER


@dataclass(frozen=True, slots=True)
class Undefined:
    """undef and poison: a fresh symbol at each read."""

    type: Type


@dataclass(frozen=True, slots=True)
class Zero:
    """zeroinitializer of an aggregate."""

    type: Type


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A constant array, struct or vector, element by element."""

    elements: tuple[Operand, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ByteString:
    """A constant array of i8."""

    data: bytes
    type: Type


@dataclass(frozen=True, slots=True)
class ConstantExpression:
    """A constant expression: ``instruction`` computes it from constants alone (its ``result`` is -1)."""

    instruction: Instruction
    type: Type


@dataclass(frozen=True, slots=True)
class InlineAssembly:
    """The callee of a call that is inline assembly."""

    template: str
    constraints: str
    type: Type = POINTER


@dataclass(frozen=True, slots=True)
class MetadataOperand:
    """A metadata argument of an intrinsic call; no semantics."""

    text: str
    type: Type = METADATA


Operand = (
    Register
    | Bits
    | GlobalAddress
    | BlockAddress
    | Undefined
    | Zero
    | Aggregate
    | ByteString
    | ConstantExpression
    | InlineAssembly
    | MetadataOperand
)

# --- instructions -----------------------------------------------------------------------------------------------------
# `result` is the register index that receives the value, or -1 for none.


@dataclass(frozen=True, slots=True)
class Binary:
    """add sub mul udiv sdiv urem srem shl lshr ashr and or xor, fadd fsub fmul fdiv frem."""

    result: int
    op: str
    type: Type
    left: Operand
    right: Operand
    flags: tuple[str, ...]
    """nsw, nuw, exact, disjoint, fast-math flags."""
    position: Position | None


@dataclass(frozen=True, slots=True)
class FloatNegate:
    """fneg: flips the sign bit."""

    result: int
    type: Type
    value: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Compare:
    """icmp with predicate eq ne ugt uge ult ule sgt sge slt sle; ``type`` is the operands'."""

    result: int
    predicate: str
    type: Type
    left: Operand
    right: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class FloatCompare:
    """fcmp with predicate false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""

    result: int
    predicate: str
    type: Type
    left: Operand
    right: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Cast:
    """trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast, and spell
    unspell (program/llvm/narrow_pointers.py).
    """

    result: int
    op: str
    source: Type
    value: Operand
    target: Type
    position: Position | None


@dataclass(frozen=True, slots=True)
class Select:
    """select: ``then`` where ``condition`` (i1, or a vector of them) holds, else ``otherwise``."""

    result: int
    type: Type
    condition: Operand
    then: Operand
    otherwise: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Phi:
    """``incoming`` pairs a value with the index of the predecessor block in the function."""

    result: int
    type: Type
    incoming: tuple[tuple[Operand, int], ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class Alloca:
    """alloca: ``count`` values of ``type`` in the frame; ``alignment`` in bytes."""

    result: int
    type: Type
    count: Operand
    alignment: int
    position: Position | None
    site: int
    """The number of this alloca within its function."""
    captured: bool
    """Whether the address may outlive the frame (stored, passed, returned, compared or cast)."""


ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
"""Of atomic operations, the weakest first."""


@dataclass(frozen=True, slots=True)
class Load:
    """load of a value of ``type``; ``alignment`` in bytes. ``ordering`` of an atomic one; others have none."""

    result: int
    type: Type
    pointer: Operand
    alignment: int
    volatile: bool
    position: Position | None
    ordering: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    """store of ``value``, which is of ``type``; ``alignment`` in bytes. ``ordering`` as of Load."""

    result: int
    type: Type
    value: Operand
    pointer: Operand
    alignment: int
    volatile: bool
    position: Position | None
    ordering: str = ""


@dataclass(frozen=True, slots=True)
class GetElementPointer:
    """``base`` + ``offset`` + the sum of index * stride, in bytes.

    ``terms`` pairs an index operand (any integer type, sign-extended to 64 bits) with its stride in bytes. A vector
    of pointers keeps ``type`` a VectorType. ``record`` is the struct at ``base`` by this instruction: LLVM's name of
    it, and its size.
    """

    result: int
    type: Type
    base: Operand
    offset: int
    terms: tuple[tuple[Operand, int], ...]
    position: Position | None
    record: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A direct, indirect or intrinsic call, or inline assembly; ``byval`` has the pointee type per argument or None."""

    result: int
    type: FunctionType
    callee: Operand
    arguments: tuple[Operand, ...]
    byval: tuple[Type | None, ...]
    returns_twice: bool
    position: Position | None
    is_last: bool = False
    """Whether the call ends its caller (musttail), so that any number of successive ones needs one frame."""


@dataclass(frozen=True, slots=True)
class ExtractValue:
    """extractvalue: the part of a struct or array at ``indices``."""

    result: int
    source: Type
    value: Operand
    indices: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class InsertValue:
    """insertvalue: the struct or array with ``value`` as its part at ``indices``."""

    result: int
    type: Type
    aggregate: Operand
    value: Operand
    indices: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class ExtractElement:
    """extractelement: lane ``index`` of a vector of type ``source``."""

    result: int
    source: Type
    vector: Operand
    index: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class InsertElement:
    """switch to the block of the case equal to ``value``, else to ``default``."""

    result: int
    type: Type
    vector: Operand
    value: Operand
    index: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class ShuffleVector:
    """``mask`` gives, per result element, an index into left ++ right, or None for undefined."""

    result: int
    source: Type
    left: Operand
    right: Operand
    mask: tuple[int | None, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class Freeze:
    """freeze: some fixed value in place of an undefined one."""

    result: int
    type: Type
    value: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class AtomicUpdate:
    """atomicrmw: xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap."""

    result: int
    op: str
    type: Type
    pointer: Operand
    value: Operand
    position: Position | None
    ordering: str = "seq_cst"


@dataclass(frozen=True, slots=True)
class CompareExchange:
    """cmpxchg: yields the struct {old value, i1 success}. ``failure`` is its ordering where it fails: it only loads."""

    result: int
    type: Type
    pointer: Operand
    expected: Operand
    replacement: Operand
    position: Position | None
    ordering: str = "seq_cst"
    failure: str = "seq_cst"
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Fence:
    """fence: orders memory accesses, and does nothing in one thread."""

    result: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class VariadicArgument:
    """va_arg, which clang hardly ever emits."""

    result: int
    type: Type
    list: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Branch:
    """br to block ``target``."""

    result: int
    target: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class ConditionalBranch:
    """br to block ``then`` if ``condition`` (i1) holds, else to ``otherwise``."""

    result: int
    condition: Operand
    then: int
    otherwise: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class Switch:
    """switch to the block of the case that ``value`` equals, else to ``default``."""

    result: int
    type: Type
    value: Operand
    default: int
    cases: tuple[tuple[int, int], ...]
    """(unsigned value, block index) in program order."""
    position: Position | None


@dataclass(frozen=True, slots=True)
class IndirectBranch:
    """indirectbr to the label at ``address``, which is one of ``targets``."""

    result: int
    address: Operand
    targets: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class Return:
    """ret; ``value`` is None for void."""

    result: int
    type: Type
    value: Operand | None
    position: Position | None


@dataclass(frozen=True, slots=True)
class Invoked:
    """The end of an invoke, after its call: to ``target``, or to ``landing`` with an exception."""

    result: int
    target: int
    landing: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class LandingPad:
    """landingpad: the exception from an invoke's call, and the clause that takes it.

    ``clauses`` are a type's information each (null: any type), or an array of those of types that may pass (a
    filter).
    """

    result: int
    type: Type
    clauses: tuple[Operand, ...]
    is_cleanup: bool
    position: Position | None


@dataclass(frozen=True, slots=True)
class Resume:
    """resume: the exception in ``value`` goes on to the callers."""

    result: int
    value: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Unreachable:
    """unreachable: getting here is a fault."""

    result: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class UnknownInstruction:
    """An instruction that C never needs; executing it is Unsupported(text)."""

    result: int
    text: str
    position: Position | None


Terminator = Branch | Invoked | ConditionalBranch | Switch | IndirectBranch | Return | Resume | Unreachable
Instruction = (
    Binary
    | FloatNegate
    | Compare
    | FloatCompare
    | Cast
    | Select
    | Phi
    | Alloca
    | Load
    | Store
    | GetElementPointer
    | Call
    | ExtractValue
    | InsertValue
    | ExtractElement
    | InsertElement
    | ShuffleVector
    | Freeze
    | AtomicUpdate
    | CompareExchange
    | Fence
    | VariadicArgument
    | LandingPad
    | Terminator
    | UnknownInstruction
)
