"""Pieces of addresses in memory: a pointer becomes its number before a part of its word is accessed.

Law: names of objects (engine/state/memory.py) lie in aligned words, with all their bytes. A number means the same
pointer (engine/step/numbers.py), so that a word may become one at any time.
"""

from __future__ import annotations

from unfork.engine.state.address_pieces import piece_of_word
from unfork.engine.state.flat_layout import LOWEST_ADDRESS, number_in
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.pointer_words import is_whole, pointer_words
from unfork.engine.step.numbers import read_as_number
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD


def spell_out(step: Step, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after every pointer that has one of ``count`` bytes from ``offset`` on has become its number."""
    memory = step.state.memory
    item = memory.objects[number]
    if not item.has_names:
        return item
    for word in pointer_words(item, offset & -WORD, offset + count):
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
        item.add_pieces((piece_of_word(item, word),))
        if item.read_only:
            item.owner = None
    return item


def spell_ends_out(step: Step, number: int, offset: int, count: int) -> None:
    """The same for the words that lie only partly in a range."""
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
