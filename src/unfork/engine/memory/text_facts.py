"""What the path knows of a character of a measured text, once the character is known itself.

A search or a comparison says the same of many characters (LazyHeap.facts). The path gets that for the characters that
it knows, one by one: no others matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unfork.engine.state.lazy import EqualCharacters, LazyHeap, NoOccurrence, TextFact, UniformCharacters
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value

CharacterAt = Callable[[Step, int, Value], Value]
"""The character (8 bits) of a text, by its number, at an offset (64 bits)."""
_AT_ONCE = 64
"""Characters of which the path is told at once: 4,094 of them take 47 MB so, and took 824 one by one."""


def learn_character(step: Step, number: int, offset: Value, character: Value, at: CharacterAt) -> None:
    """Tell the path what follows for a new character of a text whose length is a number."""
    learn_characters(step, number, [(offset, character)], at)


def learn_characters(step: Step, number: int, characters: Sequence[tuple[Value, Value]], at: CharacterAt) -> None:
    """The same for several characters, with their offsets: some at once, since each path keeps all that it knows."""
    for start in range(0, len(characters), _AT_ONCE):
        several = characters[start : start + _AT_ONCE]
        step.assume(build.conjunction([each for one in several for each in _told(step, number, *one, at)]))


def _told(step: Step, number: int, offset: Value, character: Value, at: CharacterAt) -> Iterator[Value]:
    """What follows for a new character."""
    text = step.state.lazy.find(number)
    assert text is not None
    last = build.sub(text.length, 1, 64)
    ends = build.eq(build.eq(offset, last, 64), build.eq(character, 0, 8), 1)
    yield build.either(build.ult(last, offset, 64), ends)
    for other, known in _known(step.state.lazy, number, offset):
        yield build.either(build.ne(other, offset, 64), build.eq(known, character, 8))
    for fact in step.state.lazy.facts.get(number, ()):
        yield consequence(step, number, fact, offset, character, at)


def _known(lazy: LazyHeap, number: int, offset: Value) -> list[tuple[Value, Value]]:
    """The characters of a text that may be at the same offset, with theirs."""
    points = [each for each in _points(lazy, number) if each[0] is not offset]
    return points if isinstance(offset, int) else points + _read(lazy, number)


def _points(lazy: LazyHeap, number: int) -> list[tuple[Value, Value]]:
    """The unknown offsets of a text's characters, with these."""
    return [(each.offset, each.character) for each in lazy.points.get(number, ())]


def _read(lazy: LazyHeap, number: int) -> list[tuple[Value, Value]]:
    """The known offsets of a text's characters, with these."""
    return [(offset, value) for (owner, offset), value in lazy.numbers.items() if owner == number]


def learn_fact(step: Step, number: int, fact: TextFact, at: CharacterAt) -> None:
    """Let a fact hold of a text, and tell the path what follows for its known characters."""
    lazy = step.state.lazy
    if fact in lazy.facts.get(number, ()):
        return
    known = _points(lazy, number) + _read(lazy, number)
    step.state.lazy = lazy.with_fact(number, fact)
    for offset, character in known:
        step.assume(consequence(step, number, fact, offset, character, at))


def consequence(step: Step, number: int, fact: TextFact, offset: Value, character: Value, at: CharacterAt) -> Value:
    """What a fact says of a character (1 bit) of a text."""
    if isinstance(fact, NoOccurrence):
        return _no_occurrence(step.state.lazy, number, fact, offset)
    within = build.both(build.ule(fact.start, offset, 64), build.ult(offset, fact.end, 64))
    if within == 0 or step.chain.must(step.state.path, build.negate(within)):
        return 1
    match fact:
        case UniformCharacters(characters=characters, are_among=are_among):
            is_among = build.disjunction([build.eq(character, each, 8) for each in characters])
            return build.either(build.negate(within), is_among if are_among else build.negate(is_among))
        case EqualCharacters(other=other, other_start=other_start, start=start):
            place = build.add(build.sub(offset, start, 64), other_start, 64)
            mine, its = character, at(step, other, place)
            if fact.is_folded:
                mine, its = to_lower(mine, 8), to_lower(its, 8)
            return build.either(build.negate(within), build.eq(mine, its, 8))


def _no_occurrence(lazy: LazyHeap, number: int, fact: NoOccurrence, offset: Value) -> Value:
    """That the needle does not begin at, or shortly before, an offset, where all its characters would be known."""
    known = dict(_points(lazy, number) + _read(lazy, number))
    result: Value = 1
    for before in range(len(fact.needle)):
        start = build.sub(offset, before, 64)
        window = [known.get(build.add(start, i, 64)) for i in range(len(fact.needle))]
        if None in window:
            continue
        pairs = zip(window, fact.needle, strict=True)
        occurs = build.conjunction([build.eq(each, wanted, 8) for each, wanted in pairs if each is not None])
        within = build.both(build.ule(fact.start, start, 64), build.ult(start, fact.end, 64))
        result = build.both(result, build.negate(build.both(within, occurs)))
    return result


def to_lower(character: Value, width: int) -> Value:
    """A character after the C locale's tolower."""
    upper = build.ult(build.sub(character, ord("A"), width), 26, width)
    return build.ite(upper, build.add(character, 32, width), character, width)


def to_upper(character: Value, width: int) -> Value:
    """A character after the C locale's toupper."""
    lower = build.ult(build.sub(character, ord("a"), width), 26, width)
    return build.ite(lower, build.sub(character, 32, width), character, width)
