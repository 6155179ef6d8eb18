"""Sizes, alignments and offsets against what the x86-64 ABI says."""

from __future__ import annotations

import pytest

from unfork.llvm.layout import alignment_of, bits_of, offset_of, size_of, store_size
from unfork.llvm.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType

I8, I32, I64, I128 = IntType(8), IntType(32), IntType(64), IntType(128)
LONG_DOUBLE = FloatType("x86_fp80")


@pytest.mark.parametrize(
    ("type", "size", "alignment", "stored"),
    [
        (IntType(1), 1, 1, 1),
        (I8, 1, 1, 1),
        (IntType(24), 4, 4, 3),
        (IntType(33), 8, 8, 5),
        (I64, 8, 8, 8),
        (IntType(65), 16, 16, 9),
        (I128, 16, 16, 16),
        (PointerType(), 8, 8, 8),
        (FloatType("half"), 2, 2, 2),
        (FloatType("double"), 8, 8, 8),
        (LONG_DOUBLE, 16, 16, 10),
        (FloatType("fp128"), 16, 16, 16),
        (VectorType(3, I32), 16, 16, 12),
        (VectorType(4, IntType(1)), 1, 1, 1),
        (VectorType(8, I32), 32, 32, 32),
        (ArrayType(3, I32), 12, 4, 12),
        (ArrayType(0, I64), 0, 8, 0),
        (StructType((I8, I32)), 8, 4, 8),
        (StructType((I8, I32), packed=True), 5, 1, 5),
        (StructType((I32, I8)), 8, 4, 8),
        (StructType((I8, I128)), 32, 16, 32),
        (StructType((I8, LONG_DOUBLE, I8)), 48, 16, 48),
        (StructType(()), 0, 1, 0),
    ],
)
def test_sizes(type: Type, size: int, alignment: int, stored: int) -> None:
    assert (size_of(type), alignment_of(type), store_size(type)) == (size, alignment, stored)


def test_offsets() -> None:
    struct = StructType((I8, IntType(16), I8, ArrayType(3, StructType((I8, I64))), I8))
    assert [offset_of(struct, index) for index in range(5)] == [0, 2, 4, 8, 56]
    assert offset_of(StructType((I8, I64), packed=True), 1) == 1


def test_bits() -> None:
    assert bits_of(LONG_DOUBLE) == 80
    assert bits_of(VectorType(4, IntType(1))) == 4
    assert bits_of(StructType((I8, I32))) == 64
