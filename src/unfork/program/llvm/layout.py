"""The System V data layouts of x86-64 and i386: sizes, alignments and offsets of types, and which modules have them.

Types of modules for i386 say so themselves (program/llvm/types.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from unfork.program.llvm.ir import Aggregate, Operand
from unfork.program.llvm.types import (
    POINTER,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)

POINTER_BITS = 64

FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}


TRIPLE = "x86_64-unknown-linux-musl"
DATA_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
ARCHITECTURES = ("x86_64", "amd64")
NARROW_TRIPLE = "i386-unknown-linux-musl"
NARROW_DATA_LAYOUT = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
"""The target of programs whose pointers, and longs, have 32 bits."""
_NARROW = re.compile(r"i[3-6]86-")
_WINDOWS = re.compile(r"windows|win32|mingw|cygwin|uefi")
_SIZED = re.compile(r"([ivf])(\d+):(\d+)")
_POINTER = re.compile(r"p[a-z]*0?:(\d+)(?::(\d+)(?::\d+(?::(\d+))?)?)?")
_AGGREGATE = re.compile(r"a0?:(\d+)")
_SPACE = re.compile(r"[PGA]0*[1-9]")
_WITHOUT_EFFECT = frozenset(("i128:128",))
"""Parts of the layout of i386 that older versions of clang do not write; C has no such type there."""
_FLOATS = {bits: FloatType(name) for name, bits in reversed(FLOAT_BITS.items())}


@cache
def bits_of(type: Type) -> int:
    """The width in bits of a value; for arrays and structs that of their memory, padding included."""
    match type:
        case IntType(width):
            return width
        case PointerType():
            return POINTER_BITS
        case FloatType(name):
            return FLOAT_BITS[name]
        case VectorType(count, element):
            return count * bits_of(element)
        case ArrayType() | StructType():
            return 8 * size_of(type)
        case VoidType() | OpaqueType() | FunctionType():
            return 0


@cache
def store_size(type: Type) -> int:
    """The bytes that a load or a store of the type touches."""
    if isinstance(type, PointerType):
        return type.size
    return (bits_of(type) + 7) // 8


@cache
def alignment_of(type: Type) -> int:
    """The ABI alignment in bytes."""
    match type:
        case IntType() | FloatType() | VectorType():
            # A power of two that holds the value; scalars stop at 16 (i128 and x86_fp80 included).
            natural = 1 << max(0, (store_size(type) - 1).bit_length())
            most = type.most_aligned if isinstance(type, FloatType) else 16
            return natural if isinstance(type, VectorType) else min(natural, most)
        case PointerType(size):
            return size
        case ArrayType(_, element):
            return alignment_of(element)
        case StructType(elements, packed, word):
            return 1 if packed else max((_alignment_in(word, element) for element in elements), default=1)
        case VoidType() | OpaqueType() | FunctionType():
            return 1


def _alignment_in(word: int, type: Type) -> int:
    """The alignment of a member of a struct whose scalars of 8 bytes are aligned to ``word``."""
    scalar = type
    while isinstance(scalar, ArrayType):
        scalar = scalar.element
    is_long = isinstance(scalar, IntType | FloatType) and 4 < store_size(scalar) <= 8
    return word if is_long else alignment_of(type)


@cache
def size_of(type: Type) -> int:
    """The bytes that an object of the type takes, tail padding included: the stride of an array of it."""
    match type:
        case ArrayType(count, element):
            return count * size_of(element)
        case StructType():
            return struct_layout(type)[1]
        case _:
            return align_up(store_size(type), alignment_of(type))


@cache
def struct_layout(type: StructType) -> tuple[tuple[int, ...], int]:
    """The offset of each element, and the size of the whole, in bytes."""
    offsets = []
    at = 0
    for element in type.elements:
        if not type.packed:
            at = align_up(at, _alignment_in(type.word, element))
        offsets.append(at)
        at += size_of(element)
    return tuple(offsets), at if type.packed else align_up(at, alignment_of(type))


def element_of(type: Type) -> int:
    """The bytes of the integers of an array type of any dimensions; 0 for other types.

    A struct of a single array counts as that array.
    """
    element = type
    while isinstance(element, ArrayType) or (isinstance(element, StructType) and len(element.elements) == 1):
        element = element.element if isinstance(element, ArrayType) else element.elements[0]
    is_whole = isinstance(element, IntType) and element.width in (8, 16, 32, 64)
    return size_of(element) if is_whole and element is not type else 0


def offset_of(type: StructType, index: int) -> int:
    """The byte offset of element ``index``."""
    return struct_layout(type)[0][index]


def align_up(size: int, alignment: int) -> int:
    """The least multiple of ``alignment`` that is not below ``size``."""
    return (size + alignment - 1) // alignment * alignment


# --- modules with these layouts


def is_narrow(triple: str) -> bool:
    """Whether a module is for i386, where pointers have 32 bits."""
    return _NARROW.match(triple) is not None


def narrow_objection(triple: str, data_layout: str) -> str | None:
    """Why a module for i386 is not for Linux, or not laid out as clang does it, in words; None if it is."""
    if _WINDOWS.search(triple) or "linux" not in triple:
        return f"is for the target {triple}"
    theirs, ours = (set(text.split("-")) - _WITHOUT_EFFECT for text in (data_layout, NARROW_DATA_LAYOUT))
    if data_layout and theirs != ours:
        return f"has a data layout of its own ({data_layout})"
    return None


def objection(triple: str, data_layout: str) -> str | None:
    """Why a module is not for x86-64 Linux, in words for the user; None if it is.

    Parts of a data layout that do not affect sizes, offsets or byte order may differ, as between versions of clang.
    """
    if triple and not triple.startswith(ARCHITECTURES):
        return f"is for the target {triple}"
    if _WINDOWS.search(triple):
        return f"is for the target {triple}, where calls pass arguments in another way"
    return next(
        (contradiction for part in data_layout.split("-") if (contradiction := _contradicts(part)) is not None), None
    )


def assumption(triple: str, data_layout: str) -> str:
    """The assumption about a module without target or data layout; "" if it states both."""
    if triple and data_layout:
        return ""
    missing = "no target" if data_layout else "no data layout" if triple else "neither a target nor a data layout"
    return f"the file states {missing}: read as code for {TRIPLE}"


def _contradicts(part: str) -> str | None:
    """How one part of a data layout contradicts x86-64, in words for the user; None if it does not."""
    says = f"has the data layout of another machine ({part}: "
    if part == "E":
        return says + "big endian)"
    if _SPACE.match(part):
        return says + "functions or variables in an address space of their own)"
    if pointer := _POINTER.fullmatch(part):
        size, alignment, index = [None if number is None else int(number) for number in pointer.groups()]
        if size != POINTER_BITS or index not in (None, POINTER_BITS):
            return says + f"pointers of x86-64 have {POINTER_BITS} bits)"
        return _alignment(says, POINTER, POINTER_BITS if alignment is None else alignment)
    if (aggregate := _AGGREGATE.match(part)) and int(aggregate[1]) > 8:
        return says + "structs of x86-64 are aligned as their members are)"
    if sized := _SIZED.match(part):
        kind = _type(sized[1], int(sized[2]))
        return None if kind is None else _alignment(says, kind, int(sized[3]))
    return None


def _type(letter: str, bits: int) -> Type | None:
    """The type that a part describes; None if LLVM has no such type."""
    match letter:
        case "i":
            return IntType(bits)
        case "v":
            return VectorType(bits, IntType(1))
    return _FLOATS.get(bits)


def _alignment(says: str, kind: Type, bits: int) -> str | None:
    aligned = 8 * alignment_of(kind)
    return None if bits == aligned else says + f"it is aligned to {aligned} bits on x86-64)"


def parts_of(kind: Type) -> list[tuple[int, Type]]:
    """The elements of an aggregate with their offsets in bytes; none of a scalar."""
    match kind:
        case StructType(elements=elements):
            return [*zip(struct_layout(kind)[0], elements, strict=True)]
        case ArrayType(count=count, element=element):
            return [(i * size_of(element), element) for i in range(count)]
        case VectorType(count=count, element=element):
            return [(i * store_size(element), element) for i in range(count)]
    return []


def leaves_of(initializer: Operand) -> Iterator[tuple[int, Operand]]:
    """The values within an initial value that are no aggregates, with their offsets in bytes."""
    waiting = [(0, initializer)]
    while waiting:
        offset, operand = waiting.pop()
        if isinstance(operand, Aggregate):
            parts = zip(parts_of(operand.type), operand.elements, strict=True)
            waiting += [(offset + at, part) for (at, _), part in parts]
        else:
            yield offset, operand
