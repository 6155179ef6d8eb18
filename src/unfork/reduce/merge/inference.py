"""Predicates that nobody wrote (Scheurer16, section 7): what two states at a join both know of numbers that differ.

Candidates are affine relations of models, either side's equality, and comparisons with 0, constants and variables.
Models kill most of them; of the rest, the solver proves so many per join.
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
"""Candidates that the solver is asked about, per join."""
MOST_FITTED = 8
"""Of these, how many affine relations."""
MOST_KNOWN = 6
"""Numbers that an affine relation is sought over."""
MOST_LEARNT = 16
"""The same of those that failures gave."""
MOST_TRIED = 3
"""Candidates of a group."""
MOST_ADDENDS = 2
"""How long an equality is that is kept of a side."""
MOST_ALTERNATIVES = 4
NAMELESS = "a number"
"""What no variable holds: an element, a field, a temporary. It is compared with 0 and constants only."""

_SIGNED = {">": build.sgt, ">=": build.sge, "<": build.slt, "<=": build.sle, "==": build.eq, "!=": build.ne}
_UNSIGNED = {**_SIGNED, ">": build.ugt, ">=": build.uge, "<": build.ult, "<=": build.ule}


@dataclass(frozen=True, slots=True)
class JoinedNumber:
    """A number as the two states hold it, and the joined one."""

    name: str
    values: tuple[Value, Value, Value]
    width: int
    signed: bool
    made_of: frozenset[Term] = frozenset()
    """The terms that it is known to be a sum of: nothing else is said of these."""


@dataclass(frozen=True, slots=True)
class JoinCandidate:
    """What is said of the numbers of both states, and of the joined ones (1 bit each)."""

    text: str
    sides: tuple[Value, Value]
    joined: Value


class Inference:
    """What is inferred at one join of the states on ``paths``, whose numbers are over ``symbols``."""

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
        """One sum over terms that both states have which is the value of either, and its text; None if there is none.

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
        """Points at which a value is not a sum: none if it is proved to be. None: the solver gives up."""
        for side, value in enumerate(values):
            answer = self._sieve.refuted(side, build.eq(value, total, width))
            if isinstance(answer, Model):
                return [(tuple([evaluate(term, answer) for term in terms]), evaluate(value, answer))]
            if not answer:
                return None
        return []

    # --- what is left

    def claims(
        self, forgotten: Sequence[JoinedNumber], others: Sequence[JoinedNumber], limits: Sequence[int]
    ) -> list[JoinCandidate]:
        """What is proved of forgotten numbers: of several candidates that say more or less, the one that says most."""
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
        """Of what failures gave, what is proved and says more than what comes before it."""
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
    """Candidates in groups: of a group, the first that holds says most."""
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
    """A value as the only alternative, if it is a short sum of terms that have names; none if it is not."""
    if isinstance(value, Term):
        total = _linear(value)
        if len(total.factors) > MOST_ADDENDS or any(term not in known for term in total.factors):
            return ()
    return (value,)


def sum_text(value: Value, width: int, known: Mapping[Term, str]) -> str:
    """A sum as a reader writes it."""
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
    """What a sum is made of."""
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
    """What two states have to speak of: variables that are the same in both, and the inputs in those that differ."""

    def __init__(self, variables: Variables, frames: Frames, a: State, b: State) -> None:
        self.holders: Mapping[Pair, list[Holder]] = variables.holders(a, b)
        self.dead = dead(frames, a, b) - {pair[:2] for pair in self.holders}
        """Values that only registers have which the program does not read again: of these, nothing is to be said."""
        self.names: dict[int, dict[Term, str]] = {}
        """By width, the terms that both states have, with their names."""
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
        """The terms of a width, with their names."""
        return self.names.get(width, {})

    def symbols(self) -> frozenset[Term]:
        """What the numbers that differ, and the terms, are over."""
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
    """The values in registers that are not read again, but for those that live ones have too."""
    read: set[tuple[Value, Value]] = set()
    unread: set[tuple[Value, Value]] = set()
    for depth, (mine, theirs) in enumerate(zip(a.frames, b.frames, strict=True)):
        live = frozenset(frames.live.of_frame(a, depth))
        for number, pair in enumerate(zip(mine.registers, theirs.registers, strict=True)):
            first, second = (0 if value is None else value for value in pair)  # as joins of dead registers have it
            if isinstance(first, int | Term) and isinstance(second, int | Term):
                (read if number in live else unread).add((first, second))
    return unread - read


def is_forgotten(term: Term) -> bool:
    """Whether a term depends on what a join forgot."""
    return any(each.name.startswith(HAVOC) for each in term.symbols)


def _input_name(term: Term) -> str:
    if term.op == "symbol":
        return f"input {term.name}"
    return "input " + min(each.name for each in term.symbols)
