"""List abstraction (Anand06, section 5.1), also of doubly linked lists, and similarly of trees: folds nodes into
one.

A node is an object with one pointer in a list, several in a tree, and perhaps one more back to where it is pointed
to from. It interrupts if a variable or an object of another class points to it, or two nodes do. In a list, a
segment lies between two interruptions; in a tree, it is everything connected below a node at a given depth below an
interruption. A segment of one node stays as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK, MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.reduce.prune.compared_side import WORD, ComparedSide, words_with_names

Class = tuple[str, int]
"""A class of possible nodes: their kind, and their size in bytes."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """What to fold: lists, and trees below a depth (None: no trees)."""

    lists: bool
    depth: int | None

    def __bool__(self) -> bool:
        return self.lists or self.depth is not None


@dataclass(frozen=True, slots=True)
class Links:
    """The pointers of a class: those that lead on, and the one that leads back, if there is one."""

    onward: tuple[int, ...]
    back: int | None

    @property
    def all(self) -> tuple[int, ...]:
        return self.onward if self.back is None else (*self.onward, self.back)


@dataclass(frozen=True, slots=True)
class Fold:
    """``segments``: the numbers of the nodes folded into one, by the first of them. ``inner``: the first, by the
    others.

    ``exits``: the pointers from a tree's segment to nodes that interrupt, as (node, offset). ``links`` has the
    pointers of each class.
    """

    segments: Mapping[int, tuple[int, ...]]
    inner: Mapping[int, int]
    exits: Mapping[int, tuple[tuple[int, int], ...]]
    links: Mapping[Class, Links]


NOTHING_FOLDED = Fold({}, {}, {}, {})


def fold_nodes(state: State, registers: LiveRegisters, shapes: Shapes) -> Fold:
    """Folds the nodes that a state's variables lead to."""
    side = ComparedSide(state)
    variables = {object_of(address) for address in _variables(state, registers) if side.names(address)}
    edges, outside = _edges(side, variables)
    graph = Graph(side, edges, outside, shapes)
    segments = graph.lists() if shapes.lists else {}
    exits: dict[int, tuple[tuple[int, int], ...]] = {}
    if shapes.depth is not None:
        for first in graph.below(shapes.depth):
            segments[first], exits[first] = graph.hanging(first)
    return Fold(segments, {node: first for first, nodes in segments.items() for node in nodes[1:]}, exits, graph.links)


def class_of(item: MemoryObject) -> Class:
    """The class of an object as a node."""
    return item.kind, len(item.data)


