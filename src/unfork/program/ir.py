"""The typed intermediate representation: LLVM IR as frozen data, one class per kind of instruction.

Registers of a function are numbered densely: its parameters first, then every instruction result in program order.
Constants carry their type and, where they are plain bits, an unsigned integer. Nothing here knows how to run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

# --- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntType:
    """An integer of ``width`` bits (1 to 128, and the odd widths that bit-fields produce)."""

    width: int


@dataclass(frozen=True, slots=True)
class FloatType:
    """A floating-point format by its LLVM name: half, bfloat, float, double, x86_fp80, fp128."""

    name: str


@dataclass(frozen=True, slots=True)
class PointerType:
    """An opaque 64-bit pointer."""


@dataclass(frozen=True, slots=True)
class VectorType:
    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class ArrayType:
    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    elements: tuple[Type, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class FunctionType:
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool


@dataclass(frozen=True, slots=True)
class VoidType:
    pass


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """label, metadata, token and opaque structs: types without a size."""

    name: str


Type = IntType | FloatType | PointerType | VectorType | ArrayType | StructType | FunctionType | VoidType | OpaqueType

# --- positions and debug information ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the source; ``inlined_at`` is the call that inlined it."""

    file: str
    line: int
    column: int
    function: str
    inlined_at: Position | None = None


@dataclass(frozen=True, slots=True)
class DebugVariable:
    """A source variable: ``type_name`` as C writes it, ``encoding`` as DWARF has it ("signed", "float", ...)."""

    name: str
    type_name: str | None
    encoding: str | None
    size: int | None
    """Bytes."""


@dataclass(frozen=True, slots=True)
class DebugRecord:
    """Before instruction ``index`` of its block, ``variable`` is in ``operand`` (or at that address when ``indirect``).

    No operand: its value is nowhere from here on.
    """

    index: int
    variable: DebugVariable
    operand: Operand | None
    indirect: bool


# --- operands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Register:
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
    type: Type = PointerType()


@dataclass(frozen=True, slots=True)
class BlockAddress:
    function: str
    label: str
    type: Type = PointerType()


@dataclass(frozen=True, slots=True)
class Undefined:
    """undef and poison: a fresh symbol each time that it is read."""

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
    template: str
    constraints: str
    type: Type = PointerType()


@dataclass(frozen=True, slots=True)
class MetadataOperand:
    """A metadata argument of an intrinsic call; no semantics."""

    text: str
    type: Type = OpaqueType("metadata")


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
    """trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast."""

    result: int
    op: str
    source: Type
    value: Operand
    target: Type
    position: Position | None


@dataclass(frozen=True, slots=True)
class Select:
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
    result: int
    type: Type
    count: Operand
    alignment: int
    position: Position | None
    site: int
    """The number of this alloca within its function."""
    captured: bool
    """Whether the address may outlive the frame (stored, passed, returned, compared or cast)."""


@dataclass(frozen=True, slots=True)
class Load:
    result: int
    type: Type
    pointer: Operand
    alignment: int
    volatile: bool
    position: Position | None


@dataclass(frozen=True, slots=True)
class Store:
    result: int
    type: Type
    value: Operand
    pointer: Operand
    alignment: int
    volatile: bool
    position: Position | None


@dataclass(frozen=True, slots=True)
class GetElementPointer:
    """base + constant_offset + sum of index * stride: already laid out in bytes.

    ``terms`` pairs an index operand (any integer type, sign-extended to 64 bits) with its stride in bytes. A vector of
    pointers keeps ``type`` a VectorType.
    """

    result: int
    type: Type
    base: Operand
    offset: int
    terms: tuple[tuple[Operand, int], ...]
    inbounds: bool
    position: Position | None


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


@dataclass(frozen=True, slots=True)
class ExtractValue:
    result: int
    source: Type
    value: Operand
    indices: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class InsertValue:
    result: int
    type: Type
    aggregate: Operand
    value: Operand
    indices: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class ExtractElement:
    result: int
    source: Type
    vector: Operand
    index: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class InsertElement:
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


@dataclass(frozen=True, slots=True)
class CompareExchange:
    """cmpxchg: yields the struct {old value, i1 success}."""

    result: int
    type: Type
    pointer: Operand
    expected: Operand
    replacement: Operand
    position: Position | None


@dataclass(frozen=True, slots=True)
class Fence:
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
    result: int
    target: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class ConditionalBranch:
    result: int
    condition: Operand
    then: int
    otherwise: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class Switch:
    result: int
    type: Type
    value: Operand
    default: int
    cases: tuple[tuple[int, int], ...]
    """(unsigned value, block index) in program order."""
    position: Position | None


@dataclass(frozen=True, slots=True)
class IndirectBranch:
    result: int
    address: Operand
    targets: tuple[int, ...]
    position: Position | None


@dataclass(frozen=True, slots=True)
class Return:
    result: int
    type: Type
    value: Operand | None
    position: Position | None


@dataclass(frozen=True, slots=True)
class Unreachable:
    result: int
    position: Position | None


@dataclass(frozen=True, slots=True)
class UnknownInstruction:
    """An instruction that C never needs; executing it is Unsupported(text)."""

    result: int
    text: str
    position: Position | None


Terminator = Branch | ConditionalBranch | Switch | IndirectBranch | Return | Unreachable
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
    | Terminator
    | UnknownInstruction
)

# --- functions and programs -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """Straight-line code: ``phis``, then ``body``, whose last instruction is the terminator."""

    index: int
    label: str
    phis: tuple[Phi, ...]
    body: tuple[Instruction, ...]
    debug: tuple[DebugRecord, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A defined function. ``blocks[0]`` is the entry."""

    name: str
    type: FunctionType
    parameter_names: tuple[str, ...]
    parameter_byval: tuple[Type | None, ...]
    register_count: int
    blocks: tuple[Block, ...]
    position: Position | None
    source_name: str
    """The name in the source (from debug info), or ``name``."""


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """``initializer`` is None for a declaration (an external object of unknown contents)."""

    name: str
    type: Type
    initializer: Operand | None
    constant: bool
    alignment: int
    thread_local: bool
    position: Position | None


@dataclass(slots=True, eq=False)
class Program:
    """A linked module. Functions are parsed on first use: ``function(name)`` caches what ``parse`` returns."""

    globals: dict[str, GlobalVariable]
    aliases: dict[str, Operand]
    declarations: dict[str, FunctionType]
    """Functions without a body."""
    defined: tuple[str, ...]
    """Names of functions with a body, in program order."""
    parse: Callable[[str], Function]
    constructors: tuple[str, ...]
    """llvm.global_ctors, by priority, then order."""
    destructors: tuple[str, ...]
    sources: tuple[str, ...]
    """The source files of the compile units, as the user named them."""
    bitcode: bytes
    """The linked module before any pass, for the run directory."""
    weak: frozenset[str] = frozenset()
    """Declarations that are null when nothing defines them (extern_weak)."""
    warnings: str = ""
    """What the compiler printed although it succeeded."""
    functions: dict[str, Function] = field(default_factory=dict)

    def function(self, name: str) -> Function:
        """The parsed body of the defined function ``name``."""
        found = self.functions.get(name)
        if found is None:
            found = self.functions[name] = self.parse(name)
        return found
