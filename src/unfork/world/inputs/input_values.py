"""Sources of input values: fresh symbols when exploring, a test's bytes when replaying."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from unfork.engine.state.inputs import UNWRITTEN, InputObject
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm import layout
from unfork.program.llvm.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType

WORD_SIZES = (1, 2, 4, 8)


class Leaf(NamedTuple):
    """``size`` bytes of an input; ``suffix`` follows its name: "", "[3]", ".0", "[3].pad5"."""

    suffix: str
    size: int


@cache
def leaves_of(element: Type | None, size: int) -> tuple[Leaf, ...]:
    """The leaves of an input of ``size`` bytes, in order; their sizes add up to ``size``.

    ``element`` fills the input, once or repeatedly. If none fits, an input of 1, 2, 4 or 8 bytes is one leaf; any
    other is single bytes.
    """
    if element is not None and not isinstance(element, ArrayType) and 0 < layout.size_of(element) < size:
        element = ArrayType(size // layout.size_of(element), element)
    if element is None or not size or layout.size_of(element) != size:
        if element is not None and layout.store_size(element) == size:
            return (Leaf("", size),)
        return _leaves_by_size(size)
    return tuple(_leaves_by_type(element, size))


def _leaves_by_size(size: int) -> tuple[Leaf, ...]:
    if size in WORD_SIZES:
        return (Leaf("", size),)
    return tuple([Leaf(f"[{i}]", 1) for i in range(size)])


def _leaves_by_type(element: Type, size: int) -> list[Leaf]:
    leaves: list[Leaf] = []
    filled = 0
    pending: list[tuple[int, str, Type]] = [(0, "", element)]
    while pending:
        offset, suffix, kind = pending.pop()
        match kind:
            case ArrayType(count=count, element=IntType(8)):
                leaves.extend(_padding(filled, offset))
                leaves.extend([Leaf(f"{suffix}[{i}]", 1) for i in range(count)])
                filled = offset + count
            case ArrayType(count=count, element=part) | VectorType(count=count, element=part):
                stride = layout.size_of(part)
                pending.extend((offset + i * stride, f"{suffix}[{i}]", part) for i in reversed(range(count)))
            case StructType(elements=elements):
                fields = reversed(tuple(enumerate(elements)))
                pending.extend((offset + layout.offset_of(kind, i), f"{suffix}.{i}", part) for i, part in fields)
            case IntType() | FloatType() | PointerType():
                leaves.extend(_padding(filled, offset))
                length = layout.store_size(kind)
                leaves.append(Leaf(suffix, length))
                filled = offset + length
            case _:
                return list(_leaves_by_size(size))
    leaves.extend(_padding(filled, size))
    return leaves


def _padding(start: int, end: int) -> list[Leaf]:
    return [Leaf(f".pad{start}", end - start)] if end > start else []


_BYTES_OF_OBJECT = re.compile(rf"({UNWRITTEN}.*)\[(\d+)\](#\d+)?")
"""Unwritten bytes of an object from an offset on. A replay may read them in other portions than the run."""


def byte_of_object(name: str) -> tuple[str, int, str] | None:
    """(object, offset, number) if ``name`` names unwritten bytes of an object, else None."""
    part = _BYTES_OF_OBJECT.fullmatch(name)
    return None if part is None else (part[1], int(part[2]), part[3] or "")


def full_name(name: str, kind: str) -> str:
    """The name of an input before numbering."""
    return UNWRITTEN + name if kind == "uninit" and not name.startswith(UNWRITTEN) else name


def unique_name(counts: dict[str, int], name: str) -> str:
    """``name``, or ``name#2``, ``name#3``... if the path has inputs of that name; updates ``counts``."""
    count = counts.get(name, 0) + 1
    unique = name if count == 1 else f"{name}#{count}"
    while count > 1 and unique in counts:
        count += 1
        unique = f"{name}#{count}"
    counts[name] = count
    if unique != name:
        counts[unique] = 1
    return unique


