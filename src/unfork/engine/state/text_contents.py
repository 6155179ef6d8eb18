"""The characters of the texts of an input under a model: those that the path knows, and fitting ones elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from unfork.engine.state.lazy import EqualCharacters, LazyHeap, LazyObject, NoOccurrence, TextFact, UniformCharacters
from unfork.logic.terms.evaluate import Model, evaluate

FILLER = ord("a")
"""The character of a string wherever the path has not looked, if it may be this one."""
_ANY = frozenset(range(1, 256))
Place = tuple[int, int]
"""The number of a text and an offset in it."""


@dataclass(frozen=True, slots=True)
class _EqualRange:
    """Two texts have the same characters in a range of offsets of the first; ``distance`` leads to the other's.

    ``is_folded``: but for the case of letters.
    """

    offsets: range
    other: int
    distance: int
    is_folded: bool


@dataclass(slots=True)
class TextContents:
    """The characters of texts under ``model``, a model of the path with this input heap."""

    lazy: LazyHeap
    model: Model
    _known: dict[Place, int] = field(init=False)
    _equal: dict[int, list[_EqualRange]] = field(init=False)
    _uniform: dict[int, list[tuple[range, frozenset[int]]]] = field(init=False)
    _avoided: dict[int, list[tuple[range, frozenset[int]]]] = field(init=False)
    """Characters of texts that do not occur in a range: none of them is there, where that is possible."""

    def __post_init__(self) -> None:
        self._known, self._equal, self._uniform, self._avoided = {}, {}, {}, {}
        for number in self.lazy.points:
            for offset, character in self.lazy.characters_at_points(number, self.model).items():
                self._known[number, offset] = character
        for place, value in self.lazy.numbers.items():
            if self._is_text(place[0]):
                self._known[place] = evaluate(value, self.model)
        for number, facts in self.lazy.facts.items():
            for fact in facts:
                self._note(number, fact)

    def _note(self, number: int, fact: TextFact) -> None:
        offsets = range(evaluate(fact.start, self.model), evaluate(fact.end, self.model))
        match fact:
            case EqualCharacters(other=other, other_start=other_start, is_folded=is_folded):
                distance = evaluate(other_start, self.model) - offsets.start
                self._equal.setdefault(number, []).append(_EqualRange(offsets, other, distance, is_folded))
            case NoOccurrence(needle=needle):
                reach = range(offsets.start, offsets.stop + len(needle) - 1)
                self._avoided.setdefault(number, []).append((reach, frozenset(needle)))
            case UniformCharacters(characters=characters, are_among=are_among):
                among = {evaluate(each, self.model) for each in characters}
                allowed = among if are_among else set(range(256)) - among
                self._uniform.setdefault(number, []).append((offsets, frozenset(allowed)))

    def _is_text(self, number: int) -> bool:
        item = self.lazy.find(number)
        return item is not None and item.is_text

    def of(self, text: LazyObject) -> bytearray:
        """The characters of a text and its NUL."""
        size = self.lazy.text_size(text, self.model)
        return bytearray(self.at(text.number, offset) for offset in range(size - 1)) + b"\0"

    def at(self, number: int, offset: int) -> int:
        """The character at an offset before the text's NUL."""
        if number not in self.lazy.facts:
            return self._known.get((number, offset), FILLER)
        same = self._alike([(number, offset)], is_folded=False)
        like = self._alike(same, is_folded=True)
        for place in same:
            if place in self._known:
                return self._known[place]
        allowed = frozenset.intersection(*[self._allowed(place) for place in same])
        if len(like) > len(same):
            known = [{_folded(self._known[place])} for place in like if place in self._known]
            wanted = set.intersection(*[set(map(_folded, self._allowed(place))) for place in like], *known)
            letter = FILLER if FILLER in wanted else min(wanted, default=FILLER)
            allowed = frozenset(each for each in allowed if _folded(each) == letter)
        allowed = allowed - self._avoided_at(like) or allowed
        return FILLER if FILLER in allowed else min(allowed, default=FILLER)

    def _alike(self, places: Iterable[Place], *, is_folded: bool) -> dict[Place, None]:
        """The places whose characters are equal to those of some; with ``is_folded``, but for the case of letters."""
        alike = dict.fromkeys(places)
        waiting = list(alike)
        while waiting:
            owner, position = waiting.pop()
            for equal in self._equal.get(owner, ()):
                other = equal.other, position + equal.distance
                if position in equal.offsets and other not in alike and equal.is_folded <= is_folded:
                    alike[other] = None
                    waiting.append(other)
        return alike

    def _allowed(self, place: Place) -> frozenset[int]:
        allowed = _ANY
        for offsets, characters in self._uniform.get(place[0], ()):
            if place[1] in offsets:
                allowed &= characters
        return allowed

    def _avoided_at(self, places: Iterable[Place]) -> frozenset[int]:
        return frozenset(
            each
            for owner, position in places
            for offsets, needle in self._avoided.get(owner, ())
            if position in offsets
            for each in needle
        )


def _folded(character: int) -> int:
    """A character after tolower."""
    return character + 32 if ord("A") <= character <= ord("Z") else character
