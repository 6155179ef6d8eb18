"""Makes the addresses in memory concrete: where a word may hold several, each gets a path of its own."""

from __future__ import annotations

from unfork.execute.step import Step
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.state.flat_layout import object_named
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, SYMBOLIC, MemoryObject

WORD = 8
"""Bytes of a pointer, and its alignment."""
MOST = 64
"""Addresses that one word may hold."""


def settle(step: Step, pointer: Value) -> None:
    """Make every address concrete that a walk from ``pointer`` meets in the aligned words of live objects."""
    objects = step.state.memory.objects
    addresses: list[tuple[int, int, int]] = []
    waiting = [pointer] if isinstance(pointer, int) else []
    seen: set[int] = set()
    while waiting:
        number = object_named(waiting.pop())
        item = objects.get(number) if number not in seen else None
        seen.add(number)
        if item is None:
            continue
        for place in range(0, len(item.data) - WORD + 1, WORD):
            value = _word(item, place)
            if isinstance(value, Term):
                if not _may_name(value):
                    continue
                value = step.concretize(value, 8 * WORD, MOST, "an address in memory")
                addresses.append((number, place, value))
            if value is not None and FIRST_HEAP <= object_named(value) < END_OF_NAMES:
                waiting.append(value)
    for number, place, value in addresses:
        step.state.memory.writable(number).write(place, WORD, value)


def _word(item: MemoryObject, place: int) -> Value | None:
    """A word of an object; None if some of it was not written."""
    mask = item.mask
    if mask is not None and any(mask[place : place + WORD]) and mask.count(SYMBOLIC, place, place + WORD) < WORD:
        return None
    return item.read(place, WORD)


def _may_name(value: Term) -> bool:
    """Whether a term chooses among constants, one of which is the address of a block."""
    leaves = [leaf for _, leaf in build.choices(value) or ()]
    return any(isinstance(leaf, int) and FIRST_HEAP <= object_named(leaf) < END_OF_NAMES for leaf in leaves)