class Graph:
    """The blocks that a state's variables lead to, as nodes."""

    def __init__(
        self, side: ComparedSide, edges: Mapping[int, list[tuple[int, int]]], outside: set[int], shapes: Shapes
    ) -> None:
        self._side = side
        self._edges = edges
        self._shapes = shapes
        self.links = _links(side, edges)
        self._onward: dict[int, dict[int, int]] = defaultdict(dict)
        self._before: dict[int, int] = {}
        self._astray: dict[int, list[int]] = defaultdict(list)
        leading: Counter[int] = Counter()
        back: dict[int, int] = {}
        for number, targets in edges.items():
            item = side.objects[number]
            links = self.links.get(class_of(item)) if item.kind != "stack" else None
            for offset, address in targets:
                target = object_of(address)
                if links is not None and offset in links.onward and offset_in(address) == 0:
                    leading[target] += 1
                    self._onward[number][offset] = target
                    self._before[target] = number
                elif links is not None and offset == links.back and offset_in(address) == 0:
                    back[number] = target
                else:
                    outside.add(target)
                    self._astray[number].append(offset)
        for number, target in back.items():
            if number not in self._onward.get(target, {}).values():
                outside.add(target)
        self._back = back
        self._leading = leading
        self._outside = outside

    def lists(self) -> dict[int, tuple[int, ...]]:
        """The segments of all lists."""
        segments = {}
        for number in self._edges:
            if not self._is_inside(number, in_list=True) or self._goes_on(self._before[number], number):
                continue
            segment = [number]
            while (after := self._after(segment[-1])) is not None and self._goes_on(segment[-1], after):
                if after == number:
                    break
                segment.append(after)
            if len(segment) > 1:
                segments[number] = tuple(segment)
        return segments

    def below(self, depth: int) -> list[int]:
        """The nodes of trees ``depth`` steps below an interruption."""
        return [
            node for node in self._edges if self._is_inside(node, in_list=False) and self._depth(node, depth) == depth
        ]

    def hanging(self, top: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """All nodes below one, that one first, up to those that interrupt; and the pointers that lead out of them."""
        nodes: list[int] = []
        exits: list[tuple[int, int]] = []
        waiting = [top]
        while waiting:
            number = waiting.pop()
            nodes.append(number)
            inner = []
            for offset, after in sorted(self._onward.get(number, {}).items()):
                if self._is_inside(after, in_list=False) and self._alike(number, after):
                    inner.append(after)
                else:
                    exits.append((number, offset))
            exits.extend((number, offset) for offset in self._astray.get(number, ()))
            waiting.extend(reversed(inner))
        return tuple(nodes), tuple(exits)

    def _after(self, number: int) -> int | None:
        return next(iter(self._onward.get(number, {}).values()), None)

    def _goes_on(self, node: int, after: int) -> bool:
        """Whether two linked nodes of a list belong to one segment."""
        return self._is_inside(node, in_list=True) and self._is_inside(after, in_list=True) and self._alike(node, after)

    def _alike(self, node: int, after: int) -> bool:
        """Whether both are of one class, and the second points back to the first if its class does."""
        kind = class_of(self._side.objects[node])
        if kind != class_of(self._side.objects[after]):
            return False
        return self.links[kind].back is None or self._back.get(after) == node

    def _is_inside(self, number: int, *, in_list: bool) -> bool:
        """Whether the object is a node, of a list or of a tree, that does not interrupt."""
        item = self._side.objects.get(number)
        if item is None or number in self._outside or self._leading[number] != 1 or number not in self._before:
            return False
        links = self.links.get(class_of(item))
        if links is None:
            return False
        return (self._shapes.lists and len(links.onward) == 1) == in_list

    def _depth(self, number: int, most: int) -> int:
        """The steps of a node below an interruption, counted up to ``most`` + 1."""
        steps = 0
        while steps <= most and self._is_inside(number, in_list=False):
            number = self._before[number]
            steps += 1
        return steps


def _variables(state: State, registers: LiveRegisters) -> Iterator[int]:
    """The values of the live registers."""
    for depth, frame in enumerate(state.frames):
        for register in registers.of_frame(state, depth):
            value = frame.registers[register]
            if isinstance(value, int):
                yield value


def _edges(side: ComparedSide, variables: set[int]) -> tuple[dict[int, list[tuple[int, int]]], set[int]]:
    """The addresses in each reached block, with offsets; and the objects to which not only blocks lead."""
    outside = set(variables)
    waiting = list(variables)
    for number, item in side.objects.held.items():
        if number < FIRST_HEAP:
            named = {object_of(address) for _, address in _addresses(side, item)}
            outside |= named
            waiting.extend(named)
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


def _addresses(side: ComparedSide, item: MemoryObject) -> list[tuple[int, int]]:
    addresses = []
    for offset in words_with_names(item.data, 0, len(item.data)):
        address = int.from_bytes(item.data[offset : offset + WORD], "little")
        if side.names(address):
            addresses.append((offset, address))
    return addresses


def _links(side: ComparedSide, edges: Mapping[int, list[tuple[int, int]]]) -> dict[Class, Links]:
    """The offsets at which objects of each class have pointers; others are compared as values."""
    members: dict[Class, list[int]] = defaultdict(list)
    for number in edges:
        members[class_of(side.objects[number])].append(number)
    links = {}
    for kind, numbers in members.items():
        offsets = sorted({offset for number in numbers for offset, _ in edges[number]})
        if offsets and kind[1] <= MOST_BYTES:
            back = _leading_back(numbers, edges, offsets) if len(offsets) > 1 else None
            links[kind] = Links(tuple([offset for offset in offsets if offset != back]), back)
    return links


def _leading_back(members: list[int], edges: Mapping[int, list[tuple[int, int]]], offsets: list[int]) -> int | None:
    """The last pointer of a class that only leads back: to where another pointer leads to the object from.

    Through those other pointers, no two objects lead to one. None if there is no such pointer, or it is always null.
    """
    targets_of = {number: {offset: object_of(address) for offset, address in edges[number]} for number in members}
    for back in reversed(offsets):
        targets = [target for at in targets_of.values() for offset, target in at.items() if offset != back]
        if len(targets) != len(set(targets)):
            continue
        leads = [(number, at[back]) for number, at in targets_of.items() if back in at]
        if leads and all(number in _others(targets_of.get(target, {}), back) for number, target in leads):
            return back
    return None


def _others(at: Mapping[int, int], back: int) -> list[int]:
    return [target for offset, target in at.items() if offset != back]


MOST_BYTES = 256
"""A larger object is not a node of a list."""
