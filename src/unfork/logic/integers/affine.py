"""Affine sums of unknown integers, and facts about their values: exact arithmetic without a width."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import TypeAlias

Factors: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs (atom, factor), by ascending atom, no factor 0."""

_FEW = 4
"""A fact about at most this many atoms is also recorded for every part of them."""
_MOST = 64
"""Facts about one atom to look at."""


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant`` plus multiples of atoms (``factors``)."""

    constant: int
    factors: Factors = ()

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """This and ``times`` the other."""
        if times == 0:
            return self
        if not other.factors:
            return Affine(self.constant + times * other.constant, self.factors)
        merged = dict(self.factors)
        for atom, factor in other.factors:
            merged[atom] = merged.get(atom, 0) + times * factor
        kept = tuple(sorted((atom, factor) for atom, factor in merged.items() if factor))
        return Affine(self.constant + times * other.constant, kept)

    def times(self, factor: int) -> Affine:
        """A multiple."""
        if factor == 0:
            return Affine(0)
        return Affine(self.constant * factor, tuple([(atom, own * factor) for atom, own in self.factors]))

    def minus(self, other: Affine) -> Affine:
        """The difference."""
        return self.plus(other, -1)

    def is_multiple_of(self, count: int) -> bool:
        """Whether every value is a multiple of ``count``, by the form of the sum."""
        return self.constant % count == 0 and all(factor % count == 0 for _, factor in self.factors)

    def split(self, count: int) -> tuple[Affine, Affine]:
        """Two sums (a, b) with this = ``count * a + b``, the factors of b as small as possible."""
        quotient: list[tuple[int, int]] = []
        rest: list[tuple[int, int]] = []
        for atom, factor in self.factors:
            nearest = (2 * factor + count) // (2 * count)
            if nearest:
                quotient.append((atom, nearest))
            if factor != nearest * count:
                rest.append((atom, factor - nearest * count))
        whole, left = divmod(self.constant, count)
        return Affine(whole, tuple(quotient)), Affine(left, tuple(rest))


@dataclass(frozen=True, slots=True)
class IntegerRange:
    """The integers from ``low`` to ``high``."""

    low: int
    high: int

    def meet(self, other: IntegerRange) -> IntegerRange:
        """The intersection; this range if there is none, which the solver then finds."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return IntegerRange(low, high) if low <= high else self

    def plus(self, other: IntegerRange, times: int = 1) -> IntegerRange:
        """The values of a sum."""
        first, last = times * other.low, times * other.high
        return IntegerRange(self.low + min(first, last), self.high + max(first, last))

    def times(self, other: IntegerRange) -> IntegerRange:
        """The values of a product."""
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return IntegerRange(min(ends), max(ends))

    def hull(self, other: IntegerRange) -> IntegerRange:
        """The least range that contains both."""
        return IntegerRange(min(self.low, other.low), max(self.high, other.high))

    def within(self, other: IntegerRange) -> bool:
        """Whether the other contains it."""
        return other.low <= self.low and self.high <= other.high


class Knowledge:
    """The atoms of a query, each with its range, and facts about sums of them. Grows as the query is read.

    Law: whatever satisfies the query, with each atom as its key says, satisfies these facts.
    """

    def __init__(self) -> None:
        self._atoms: dict[Hashable, int] = {}
        self._ranges: list[IntegerRange] = []
        self._known: dict[Factors, IntegerRange] = {}
        self._about: dict[int, dict[Factors, None]] = {}
        self.facts: dict[Factors, IntegerRange] = {}
        """The recorded facts (factors in lowest terms), without consequences."""
        self.news = 0
        """Counts new facts."""

    def atom(self, key: Hashable, bounds: IntegerRange) -> int:
        """The number of the atom with this key, whose values lie in ``bounds``."""
        number = self._atoms.get(key)
        if number is None:
            number = self._atoms[key] = len(self._ranges)
            self._ranges.append(bounds)
        else:
            self._ranges[number] = self._ranges[number].meet(bounds)
        return number

    def values(self, affine: Affine) -> IntegerRange:
        """A range of the sum: from its atoms, or from a fact about the sum itself."""
        bounds = self.by_atoms(affine)
        if len(affine.factors) > 1:
            lowest, scale = _lowest(affine.factors)
            known = self._known.get(lowest)
            if known is not None:
                bounds = bounds.meet(IntegerRange(affine.constant, affine.constant).plus(known, scale))
        return bounds

    def closer(self, affine: Affine) -> IntegerRange:
        """As values(), with more work: by a known sum that shares atoms, and the atoms of the rest."""
        best = self.values(affine)
        for atom, factor in affine.factors:
            for factors in self._about.get(atom, ()):
                own = dict(factors)[atom]
                if factor % own:
                    continue
                scale = factor // own
                rest = affine.plus(Affine(0, factors), -scale)
                best = best.meet(self.by_atoms(rest).plus(self._known[factors], scale))
        return best

    def learn(self, affine: Affine, bounds: IntegerRange) -> None:
        """The sum lies in ``bounds``."""
        if not affine.factors:
            return
        factors, told = _in_lowest_terms(
            affine.factors, IntegerRange(bounds.low - affine.constant, bounds.high - affine.constant)
        )
        self.facts[factors] = self.facts.get(factors, told).meet(told)
        self._note(factors, told)
        if len(factors) <= _FEW:
            for part in _parts(factors):
                rest = tuple([pair for pair in factors if pair not in part])
                self._note(*_in_lowest_terms(part, told.plus(self.by_atoms(Affine(0, rest)), -1)))

    def _note(self, factors: Factors, bounds: IntegerRange) -> None:
        """Record a range of a sum in lowest terms, if it is new."""
        before = self._known.get(factors)
        by_atoms = self.by_atoms(Affine(0, factors))
        if bounds.low > bounds.high or by_atoms.within(bounds):
            return
        after = bounds.meet(by_atoms) if before is None else before.meet(bounds)
        if after == before:
            return
        self.news += 1
        if len(factors) == 1:
            self._ranges[factors[0][0]] = self._ranges[factors[0][0]].meet(after)
            return
        self._known[factors] = after
        for atom, _ in factors:
            about = self._about.setdefault(atom, {})
            if len(about) < _MOST:
                about[factors] = None

    def by_atoms(self, affine: Affine) -> IntegerRange:
        """A range of the sum, by those of its atoms."""
        bounds = IntegerRange(affine.constant, affine.constant)
        for atom, factor in affine.factors:
            bounds = bounds.plus(self._ranges[atom], factor)
        return bounds


def _lowest(factors: Factors) -> tuple[Factors, int]:
    """The factors divided by their common divisor, the first one positive; and that divisor."""
    scale = gcd(*[factor for _, factor in factors])
    if factors[0][1] < 0:
        scale = -scale
    return tuple([(atom, factor // scale) for atom, factor in factors]), scale


def _in_lowest_terms(factors: Factors, bounds: IntegerRange) -> tuple[Factors, IntegerRange]:
    """A fact about a sum as one about the sum in lowest terms."""
    lowest, scale = _lowest(factors)
    low, high = (bounds.low, bounds.high) if scale > 0 else (-bounds.high, -bounds.low)
    return lowest, IntegerRange(-(-low // abs(scale)), high // abs(scale))


def _parts(factors: Factors) -> Iterator[Factors]:
    for size in range(1, len(factors)):
        yield from combinations(factors, size)
