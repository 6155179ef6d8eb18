"""The types of LLVM IR, and positions and variables of the source."""

from __future__ import annotations

from dataclasses import dataclass, field

# --- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntType:
    """An integer of ``width`` bits (1 to 128, and the odd widths of bit-fields)."""

    width: int


@dataclass(frozen=True, slots=True)
class FloatType:
    """A floating-point format by its LLVM name: half, bfloat, float, double, x86_fp80, fp128."""

    name: str
    most_aligned: int = 16
    """The alignment that memory for it has at most, in bytes."""


@dataclass(frozen=True, slots=True)
class PointerType:
    """An opaque pointer: 64 bits in a register, ``size`` bytes in memory."""

    size: int = 8


@dataclass(frozen=True, slots=True)
class VectorType:
    """``count`` scalars for parallel computation."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class ArrayType:
    """``count`` elements in a row."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    """Fields in order; packed ones have no padding. ``word``: scalars of 8 bytes are aligned to this."""

    elements: tuple[Type, ...]
    packed: bool = False
    word: int = 8


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The parameters and the result of a function; a variadic one takes more."""

    result: Type
    parameters: tuple[Type, ...]
    variadic: bool


@dataclass(frozen=True, slots=True)
class VoidType:
    """No value."""


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """label, metadata, token and opaque structs: types without a size."""

    name: str


Type = IntType | FloatType | PointerType | VectorType | ArrayType | StructType | FunctionType | VoidType | OpaqueType

POINTER = PointerType()
NARROW_POINTER = PointerType(4)
"""A pointer of a program whose pointers have 32 bits."""


def pointer_type(*, is_narrow: bool) -> PointerType:
    """A pointer as the program's memory has it, where ``is_narrow`` says that it has 32 bits."""
    return NARROW_POINTER if is_narrow else POINTER


VOID = VoidType()
METADATA = OpaqueType("metadata")

# --- positions and debug information ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A source location; ``inlined_at`` is the call that inlined it."""

    file: str
    line: int
    column: int
    function: str
    inlined_at: Position | None = None
    scopes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The scopes around it, innermost first, with debug information's numbers.

    After a function's compile unit come the scopes around the call that inlined it. An inlined scope occurs twice:
    with that call, for locals, and without, for statics.
    """
    is_near: bool = False
    """The code here has no position of its own; this is the nearest known one."""


@dataclass(frozen=True, slots=True)
class DebugVariable:
    """A source variable: ``type_name`` as C writes it, ``encoding`` as DWARF has it ("signed", "float", ...)."""

    name: str
    type_name: str | None
    encoding: str | None
    size: int | None
    """Bytes."""
    scope: str = ""
    """The scope that declares it, as in Position.scopes."""
    file: str = field(default="", repr=False)
    line: int = field(default=0, repr=False)
    """Where it is declared; 0 if that is unknown."""
    reference: str = field(default="", compare=False)
    """The reference of its type, for CTypes.type."""
