"""Pieces of the addresses in memory: a word that holds a pointer becomes its number before a part of it is accessed.

A pointer in memory is unfork's own name of an object (state/memory.py), as long as its word is loaded, stored and
copied as a whole. A number in memory means the same pointer (execute/numbers.py), so a word may become one at any time.
The law: names lie in aligned words only, with all of their bytes. So each part that is read is that of a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from unfork.execute.numbers import read_as_number
from unfork.execute.step import Step
from unfork.facts.address_uses import WORD
from unfork.logic.term import Term, Value
from unfork.state.flat_layout import LOWEST_ADDRESS, number_in
from unfork.state.memory import BEFORE_NAME, CONCRETE, SYMBOLIC, UNINITIALISED, MemoryObject


def is_whole(offset: int, count: int) -> bool:
    """Whether an access is to one word as a whole."""
    return count == WORD and not offset % WORD


def has_pieces(item: MemoryObject, offset: int, count: int) -> bool:
    """Whether an access may be to a part of a pointer."""
    is_apart = item.has_names and not is_whole(offset, count)
    return is_apart and next(_candidates(item, offset & -WORD, offset + count), None) is not None


def spell_out(step: Step, number: int, offset: int, count: int) -> MemoryObject:
    """The object; in words that have one of ``count`` bytes from ``offset`` on, every pointer is its number now."""
    memory = step.state.memory
    item = memory.objects[number]
    if not item.has_names:
        return item
    for word in _candidates(item, offset & -WORD, offset + count):
        before = item.read(word, WORD)
        if isinstance(before, Term):
            after = read_as_number(step, before)
        else:
            after = number_in(before, memory) if before >= LOWEST_ADDRESS else before
        if after is before or (isinstance(after, int) and after == before):
            continue
        step.spelled += 1
        item = memory.writable(number)
        item.write(word, WORD, after)
        if item.read_only:
            item.owner = None
    return item


def spell_ends_out(step: Step, number: int, offset: int, count: int) -> None:
    """The same of the words of which only a part lies in a range."""
    if count and offset % WORD:
        spell_out(step, number, offset, 1)
    if count and (offset + count) % WORD:
        spell_out(step, number, offset + count - 1, 1)


def put(step: Step, number: int, offset: int, count: int, value: Value) -> None:
    """Write to an object that is not read-only."""
    if not is_whole(offset, count):
        spell_ends_out(step, number, offset, count)
        if count == WORD:
            value = read_as_number(step, value)
    step.state.memory.writable(number).write(offset, count, value)


def _candidates(item: MemoryObject, start: int, end: int) -> Iterator[int]:
    """The words within a range that may hold a pointer, all of whose bytes are written."""
    data, mask = item.data, item.mask
    end = min(end, len(data) - WORD + 1)
    marks = data[start + WORD // 2 : end + WORD // 2 : WORD]
    found = marks.find(BEFORE_NAME)
    while found >= 0:
        word = start + WORD * found
        if mask is None or mask.count(CONCRETE, word, word + WORD) == WORD:
            yield word
        found = marks.find(BEFORE_NAME, found + 1)
    if mask is None:
        return
    position = mask.find(SYMBOLIC, start, end + WORD - 1)
    while position >= 0:
        word = position & -WORD
        if word < end and UNINITIALISED not in mask[word : word + WORD] and _is_word(item, word):
            yield word
        position = mask.find(SYMBOLIC, word + WORD, end + WORD - 1)


def _is_word(item: MemoryObject, word: int) -> bool:
    """Whether a term of 64 bits lies at a word: a pointer is no less."""
    assert item.symbolic is not None
    entry = item.symbolic.get(word)
    return entry is not None and entry[1] == 0 and entry[0].width == 8 * WORD and item.read(word, WORD) is entry[0]
