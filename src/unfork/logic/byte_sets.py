"""What a condition says of one byte: the set of the values for which it holds, kept as the bits of an int."""

from __future__ import annotations

from unfork.logic.boolean import conjuncts, interval
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.term import Term

WIDEST = 8
"""Bits of a symbol whose values are tried."""
_PARTS = 1_000
_REMEMBERED = 32
"""Terms whose values are kept for every value of a symbol."""


class ByteSets:
    """The sets of conditions that were asked about."""

    def __init__(self) -> None:
        self._sets: dict[Term, int] = {}
        self._points: dict[Term, list[Model]] = {}

    def __len__(self) -> int:
        return len(self._sets)

    def forget(self) -> None:
        """Drop what is known of conditions."""
        self._sets.clear()
        self._points.clear()

    def of(self, condition: Term, symbol: Term) -> int:
        """The set of values of the only symbol for which the condition holds."""
        sets = self._sets
        waiting = [condition]
        while waiting:
            term = waiting[-1]
            if term in sets:
                waiting.pop()
                continue
            op = term.op
            parts = conjuncts(term, _PARTS) if op == "and" else term.args if op == "not" else ()
            missing = [part for part in parts if part not in sets]
            if missing:
                waiting += missing
                continue
            values = everything(symbol) if parts else self._tried(term, symbol)
            for part in parts:
                values &= sets[part]
            sets[term] = everything(symbol) ^ values if op == "not" else values
        return sets[condition]

    def _tried(self, condition: Term, symbol: Term) -> int:
        count = 1 << symbol.width
        between = interval(condition)
        if between is not None and between[0] is symbol:
            first, span = between[1], between[2] - between[1] & count - 1
            values = (1 << span + 1) - 1 << first
            return (values | values >> count) & everything(symbol)
        points = self._points.get(symbol)
        if points is None:
            points = self._points[symbol] = [Model({symbol: value}) for value in range(count)]
        result = 0
        for value, point in enumerate(points):
            result |= evaluate(condition, point) << value
        if len(points[0].memo) > _REMEMBERED:
            for point in points:
                point.memo.clear()
        return result


def everything(symbol: Term) -> int:
    """The set of all values of a symbol."""
    return (1 << (1 << symbol.width)) - 1


def least(values: int) -> int:
    """The least value in a set."""
    return (values & -values).bit_length() - 1