def record(state: State, new_input: InputObject) -> InputObject:
    """Add an input to the path."""
    state.inputs = state.inputs.with_one(new_input)
    return new_input


class SymbolicInputs:
    """Makes each input of fresh symbols, named after it."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        """A new input with one symbol per leaf. Equal names give equal symbols, on different paths too."""
        base = full_name(name, kind)
        unique = unique_name(state.input_counts, base)
        leaves: list[tuple[Value, int]] = [
            (symbol(unique + leaf.suffix, 8 * leaf.size), leaf.size) for leaf in leaves_of(element, size)
        ]
        return record(state, InputObject(unique, kind, size, tuple(leaves), base=base))


def _values(data: bytes, widths: Sequence[int]) -> Sequence[int]:
    """The little-endian numbers of these widths in bytes, one behind the other."""
    if len(widths) == len(data):  # of a byte each
        return data
    values, offset = [], 0
    for width in widths:
        values.append(int.from_bytes(data[offset : offset + width], "little"))
        offset += width
    return values


class SeededInputs:
    """Makes symbols too, and notes in ``model`` the values that a seed gives them, which are the path's defaults."""

    def __init__(self, contents: Mapping[str, bytes], model: Model) -> None:
        self._contents = dict(contents)
        self._model = model
        self._source = SymbolicInputs()

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        """A new input of symbols. Those that the seed lacks are zeros in it."""
        new_input = self._source.make(state, name, element, size, kind)
        data = self._contents.get(new_input.name, b"").ljust(size, b"\0")
        for (leaf, _), value in zip(
            new_input.leaves, _values(data, [width for _, width in new_input.leaves]), strict=True
        ):
            if isinstance(leaf, Term):
                self._model.values[leaf] = value
        self._model.memo.clear()
        state.path = state.path.with_defaults(self._model.values)
        return new_input


class ReplayInputs:
    """Gives inputs a test's bytes, by name; ``missing`` counts names that the test lacks.

    The path does not record missing ones that the program names itself: a replay that runs past its test may ask
    often.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = dict(contents)
        self._unwritten: dict[tuple[str, str], list[tuple[int, bytes]]] = {}
        """For each object, the test's ranges of bytes (start, contents), in order."""
        for name, data in contents.items():
            part = byte_of_object(name)
            if part is not None:
                self._unwritten.setdefault((part[0], part[2]), []).append((part[1], data))
        for ranges in self._unwritten.values():
            ranges.sort()
        self.missing = 0
        """Inputs that the test lacks: they read as zeros."""
        self.resized = 0
        """Inputs whose size differs from the test's: cut, or padded with zeros."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        unique = unique_name(state.input_counts, full_name(name, kind))
        data = self._contents.get(unique)
        part = byte_of_object(unique) if kind == "uninit" else None
        if part is not None:
            data = self._bytes(*part, size)
        elif data is None:
            self.missing += 1
            data = bytes(size)
        elif len(data) != size:
            self.resized += 1
            data = data[:size].ljust(size, b"\0")
        widths = [leaf.size for leaf in leaves_of(element, size)]
        new_input = InputObject(unique, kind, size, tuple(zip(_values(data, widths), widths, strict=True)))
        is_wanted = unique in self._contents or kind not in ("symbolic", "nondet")
        return record(state, new_input) if is_wanted else new_input

    def _bytes(self, name: str, start: int, number: str, size: int) -> bytes:
        """``size`` bytes of an object from ``start`` on; zeros where the test has none."""
        contents = bytearray(size)
        ranges = self._unwritten.get((name, number), [])
        at = max(bisect_right(ranges, start, key=itemgetter(0)) - 1, 0)
        while at < len(ranges) and ranges[at][0] < start + size:
            known, data = ranges[at]
            first, last = max(known, start), min(known + len(data), start + size)
            if first < last:
                contents[first - start : last - start] = data[first - known : last - known]
            at += 1
        return bytes(contents)
