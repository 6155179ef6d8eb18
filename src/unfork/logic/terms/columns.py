"""The values of terms for all values of their only symbol: lists, many times faster than value by value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from unfork.logic.terms import concrete
from unfork.logic.terms.build import rebuild
from unfork.logic.terms.term import Term

Column: TypeAlias = Sequence[int]
"""The value of a term for each value of the symbol, in order."""


class Columns:
    """Computes and caches columns of the terms over one symbol, which is narrow."""

    __slots__ = ("_known", "_symbol")

    def __init__(self, symbol: Term) -> None:
        self._symbol = symbol
        self._known: dict[Term, Column] = {}

    def __len__(self) -> int:
        """How many are cached."""
        return len(self._known)

    def forget(self) -> None:
        """Drop the cache."""
        self._known.clear()

    def of(self, term: Term) -> Column:
        """The column of a term that has no other symbol."""
        known = self._known
        stack = [term]
        while stack:
            top = stack[-1]
            missing = () if top in known else [part for part in top.args if part not in known]
            if missing:
                stack += missing
                continue
            if top not in known:
                known[top] = self._column(top, [known[part] for part in top.args])
            stack.pop()
        return known[term]

    def _column(self, term: Term, parts: Sequence[Column]) -> Column:
        count = 1 << self._symbol.width
        if not parts:
            return range(count) if term is self._symbol else [term.value if term.op == "const" else 0] * count
        if term.op == "ite":
            return [a if holds else b for holds, a, b in zip(*parts, strict=True)]
        if len(parts) == 2:
            return _of_two(term, *parts)
        if len(parts) == 1 and term.op in _OF_ONE:
            return _OF_ONE[term.op](term, parts[0])
        return [rebuild(term, row) for row in zip(*parts, strict=True)]  # type: ignore[misc]  # ints, of ints


def _of_two(term: Term, a: Column, b: Column) -> Column:
    width = term.args[0].width
    if (together := _OF_TWO.get(term.op)) is not None:
        return together(a, b, width)
    if (function := concrete.BINARY.get(term.op)) is not None:
        return [function(x, y, width) for x, y in zip(a, b, strict=True)]
    if term.op == "concat":
        low = term.args[1].width
        return [x << low | y for x, y in zip(a, b, strict=True)]
    return [rebuild(term, row) for row in zip(a, b, strict=True)]  # type: ignore[misc]  # ints, of ints


def _add(a: Column, b: Column, width: int) -> Column:
    mask = (1 << width) - 1
    return [x + y & mask for x, y in zip(a, b, strict=True)]


def _mul(a: Column, b: Column, width: int) -> Column:
    mask = (1 << width) - 1
    return [x * y & mask for x, y in zip(a, b, strict=True)]


def _slt(a: Column, b: Column, width: int) -> Column:
    top = 1 << width - 1
    return [1 if x ^ top < y ^ top else 0 for x, y in zip(a, b, strict=True)]


_OF_TWO: dict[str, Callable[[Column, Column, int], Column]] = {
    "add": _add,
    "mul": _mul,
    "and": lambda a, b, width: [x & y for x, y in zip(a, b, strict=True)],
    "or": lambda a, b, width: [x | y for x, y in zip(a, b, strict=True)],
    "xor": lambda a, b, width: [x ^ y for x, y in zip(a, b, strict=True)],
    "eq": lambda a, b, width: [1 if x == y else 0 for x, y in zip(a, b, strict=True)],
    "ult": lambda a, b, width: [1 if x < y else 0 for x, y in zip(a, b, strict=True)],
    "slt": _slt,
}
"""The frequent ones of concrete.BINARY, without a call for each value."""


def _not(term: Term, a: Column) -> Column:
    mask = (1 << term.width) - 1
    return [x ^ mask for x in a]


def _extract(term: Term, a: Column) -> Column:
    at, mask = term.offset, (1 << term.width) - 1
    return [x >> at & mask for x in a]


def _sext(term: Term, a: Column) -> Column:
    narrow, wide = term.args[0].width, term.width
    return [concrete.sext(x, narrow, wide) for x in a]


def _neg(term: Term, a: Column) -> Column:
    mask = (1 << term.width) - 1
    return [-x & mask for x in a]


_OF_ONE: dict[str, Callable[[Term, Column], Column]] = {
    "not": _not,
    "extract": _extract,
    "zext": lambda term, a: a,
    "sext": _sext,
    "neg": _neg,
}
