"""The range of a term on a slice, found with few queries; what was found holds on every slice that knows more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unfork.logic import build
from unfork.logic.boolean import conjuncts, decides, interval
from unfork.logic.evaluate import evaluate
from unfork.logic.path import Slice
from unfork.logic.solver import Answer, Sat, Unsat
from unfork.logic.term import Term, Value

Ask: TypeAlias = Callable[[Slice, Sequence[Value]], Answer]
_TERMS = 20_000
_PER_TERM = 8
_FEW = 3
_PARTS = 8
_OFTEN = 4
"""So many comparisons of a term with constants that came out one way are worth a search of its range."""
_SLACK = 8
"""A range that is wide may be too wide by this share of it on either side."""


@dataclass(frozen=True, slots=True)
class _Known:
    """On every slice with ``members`` and perhaps more, the values lie within ``low`` and ``high``."""

    members: frozenset[Term]
    low: int
    high: int
    is_exact: bool
    """Whether both bounds are values that are taken, on the slice of ``members`` alone."""


class _Search:
    """One search: ``low`` and ``high`` always hold; ``least`` and ``most`` are values that were seen."""

    def __init__(self, ask: Ask, base: Slice, value: Term, low: int, high: int, seen: int) -> None:
        self._ask = ask
        self._base = base
        self._value = value
        self.low = low
        self.high = high
        self.least = self.most = seen
        self.gave_up = False

    def _is_any(self, condition: Value) -> bool:
        """Whether some value meets ``condition``; if so it is seen from now on. True also when nobody knows."""
        answer = self._ask(self._base, [condition])
        if isinstance(answer, Unsat):
            return False
        if isinstance(answer, Sat):
            seen = evaluate(self._value, answer.model)
            self.least = min(self.least, seen)
            self.most = max(self.most, seen)
        else:
            self.gave_up = True
        return True

    def is_single(self) -> bool:
        """Whether one value is all that there is."""
        value = self._value
        if self._is_any(build.ne(value, self.least, value.width)):
            return False
        self.low = self.high = self.least
        return True

    def close_in(self, unit: int) -> None:
        """Find a window around what was seen, about 16 ``unit`` wider on either side, that nothing is outside of."""
        value, width = self._value, self._value.width
        margin = 16 * unit
        while not self.gave_up:
            low, high = max(self.low, self.least - margin), min(self.high, self.most + margin)
            if low == self.low and high == self.high:
                return
            inside = build.both(build.uge(value, low, width), build.ule(value, high, width))
            if not self._is_any(build.negate(inside)):
                self.low, self.high = low, high
                return
            margin = max(2 * margin, self.most - self.least)

    def lower(self, slack: int) -> None:
        """Raise the lower bound until at most ``slack`` below the least value."""
        value, trial, stride = self._value, self.low, slack + 1
        while self.least - self.low > slack and not self.gave_up:
            if self._is_any(build.ule(value, trial, value.width)):
                stride *= 4
            else:
                self.low = trial + 1
            trial = max((self.low + self.least) // 2, self.least - stride)

    def upper(self, slack: int) -> None:
        """Drop the upper bound until at most ``slack`` above the greatest value."""
        value, trial, stride = self._value, self.high, slack + 1
        while self.high - self.most > slack and not self.gave_up:
            if self._is_any(build.uge(value, trial, value.width)):
                stride *= 4
            else:
                self.high = trial - 1
            trial = min((self.most + self.high + 1) // 2, self.most + stride)


class Intervals:
    """Ranges of terms, remembered with the constraints that they follow from."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._known: dict[Term, list[_Known]] = {}
        self._compared_often: dict[tuple[frozenset[Term], Term], int] = {}

    def forget(self) -> None:
        """Drop what is remembered."""
        self._known.clear()
        self._compared_often.clear()

    def exact(self, base: Slice, value: Term, seen: int) -> tuple[int, int]:
        """The least and the greatest value, ``seen`` being one of them; wider bounds where the solver gives up."""
        low, high, is_exact = self._inherited(base, value)
        if is_exact or low == high:
            return low, high
        search = _Search(self._ask, base, value, low, high, seen)
        if high - low < _FEW or not search.is_single():
            search.lower(0)
            search.upper(0)
        return self._found(base, value, search)

    def narrow(self, base: Slice, value: Term, seen: int, enough: int, unit: int) -> tuple[int, int]:
        """Bounds that need not be the tightest: good enough when they are less than ``enough`` apart.

        A single value is always found out; ``unit`` is the least distance of values that matters.
        """
        low, high, is_exact = self._inherited(base, value)
        if is_exact or high - low < enough:
            return low, high
        search = _Search(self._ask, base, value, low, high, seen)
        if not search.is_single():
            search.close_in(unit)
            if search.high - search.low >= enough:
                slack = max(16 * unit, (search.most - search.least) // _SLACK)
                search.lower(slack)
                search.upper(slack)
        return self._found(base, value, search)

    def excludes(self, base: Slice, condition: Term) -> bool:
        """Whether what is known of ranges shows that ``condition`` cannot hold on the slice."""
        if condition.op == "not" and condition.args[0].op == "and":
            return all(self._compared(base, part) == 1 for part in conjuncts(condition.args[0], _PARTS))
        return self._compared(base, condition) == 0

    def _compared(self, base: Slice, condition: Term) -> int | None:
        """1 if the condition always holds by the range of what it compares with a constant, 0 if never."""
        literal = interval(condition)
        if literal is None or literal[0] not in self._known:
            return None
        term = literal[0]
        low, high, _ = self._inherited(base, term)
        return decides((term, low, high), literal)

    def learn(self, base: Slice, condition: Term) -> None:
        """Take note that ``condition`` cannot hold: a term that is compared again and again gets its range searched."""
        often = self._compared_often
        if len(often) > _TERMS:
            often.clear()
        negated = condition.op == "not" and condition.args[0].op == "and"
        for part in conjuncts(condition.args[0], _PARTS) if negated else (condition,):
            literal = interval(part)
            if literal is None:
                continue
            term = literal[0]
            key = base.members, term
            count = often[key] = often.get(key, 0) + 1
            if count >= _OFTEN and count & (count - 1) == 0 and term.symbols <= base.symbols:
                self.exact(base, term, evaluate(term, base.model))

    def _inherited(self, base: Slice, value: Term) -> tuple[int, int, bool]:
        """What is known already, and whether that is all there is to know."""
        low, high, members = value.low, value.high, base.members
        for known in self._known.get(value, ()):
            if known.members <= members:
                if known.is_exact and len(known.members) == len(members):
                    return known.low, known.high, True
                low, high = max(low, known.low), min(high, known.high)
        return low, high, False

    def _found(self, base: Slice, value: Term, search: _Search) -> tuple[int, int]:
        low, high = search.low, search.high
        if len(self._known) > _TERMS:
            self.forget()
        recent = self._known.setdefault(value, [])
        recent.append(_Known(base.members, low, high, low == search.least and high == search.most))
        if len(recent) > _PER_TERM:
            del recent[0]
        return low, high
