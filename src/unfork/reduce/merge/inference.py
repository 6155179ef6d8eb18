"""Inferred predicates (Scheurer16, section 7): what two states at a join both know of numbers that differ.

Candidates are affine relations of models, either side's equality, and comparisons with 0, constants and variables.
Models refute most of them; the solver proves up to MOST_PROVED of the rest per join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.linear import Linear
from unfork.logic.terms.term import Term, Value
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.invariants.sieve import LinearFit, Point, Sieve, fit_relation, samples, signed
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.scope import Holder, Pair, Variables

MOST_PROVED = 16
"""Candidates that go to the solver, per join."""
MOST_FITTED = 8
"""Affine relations among them."""
MOST_KNOWN = 6
"""Numbers in an affine relation to look for."""
MOST_LEARNT = 16
"""As MOST_PROVED, for candidates from failures."""
MOST_TRIED = 3
"""Candidates of a group."""
MOST_ADDENDS = 2
"""The longest equality of a side to keep."""
MOST_ALTERNATIVES = 4
NAMELESS = "a number"
"""A number that no variable holds: an element, a field, a temporary. Compared with 0 and constants only."""

_SIGNED = {">": build.sgt, ">=": build.sge, "<": build.slt, "<=": build.sle, "==": build.eq, "!=": build.ne}
_UNSIGNED = {**_SIGNED, ">": build.ugt, ">=": build.uge, "<": build.ult, "<=": build.ule}


@dataclass(frozen=True, slots=True)
class JoinedNumber:
    """A number as the two states hold it, and as the joined state does."""

    name: str
    values: tuple[Value, Value, Value]
    width: int
    signed: bool
    made_of: frozenset[Term] = frozenset()
    """The terms that it is known to be a sum of: they get no other candidates."""


@dataclass(frozen=True, slots=True)
class JoinCandidate:
    """A claim about the numbers of both states, and about the joined ones (1 bit each)."""

    text: str
    sides: tuple[Value, Value]
    joined: Value


class Inference:
    """Inference at one join of the states on ``paths``, with numbers over ``symbols``."""

    def __init__(self, chain: Chain, paths: tuple[PathCondition, PathCondition], symbols: frozenset[Term]) -> None:
        self._sieve = Sieve(chain, paths, [samples(path, symbols) for path in paths])
        self._asked = 0

    # --- equalities

    def equal(self, a: Value, b: Value, width: int) -> Value | None:
        """Condition (star) of Scheurer16, Def. 9: where one state proves that both are equal, the other's value."""
        for side, other in enumerate((b, a)):
            same = build.eq(a, b, width)
            if all(evaluate(same, model) for model in self._sieve.models[side]) and self._sieve.proves(side, same):
                return other
        return None

    def affine(self, a: Value, b: Value, width: int, known: Mapping[Term, str]) -> tuple[Value, str] | None:
        """A sum over common terms that is the value of both, with its text; None if there is none.

        So nothing is forgotten.
        """
        terms = list(known)[:MOST_KNOWN]
        if not terms:
            return None
        points: list[Point] = [
            (tuple([evaluate(term, model) for term in terms]), evaluate(value, model))
            for value, models in zip((a, b), self._sieve.models, strict=True)
            for model in models
        ]
        while (fit := fit_relation(points, width)) is not None and self._asked < MOST_FITTED:
            total = _sum(fit, terms, width)
            self._asked += 1
            off = self._off((a, b), total, terms, width)
            if not off:
                return None if off is None else (total, sum_text(total, width, known))
            points += off
        return None

    def _off(self, values: tuple[Value, Value], total: Value, terms: Sequence[Term], width: int) -> list[Point] | None:
        """Points at which a value differs from a sum: none if equality is proved. None: the solver gave up."""
        for side, value in enumerate(values):
            answer = self._sieve.refuted(side, build.eq(value, total, width))
            if isinstance(answer, Model):
                return [(tuple([evaluate(term, answer) for term in terms]), evaluate(value, answer))]
            if not answer:
                return None
        return []

    # --- the rest

    def claims(
        self, forgotten: Sequence[JoinedNumber], others: Sequence[JoinedNumber], limits: Sequence[int]
    ) -> list[JoinCandidate]:
        """The claims proved of forgotten numbers; of several related candidates, the strongest."""
        found: list[JoinCandidate] = []
        for group in _groups(forgotten, others, limits):
            tries = 0
            for candidate in group:
                if self._asked >= MOST_PROVED or tries == MOST_TRIED:
                    break
                if not isinstance(candidate.joined, Term) or not self._sieve.survives(candidate.sides):
                    continue
                tries += 1
                if self._proved(candidate):
                    found.append(candidate)
                    break
        return found

    def learnt(self, candidates: Sequence[JoinCandidate]) -> list[JoinCandidate]:
        """The proved candidates from failures that are stronger than the earlier ones."""
        found: list[JoinCandidate] = []
        known: Value = 1
        tries = 0
        for candidate in candidates:
            is_new = isinstance(candidate.joined, Term) and build.both(known, build.negate(candidate.joined)) != 0
            if tries == MOST_LEARNT or not is_new or not self._sieve.survives(candidate.sides):
                continue
            tries += 1
            if self._proved(candidate):
                found.append(candidate)
                known = build.both(known, candidate.joined)
        return found

    def _proved(self, candidate: JoinCandidate) -> bool:
        """Whether both states prove their side of a candidate."""
        self._asked += any(isinstance(side, Term) for side in candidate.sides)
        return self._sieve.proved(candidate.sides)


