"""Searches in measured texts, and comparisons of two: the place is one value, with a fact about the characters before.

The heap keeps places, since an instruction that splits afterwards runs again, and would search again.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.memory.lazy_objects import character_at
from unfork.engine.memory.measured_texts import MeasuredText, character_of, measured_at
from unfork.engine.memory.text_facts import learn_fact, to_lower
from unfork.engine.state.lazy import LAZY, EqualCharacters, NoOccurrence, TextQuestion, UniformCharacters
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value


def first_among(step: Step, text: MeasuredText, wanted: tuple[Value, ...]) -> Value:
    """The distance to the first character that is among ``wanted`` (8 bits, none of them NUL), else to the NUL."""
    return _first(step, text, wanted, is_wanted=True)


def first_not_among(step: Step, text: MeasuredText, accepted: tuple[Value, ...]) -> Value:
    """The distance to the first character that is not among ``accepted`` (8 bits, none of them NUL)."""
    return _first(step, text, accepted, is_wanted=False)


def _first(step: Step, text: MeasuredText, characters: tuple[Value, ...], *, is_wanted: bool) -> Value:
    def tell(distance: Value) -> None:
        end = build.add(text.offset, distance, 64)
        learn_fact(step, text.number, UniformCharacters(text.offset, end, characters, not is_wanted), character_at)
        found = character_of(step, text, distance)
        is_among = build.disjunction([build.eq(found, each, 8) for each in characters])
        stops = is_among if is_wanted else build.negate(is_among)
        step.assume(build.either(build.eq(distance, text.length, 64), stops))

    name = "first among" if is_wanted else "first not among"
    return _place(step, text, (name, (text.number, text.offset, text.length, *characters)), tell)


def last_of(step: Step, text: MeasuredText, wanted: Value) -> Value:
    """The distance to the last character that is ``wanted`` (8 bits, not NUL), else to the NUL."""

    def tell(distance: Value) -> None:
        is_none, place = build.eq(distance, text.length, 64), build.add(text.offset, distance, 64)
        start = build.ite(is_none, text.offset, build.add(place, 1, 64), 64)
        end = build.add(text.offset, text.length, 64)
        learn_fact(step, text.number, UniformCharacters(start, end, (wanted,), are_among=False), character_at)
        step.assume(build.either(is_none, build.eq(character_of(step, text, distance), wanted, 8)))

    return _place(step, text, ("last of", (text.number, text.offset, text.length, wanted)), tell)


def place_within(step: Step, pointer: Value, wanted: Value, limit: Value) -> Value | None:
    """The distance to the first ``wanted`` character (8 bits) of a measured text, NUL or not, ``limit`` (64 bits) if it
    is not before that; None for other bytes, and if bytes after the NUL may matter.
    """
    text = measured_at(step, pointer)
    if text is None:
        return None
    is_end = step.decide(build.eq(wanted, 0, 8))
    place = text.length if is_end else first_among(step, text, (wanted,))
    is_found = 1 if is_end else build.ult(place, text.length, 64)
    whole = build.add(text.length, 1, 64)
    if not step.chain.must(step.state.path, build.either(is_found, build.ule(limit, whole, 64))):
        return None
    return build.ite(build.both(is_found, build.ult(place, limit, 64)), place, limit, 64)


def first_occurrence(step: Step, text: MeasuredText, needle: tuple[int, ...]) -> Value:
    """The distance to the first place where ``needle`` (8 bits each, none of them NUL) begins, else to the NUL."""

    def tell(distance: Value) -> None:
        is_none, place = build.eq(distance, text.length, 64), build.add(text.offset, distance, 64)
        last = build.add(distance, len(needle), 64)
        step.assume(build.either(is_none, build.ule(last, text.length, 64)))
        end = build.ite(is_none, _end_of_starts(text, len(needle)), place, 64)
        learn_fact(step, text.number, NoOccurrence(text.offset, end, needle), character_at)

    return _place(step, text, ("first occurrence", (text.number, text.offset, text.length, *needle)), tell)


def _end_of_starts(text: MeasuredText, count: int) -> Value:
    """The offset behind the last one at which ``count`` characters begin that are the text's: one that ``is_cut`` goes
    on in the input.
    """
    end = build.sub(build.add(text.offset, text.length, 64), count - 1, 64)
    return build.ite(build.ule(count, text.length, 64), end, text.offset, 64)


def assume_occurrence(step: Step, text: MeasuredText, distance: Value, needle: tuple[int, ...]) -> None:
    """Tell the path of the characters that a search has found."""
    for index, wanted in enumerate(needle):
        step.assume(build.eq(character_of(step, text, build.add(distance, index, 64)), wanted, 8))


def compare_texts(step: Step, left: MeasuredText, right: MeasuredText, limit: Value | None, *, fold: bool) -> Value:
    """strcmp, strncmp with a limit (64 bits), or, with ``fold``, strcasecmp: the difference of the first bytes that
    differ (32 bits).
    """
    if left == right:
        return 0

    def at(distance: Value) -> tuple[Value, Value]:
        one, other = character_of(step, left, distance), character_of(step, right, distance)
        return (to_lower(one, 8), to_lower(other, 8)) if fold else (one, other)

    def tell(distance: Value) -> None:
        step.assume(build.ule(distance, right.length, 64))
        end = build.add(left.offset, distance, 64)
        other_end = build.add(right.offset, distance, 64)
        for number, fact in (
            (left.number, EqualCharacters(left.offset, end, right.number, right.offset, fold)),
            (right.number, EqualCharacters(right.offset, other_end, left.number, left.offset, fold)),
        ):
            learn_fact(step, number, fact, character_at)
        one, other = at(distance)
        stops = build.either(build.ne(one, other, 8), build.eq(one, 0, 8))
        if limit is not None:
            step.assume(build.ule(distance, limit, 64))
            stops = build.either(stops, build.eq(distance, limit, 64))
        step.assume(stops)

    operands = left.number, left.offset, left.length, right.number, right.offset, right.length, int(fold)
    question = ("comparison", operands) if limit is None else ("comparison up to", (*operands, limit))
    distance = _place(step, left, question, tell)
    one, other = at(distance)
    result = build.sub(build.zext(one, 8, 32), build.zext(other, 8, 32), 32)
    return result if limit is None else build.ite(build.eq(distance, limit, 64), 0, result, 32)


def _place(step: Step, text: MeasuredText, question: TextQuestion, tell: Callable[[Value], None]) -> Value:
    """The answer to a question: a distance from a text's beginning, at most its length."""
    known = step.state.lazy.places.get(question)
    if known is not None:
        return known
    item = step.state.lazy.find(text.number)
    assert item is not None
    distance = step.fresh(f"place in {item.path}", 64, LAZY)
    step.assume(build.ule(distance, text.length, 64))
    end = build.add(text.offset, distance, 64)  # solvers are slow to see what follows for sums that do not wrap
    step.assume(build.both(build.ule(text.offset, end, 64), build.ule(end, build.add(text.offset, text.made, 64), 64)))
    tell(distance)
    step.state.lazy = step.state.lazy.with_place(question, distance)
    return distance
