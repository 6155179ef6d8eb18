"""The characters of the texts of an input under a model: those that the path knows, and fitting ones elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from unfork.engine.state.lazy import EqualCharacters, LazyHeap, LazyObject, TextFact, UniformCharacters
from unfork.logic.terms.evaluate import Model, evaluate

FILLER = ord("a")
"""The character of a string wherever the path has not looked, if it may be this one."""
Place = tuple[int, int]
"""The number of a text and an offset in it."""


@dataclass(frozen=True, slots=True)
class _EqualRange:
    """Two texts have the same characters in a range of offsets of the first; ``distance`` leads to the other's."""

    offsets: range
    other: int
    distance: int


@dataclass(slots=True)
class TextContents:
    """The characters of texts under ``model``, a model of the path with this input heap."""

    lazy: LazyHeap
    model: Model
    _known: dict[Place, int] = field(init=False)
    _equal: dict[int, list[_EqualRange]] = field(init=False)
    _uniform: dict[int, list[tuple[range, frozenset[int]]]] = field(init=False)

    def __post_init__(self) -> None:
        self._known, self._equal, self._uniform = {}, {}, {}
        for number, points in self.lazy.points.items():
            for each in points:
                self._known[number, evaluate(each.offset, self.model)] = evaluate(each.character, self.model)
        for place, value in self.lazy.numbers.items():
            if self._is_text(place[0]):
                self._known[place] = evaluate(value, self.model)
        for number, facts in self.lazy.facts.items():
            for fact in facts:
                self._note(number, fact)

    def _note(self, number: int, fact: TextFact) -> None:
        offsets = range(evaluate(fact.start, self.model), evaluate(fact.end, self.model))
        match fact:
            case EqualCharacters(other=other, other_start=other_start):
                distance = evaluate(other_start, self.model) - offsets.start
                self._equal.setdefault(number, []).append(_EqualRange(offsets, other, distance))
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
        alike, allowed = {(number, offset)}, set(range(1, 256))
        waiting = [(number, offset)]
        while waiting:
            place = waiting.pop()
            if place in self._known:
                return self._known[place]
            owner, position = place
            for offsets, characters in self._uniform.get(owner, ()):
                if position in offsets:
                    allowed &= characters
            for equal in self._equal.get(owner, ()):
                other = equal.other, position + equal.distance
                if position in equal.offsets and other not in alike:
                    alike.add(other)
                    waiting.append(other)
        return FILLER if FILLER in allowed else min(allowed, default=FILLER)