def _groups(
    forgotten: Sequence[JoinedNumber], others: Sequence[JoinedNumber], limits: Sequence[int]
) -> Iterator[list[JoinCandidate]]:
    """Candidates in groups, strongest first."""
    for number in forgotten:
        zero = JoinedNumber("0", (0, 0, 0), number.width, number.signed)
        yield _compared(number, zero, ("==", ">", "<", ">=", "<=", "!="))
    named = [number for number in forgotten if number.name != NAMELESS]
    for index, number in enumerate(named):
        for other in (*named[index + 1 :], *others):
            is_alike = (other.width, other.signed) == (number.width, number.signed)
            if is_alike and other.values[2] not in number.made_of:
                yield _compared(number, other, ("==", ">", "<", ">=", "<="))
    for number in forgotten:
        mask = (1 << number.width) - 1
        known = [_read(limit, number) for limit in limits if limit <= mask]
        values = [_read(value, number) for value in number.values if isinstance(value, int)]
        bounds = sorted({*known, *values})
        yield [each for limit in reversed(bounds) if abs(limit) > 1 for each in _limit(number, limit, ">=")]
        yield [each for limit in bounds if abs(limit) > 1 for each in _limit(number, limit, "<=")]


def _limit(number: JoinedNumber, limit: int, order: str) -> list[JoinCandidate]:
    bits = limit & (1 << number.width) - 1
    return _compared(number, JoinedNumber(str(limit), (bits, bits, bits), number.width, number.signed), (order,))


def _compared(number: JoinedNumber, other: JoinedNumber, orders: Sequence[str]) -> list[JoinCandidate]:
    compare: Mapping[str, Callable[[Value, Value, int], Value]] = _SIGNED if number.signed else _UNSIGNED
    candidates = []
    for order in orders:
        first, second, joined = (
            compare[order](value, against, number.width)
            for value, against in zip(number.values, other.values, strict=True)
        )
        candidates.append(JoinCandidate(f"{number.name} {order} {other.name}", (first, second), joined))
    return candidates


def alternatives(value: Value, known: Mapping[Term, str]) -> tuple[Value, ...]:
    """A value as the only alternative, if it is a short sum of named terms; none otherwise."""
    if isinstance(value, Term):
        total = _linear(value)
        if len(total.factors) > MOST_ADDENDS or any(term not in known for term in total.factors):
            return ()
    return (value,)


