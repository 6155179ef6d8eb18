"""The range of a term on a slice, found with few queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from unfork.logic import build
from unfork.logic.evaluate import evaluate
from unfork.logic.path import Slice
from unfork.logic.solver import Answer, Sat, Unsat
from unfork.logic.term import Term, Value

Ask: TypeAlias = Callable[[Slice, Sequence[Value]], Answer]
_FEW = 3


def tightest(ask: Ask, base: Slice, value: Term, seen: int) -> tuple[int, int]:
    """The least and the greatest value, ``seen`` being one of them; wider bounds where the solver gives up."""
    search = _Search(ask, base, value, seen)
    if search.high - search.low < _FEW or not search.is_single():
        search.lower()
        search.upper()
    return search.low, search.high


class _Search:
    """One search: ``low`` and ``high`` always hold; ``least`` and ``most`` are values that were seen."""

    def __init__(self, ask: Ask, base: Slice, value: Term, seen: int) -> None:
        self._ask = ask
        self._base = base
        self._value = value
        self.low = value.low
        self.high = value.high
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

    def lower(self) -> None:
        """Raise the lower bound to the least value."""
        value, trial, stride = self._value, self.low, 1
        while self.low < self.least and not self.gave_up:
            if self._is_any(build.ule(value, trial, value.width)):
                stride *= 4
            else:
                self.low = trial + 1
            trial = max((self.low + self.least) // 2, self.least - stride)

    def upper(self) -> None:
        """Drop the upper bound to the greatest value."""
        value, trial, stride = self._value, self.high, 1
        while self.high > self.most and not self.gave_up:
            if self._is_any(build.uge(value, trial, value.width)):
                stride *= 4
            else:
                self.high = trial - 1
            trial = min((self.most + self.high + 1) // 2, self.most + stride)
