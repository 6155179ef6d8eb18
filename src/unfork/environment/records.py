"""C structs that system calls fill in or read: fields as (offset, bytes, value)."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.execute.loads import load, store
from unfork.execute.ranges import fill
from unfork.execute.step import Step
from unfork.logic import build
from unfork.logic.term import Value

SECOND = 10**9

Field = tuple[int, int, Value]


def write_record(step: Step, pointer: Value, size: int, fields: Iterable[Field]) -> None:
    """Write a struct of ``size`` bytes: ``fields``, and 0 everywhere else."""
    fill(step, pointer, 0, size)
    for offset, width, value in fields:
        store(step, build.add(pointer, offset, 64), build.trunc(value, 64, 8 * width), width)


def moment(offset: int, time: Value) -> list[Field]:
    """The fields of a struct timespec at ``offset``, for a time in nanoseconds (64 bits)."""
    return [(offset, 8, build.udiv(time, SECOND, 64)), (offset + 8, 8, build.urem(time, SECOND, 64))]


def read_moment(step: Step, pointer: Value) -> tuple[Value, Value]:
    """The seconds and nanoseconds of a struct timespec (64 bits each)."""
    return load(step, pointer, 8), load(step, build.add(pointer, 8, 64), 8)