def sum_text(value: Value, width: int, known: Mapping[Term, str]) -> str:
    """A sum as text."""
    total = Linear()
    if isinstance(value, Term):
        total = _linear(value)
    else:
        total.constant = value
    words = []
    for term, factor in total.factors.items():
        factor = signed(factor, width)
        times = "" if abs(factor) == 1 else f"{abs(factor)} * "
        words.append(("-" if factor < 0 else "+", times + known.get(term, "?")))
    constant = signed(total.constant, width)
    if constant or not words:
        words.append(("-" if constant < 0 else "+", str(abs(constant))))
    (sign, first), *rest = words
    return ("-" if sign == "-" else "") + first + "".join(f" {sign} {word}" for sign, word in rest)


def _linear(term: Term) -> Linear:
    total = Linear()
    total.read(term, 1)
    return total


def addends(value: Value) -> list[Term]:
    """The addends of a sum."""
    return list(_linear(value).factors) if isinstance(value, Term) else []


def _sum(fit: LinearFit, terms: Sequence[Term], width: int) -> Value:
    mask = (1 << width) - 1
    total: Value = fit.constant & mask
    for term, factor in zip(terms, fit.factors, strict=True):
        if factor & mask:
            total = build.add(total, build.mul(term, factor & mask, width), width)
    return total


def _read(value: int, number: JoinedNumber) -> int:
    return signed(value, number.width) if number.signed else value


class Vocabulary:
    """What claims may mention: variables equal in both states, and the inputs in those that differ."""

    def __init__(self, variables: Variables, frames: Frames, a: State, b: State) -> None:
        self.holders: Mapping[Pair, list[Holder]] = variables.holders(a, b)
        self.dead = dead(frames, a, b) - {pair[:2] for pair in self.holders}
        """Values found only in registers that the program does not read again: they get no claims."""
        self.names: dict[int, dict[Term, str]] = {}
        """By width, the common terms, with their names."""
        self.same: list[JoinedNumber] = []
        self.limits: set[int] = set()
        for variable, depth, mine, theirs in variables.both(a, b):
            value, kind = mine.value, mine.type
            name = variable.name
            if depth < len(a.frames) - 1:
                name += f" of {a.frames[depth].function.source_name}"
            if value is theirs.value and isinstance(value, Term) and kind == theirs.type:
                known = self.names.setdefault(kind.width, {})
                if value not in known:
                    known[value] = name
                    self.same.append(JoinedNumber(name, (value, value, value), kind.width, kind.signed))
            elif isinstance(value, int) and value == theirs.value:
                self.limits.add(value)
        for pair in self.holders:
            for value in pair[:2]:
                for term in addends(value):
                    if term.op in ("symbol", "concat") and term.width == pair[2] and not is_forgotten(term):
                        self.names.setdefault(pair[2], {}).setdefault(term, _input_name(term))

    def known(self, width: int) -> dict[Term, str]:
        """The common terms of a width, with their names."""
        return self.names.get(width, {})

    def symbols(self) -> frozenset[Term]:
        """The symbols of the differing numbers and of the terms."""
        found: set[Term] = set()
        for a, b, _ in self.holders:
            for value in (a, b):
                if isinstance(value, Term):
                    found |= value.symbols
        for known in self.names.values():
            for term in known:
                found |= term.symbols
        return frozenset(found)


def dead(frames: Frames, a: State, b: State) -> set[tuple[Value, Value]]:
    """The values in registers that are not read again, except those also in live registers."""
    read: set[tuple[Value, Value]] = set()
    unread: set[tuple[Value, Value]] = set()
    for depth, (mine, theirs) in enumerate(zip(a.frames, b.frames, strict=True)):
        live = frozenset(frames.live.of_frame(a, depth))
        for number, pair in enumerate(zip(mine.registers, theirs.registers, strict=True)):
            first, second = (0 if value is None else value for value in pair)  # as joins of dead registers treat it
            if isinstance(first, int | Term) and isinstance(second, int | Term):
                (read if number in live else unread).add((first, second))
    return unread - read


def is_forgotten(term: Term) -> bool:
    """Whether a term depends on a forgotten value."""
    return any(each.name.startswith(HAVOC) for each in term.symbols)


def _input_name(term: Term) -> str:
    if term.op == "symbol":
        return f"input {term.name}"
    return "input " + min(each.name for each in term.symbols)
