"""What a word of 64 bits is added up from: constants and choices that may carry an address, and an index.

An address that takes part in a sum shows in its constants: as a pointer, as the number of one, or added to another
one, all far from zero. What is near zero, and what no constant says anything of, is an index.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unfork.logic import build
from unfork.logic.choice import plain
from unfork.logic.term import Term, Value
from unfork.state.flat_layout import NEAR

MASK_64 = (1 << 64) - 1


def magnitude(constant: int) -> int:
    """How far a word is from zero, on either side."""
    return min(constant, MASK_64 + 1 - constant)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that is added, or taken away."""

    term: Term
    is_negative: bool

    @property
    def value(self) -> Value:
        """What is added."""
        return build.neg(self.term, 64) if self.is_negative else self.term

    @property
    def sides(self) -> tuple[Value, Value, Value]:
        """The condition of the choice, and what is added where it holds and where not."""
        condition, first, second = self.term.args
        if self.is_negative:
            return condition, build.neg(plain(first), 64), build.neg(plain(second), 64)
        return condition, plain(first), plain(second)


@dataclass(frozen=True, slots=True)
class Parts:
    """The addends of a word: a constant, choices that carry addresses, and the sum of all others."""

    constant: int
    choices: list[Choice]
    index: Value

    def beside(self, choice: Choice) -> Value:
        """The sum of all addends but one."""
        return total([self.constant, self.index, *[other.value for other in self.choices if other is not choice]])


class Carriers:
    """Which terms carry a constant further from zero than ``limit``: by default, than any index is."""

    def __init__(self, limit: int = NEAR) -> None:
        self._limit = limit
        self._plain: set[Term] = set()

    def is_far(self, constant: int) -> bool:
        """Whether a constant may be an address, or have one added to it."""
        return magnitude(constant) > self._limit

    def carries(self, term: Term) -> bool:
        """Whether a choice, or a sum, has such a constant in one of its alternatives."""
        if term.high <= self._limit:
            return False
        waiting, seen = [term], set[Term]()
        while waiting:
            part = waiting.pop()
            if part in seen or part in self._plain:
                continue
            seen.add(part)
            if part.op == "const":
                if self.is_far(part.value):
                    return True
            elif part.op == "ite":
                waiting.extend(part.args[1:])
            elif part.op in ("add", "neg"):
                waiting.extend(part.args)
        self._plain |= seen
        return False

    def parts(self, word: Value) -> Parts:
        """The addends of a word."""
        if isinstance(word, int):
            return Parts(word, [], 0)
        constant, choices, index = 0, list[Choice](), list[Value]()
        waiting = [(word, False)]
        while waiting:
            term, is_negative = waiting.pop()
            if term.op == "const":
                constant += -term.value if is_negative else term.value
            elif term.op == "add":
                waiting.extend((addend, is_negative) for addend in reversed(term.args))
            elif term.op == "neg":
                waiting.append((term.args[0], not is_negative))
            elif term.op == "ite" and self.carries(term):
                choices.append(Choice(term, is_negative))
            else:
                index.append(build.neg(term, 64) if is_negative else term)
        return Parts(constant & MASK_64, choices, total(index))


def total(addends: Iterable[Value]) -> Value:
    """The sum of words."""
    result: Value = 0
    for addend in addends:
        result = build.add(result, addend, 64)
    return result
