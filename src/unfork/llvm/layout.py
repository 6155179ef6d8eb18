"""Sizes, alignments and offsets of the types, in the x86-64 System V data layout."""

from __future__ import annotations

from functools import cache

from unfork.llvm.types import (
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
    return (bits_of(type) + 7) // 8


@cache
def alignment_of(type: Type) -> int:
    """The ABI alignment in bytes."""
    match type:
        case IntType() | FloatType() | VectorType():
            # A power of two that holds the value; scalars stop at 16 (i128 and x86_fp80 included).
            natural = 1 << max(0, (store_size(type) - 1).bit_length())
            return natural if isinstance(type, VectorType) else min(natural, 16)
        case PointerType():
            return 8
        case ArrayType(_, element):
            return alignment_of(element)
        case StructType(elements, packed):
            return 1 if packed else max((alignment_of(element) for element in elements), default=1)
        case VoidType() | OpaqueType() | FunctionType():
            return 1


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
            at = align_up(at, alignment_of(element))
        offsets.append(at)
        at += size_of(element)
    return tuple(offsets), at if type.packed else align_up(at, alignment_of(type))


def offset_of(type: StructType, index: int) -> int:
    """The byte offset of element ``index``."""
    return struct_layout(type)[0][index]


def align_up(size: int, alignment: int) -> int:
    """The least multiple of ``alignment`` that is not below ``size``."""
    return (size + alignment - 1) // alignment * alignment
