"""List abstraction (Anand06, section 5.1): maximal uninterrupted segments of singly linked lists become one node.

A node is an object with one pointer, its next one. It interrupts a list if a variable or another object than a node
leads to it, or two nodes do. What lies between two interruptions is a segment; those of one node stay as they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unfork.program.c_types import Pointer
from unfork.prune.contents import WORD, words_with_names
from unfork.prune.live import LiveRegisters
from unfork.prune.side import Side
from unfork.state.lazy import LAZY
from unfork.state.memory import FIRST_HEAP, FIRST_STACK, MemoryObject, object_of, offset_in
from unfork.state.state import State

Class = tuple[str, int]
"""Objects that may be nodes of one list: their kind, and their size in bytes."""


@dataclass(frozen=True, slots=True)
class Fold:
    """``segments``: the numbers of a segment's nodes, by its first one. ``next`` is where a node's pointer is."""

    segments: Mapping[int, tuple[int, ...]]
    next: Mapping[Class, int]


def folded(state: State, registers: LiveRegisters) -> Fold:
    """The segments of all lists that a state's variables lead to."""
    side = Side(state)
    variables = {object_of(one) for one in _variables(state, registers) if side.names(one)}
    edges, outside = _edges(side, variables)
    places = _next_pointers(side, edges)
    leading: Counter[int] = Counter()
    following: dict[int, int] = {}
    for number, targets in edges.items():
        item = side.objects[number]
        for offset, address in targets:
            if places.get(class_of(item)) == offset and item.kind != "stack":
                leading[object_of(address)] += 1
                if offset_in(address) == 0:
                    following[number] = object_of(address)
            else:
                outside.add(object_of(address))

    def is_inside(number: int) -> bool:
        item = side.objects.get(number)
        return item is not None and class_of(item) in places and number not in outside and leading[number] == 1

    segments = {}
    before = {target: number for number, target in following.items()}
    for number in edges:
        if not is_inside(number):
            continue
        previous = before.get(number)
        if previous is not None and is_inside(previous) and _are_alike(side, previous, number):
            continue
        segment = [number]
        while (after := following.get(segment[-1])) is not None and is_inside(after) and after != number:
            if not _are_alike(side, segment[-1], after):
                break
            segment.append(after)
        if len(segment) > 1:
            segments[number] = tuple(segment)
    return Fold(segments, places)


def class_of(item: MemoryObject) -> Class:
    """Of which class of nodes an object would be one."""
    return item.kind, len(item.data)


def _are_alike(side: Side, one: int, other: int) -> bool:
    return class_of(side.objects[one]) == class_of(side.objects[other])


def _variables(state: State, registers: LiveRegisters) -> Iterator[int]:
    """What the live registers hold."""
    for depth, frame in enumerate(state.frames):
        for register in registers.of_frame(state, depth):
            value = frame.registers[register]
            if isinstance(value, int):
                yield value


def _edges(side: Side, variables: set[int]) -> tuple[dict[int, list[tuple[int, int]]], set[int]]:
    """(the addresses in each block that is reached, with their offsets; the objects that no block leads to alone)."""
    outside = set(variables)
    waiting = list(variables)
    for number, item in side.objects.held.items():
        if number < FIRST_HEAP:
            found = {object_of(address) for _, address in _addresses(side, item)}
            outside |= found
            waiting.extend(found)
    edges: dict[int, list[tuple[int, int]]] = {}
    while waiting:
        number = waiting.pop()
        reached = side.objects.get(number)
        if number in edges or reached is None:
            continue
        edges[number] = _addresses(side, reached)
        targets = [object_of(address) for _, address in edges[number]]
        if number >= FIRST_STACK:
            outside.update(targets)
        waiting.extend(targets)
    return edges, outside


def _addresses(side: Side, item: MemoryObject) -> list[tuple[int, int]]:
    found = []
    for offset in words_with_names(item.data, 0, len(item.data)):
        address = int.from_bytes(item.data[offset : offset + WORD], "little")
        if side.names(address):
            found.append((offset, address))
    return found


def _next_pointers(side: Side, edges: Mapping[int, list[tuple[int, int]]]) -> dict[Class, int]:
    """Where the objects of a class have their only pointer, for those that have one."""
    places: dict[Class, set[int]] = defaultdict(set)
    for number, targets in edges.items():
        item = side.objects[number]
        places[class_of(item)].update(offset for offset, _ in targets)
        one = side.state.lazy.find(number) if item.kind == LAZY else None
        if one is not None and one.cells is not None:
            places[class_of(item)].update(cell.offset for cell in one.cells.cells if isinstance(cell.type, Pointer))
    return {kind: min(offsets) for kind, offsets in places.items() if len(offsets) == 1 and kind[1] <= MOST_BYTES}


MOST_BYTES = 256
"""A larger object is no node of a list."""
