"""The states that may cover others, by place: indexed by concrete values, of the top frame and of what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.program.llvm.types import PointerType
from unfork.reduce.prune.abstraction import Abstracted
from unfork.reduce.prune.compared_side import WORD, ComparedSide, words_with_names

MOST_COMPARED = 64
"""Stored states to compare with one state, latest first."""
MOST_STORED = 20_000
"""At this many stored states, all are dropped: what they covered stays covered."""

Place = tuple[Hashable, ...]
Key = tuple[int | None, ...]
"""The top frame's live registers: None except for plain numbers."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A state as it was when it left its place; nothing changes it."""

    state: State
    node: int
    depth: int
    abstracted: Abstracted | None = None
    """Its form for comparison, under an abstraction."""


class StateStore:
    """Stored states by place, and within a place by the registers with plain numbers, and these."""

    def __init__(self) -> None:
        self._places: dict[Place, dict[tuple[int, ...], dict[Key, list[Stored]]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, place: Place, key: Key, stored: Stored) -> None:
        """Keep a state."""
        if self._count >= MOST_STORED:
            self.forget()
        pattern = tuple([i for i, value in enumerate(key) if value is not None])
        of_pattern = self._places.setdefault(place, {}).setdefault(pattern, {})
        of_pattern.setdefault(tuple([key[i] for i in pattern]), []).append(stored)
        self._count += 1

    def alike(self, place: Place, key: Key) -> list[Stored]:
        """The states that may cover one with this key, latest first; a number does not match a term."""
        candidates: list[Stored] = []
        for pattern, of_pattern in self._places.get(place, {}).items():
            candidates += of_pattern.get(tuple([key[i] for i in pattern]), ())[-MOST_COMPARED:]
        candidates.sort(key=_node, reverse=True)
        return candidates[:MOST_COMPARED]

    def all(self) -> Iterator[State]:
        """Every stored state."""
        for patterns in self._places.values():
            for of_pattern in patterns.values():
                for many in of_pattern.values():
                    for stored in many:
                        yield stored.state

    def forget(self) -> None:
        """Drop all states."""
        self._places.clear()
        self._count = 0


def _node(stored: Stored) -> int:
    return stored.node


def key_of(values: Sequence[object], is_plain: Sequence[bool]) -> Key:
    """The key of registers, some of which are plain numbers."""
    return tuple(
        [value if plain and isinstance(value, int) else None for value, plain in zip(values, is_plain, strict=True)]
    )


MOST_OBJECTS = 64
"""Objects to look at, in the order of the walk."""
LARGEST = 4096
"""Bytes of the largest object to look into."""
CHUNK = 4
"""Bytes compared as one word, which is wholly concrete or not."""
Words = tuple[int | None, ...]


@dataclass(slots=True)
class _Walk:
    """Objects in the order of the walk; an address is its object's index in that order."""

    side: ComparedSide
    places: dict[int, int] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)

    def visit(self, value: int) -> tuple[int, int] | None:
        """The index of the object that a word points to, and the offset in it; None if it names none."""
        if not self.side.names(value):
            return None
        number = object_of(value)
        place = self.places.setdefault(number, len(self.places))
        if place == len(self.places) - 1:
            self.waiting.append(number)
        return place, offset_in(value)


def outline(state: State, registers: LiveRegisters) -> tuple[tuple[Hashable, ...], Words]:
    """(shape, words) of a state without an input heap. Only states of one shape may cover each other, and only if
    the words that are concrete in the covering one are the same in both; None is a word that is not concrete.
    """
    walk = _Walk(ComparedSide(state))
    shape: list[Hashable] = []
    words: list[int | None] = []
    for depth, frame in enumerate(state.frames):
        types = registers.facts(frame.function).types
        for register in registers.of_frame(state, depth):
            value = frame.registers[register]
            if isinstance(types[register], PointerType) and isinstance(value, int):
                shape.append(walk.visit(value))
    objects = state.memory.objects
    beginnings = objects.beginnings
    for number in sorted(number for number in objects.held if number < FIRST_HEAP):
        item = objects[number]
        if item.read_only or beginnings is None or number not in beginnings.numbers:
            continue
        if item.mask is None and item.data == beginnings[number].data:
            continue  # as if untouched
        shape.append(number)
        _look(walk, item, shape, words)
    for _ in range(MOST_OBJECTS):
        if not walk.waiting:
            break
        held = objects.get(walk.waiting.pop())
        if held is None:
            shape.append(None)
        else:
            _look(walk, held, shape, words)
    return tuple(shape), tuple(words)


def _look(walk: _Walk, item: MemoryObject, shape: list[Hashable], words: list[int | None]) -> None:
    """Add an object's contents: addresses to the shape, everything else to the words."""
    shape.append(len(item.data))
    if len(item.data) > LARGEST:
        return
    data, mask, position = item.data, item.mask, 0
    named = [(word, walk.visit(int.from_bytes(data[word : word + WORD], "little"))) for word in _high(data)]
    for word, target in (*named, (len(data), (0, 0))):
        if target is None:
            continue
        while position < word:
            is_concrete = mask is None or not any(mask[position : position + CHUNK])
            words.append(int.from_bytes(data[position : position + CHUNK], "little") if is_concrete else None)
            position += CHUNK
        shape.append((word, target))
        position = word + WORD


def _high(data: bytearray) -> list[int]:
    """Where words may be addresses."""
    return words_with_names(data, 0, len(data))
