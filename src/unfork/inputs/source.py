"""Where the values of inputs come from: fresh symbols when exploring, a test's bytes when replaying."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from operator import itemgetter

from unfork.inputs.shape import leaves_of
from unfork.llvm.types import Type
from unfork.logic.term import Value, symbol
from unfork.state.inputs import UNWRITTEN, Input
from unfork.state.state import State

_BYTES_OF_OBJECT = re.compile(rf"({UNWRITTEN}.*)\[(\d+)\](#\d+)?")
"""Unwritten bytes of an object from an offset on. A replay may read them in other portions than the run did."""


def byte_of_object(name: str) -> tuple[str, int, str] | None:
    """(object, offset, number) if ``name`` belongs to unwritten bytes of an object, else None."""
    part = _BYTES_OF_OBJECT.fullmatch(name)
    return None if part is None else (part[1], int(part[2]), part[3] or "")


def full_name(name: str, kind: str) -> str:
    """The name of an input before it is numbered."""
    return UNWRITTEN + name if kind == "uninit" and not name.startswith(UNWRITTEN) else name


def unique_name(counts: dict[str, int], name: str) -> str:
    """``name``, or ``name#2``, ``name#3``... if the path has inputs of that name already; ``counts`` is updated."""
    count = counts.get(name, 0) + 1
    unique = name if count == 1 else f"{name}#{count}"
    while count > 1 and unique in counts:
        count += 1
        unique = f"{name}#{count}"
    counts[name] = count
    if unique != name:
        counts[unique] = 1
    return unique


def record(state: State, new_input: Input) -> Input:
    """Add an input to the path."""
    state.inputs = state.inputs.with_one(new_input)
    return new_input


class SymbolicInputs:
    """Every input is made of fresh symbols, named after it."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        """A new input with one symbol per leaf. Equal names give equal symbols, on different paths too."""
        base = full_name(name, kind)
        unique = unique_name(state.input_counts, base)
        leaves: list[tuple[Value, int]] = [
            (symbol(unique + leaf.suffix, 8 * leaf.size), leaf.size) for leaf in leaves_of(element, size)
        ]
        return record(state, Input(unique, kind, size, tuple(leaves), base=base))


class ReplayInputs:
    """Inputs take the bytes that a test gives for their names; ``missing`` counts those that it does not have.

    Of these, the path does not record what the program asks for by name: a replay that runs on beyond its test may ask
    very often.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = dict(contents)
        self._unwritten: dict[tuple[str, str], list[tuple[int, bytes]]] = {}
        """For each object, the ranges of bytes (start, contents) that the test gives, in order."""
        for name, data in contents.items():
            place = byte_of_object(name)
            if place is not None:
                self._unwritten.setdefault((place[0], place[2]), []).append((place[1], data))
        for ranges in self._unwritten.values():
            ranges.sort()
        self.missing = 0
        """Inputs that the test does not name: they read as zeros."""
        self.resized = 0
        """Inputs whose size is not what the test says: cut, or filled up with zeros."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        """A new input with concrete leaves."""
        unique = unique_name(state.input_counts, full_name(name, kind))
        data = self._contents.get(unique)
        place = byte_of_object(unique) if kind == "uninit" else None
        if place is not None:
            data = self._bytes(*place, size)
        elif data is None:
            self.missing += 1
            data = bytes(size)
        elif len(data) != size:
            self.resized += 1
            data = data[:size].ljust(size, b"\0")
        leaves: list[tuple[Value, int]] = []
        offset = 0
        for leaf in leaves_of(element, size):
            leaves.append((int.from_bytes(data[offset : offset + leaf.size], "little"), leaf.size))
            offset += leaf.size
        new_input = Input(unique, kind, size, tuple(leaves))
        is_wanted = unique in self._contents or kind not in ("symbolic", "nondet")
        return record(state, new_input) if is_wanted else new_input

    def _bytes(self, name: str, start: int, number: str, size: int) -> bytes:
        """``size`` bytes of an object from ``start`` on: zeros where the test says nothing."""
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
