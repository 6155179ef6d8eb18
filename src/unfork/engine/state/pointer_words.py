"""Words of memory that may hold a pointer, accesses to part of one, and the words that a register holds."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.engine.state.memory import BEFORE_NAME, CONCRETE, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.engine.state.state import RegisterValue
from unfork.logic.terms.term import Term, postorder
from unfork.program.facts.address_uses import WORD


def is_whole(offset: int, count: int) -> bool:
    """Whether an access covers exactly one word."""
    return count == WORD and not offset % WORD


def has_pieces(item: MemoryObject, offset: int, count: int) -> bool:
    """Whether an access may be to part of a pointer."""
    is_apart = item.has_names and not is_whole(offset, count)
    return is_apart and next(pointer_words(item, offset & -WORD, offset + count), None) is not None


def pointer_words(item: MemoryObject, start: int, end: int) -> Iterator[int]:
    """The fully written words in a range that may hold a pointer."""
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
    """Whether a word holds a term of 64 bits: pointers are at least that."""
    assert item.symbolic is not None
    entry = item.symbolic.get(word)
    return entry is not None and entry[1] == 0 and entry[0].width == 8 * WORD and item.read(word, WORD) is entry[0]


def words_in(value: RegisterValue) -> set[int]:
    """The numbers in a register, or in the terms that it holds."""
    words: set[int] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, int):
            words.add(part)
        elif isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, Term):
            words.update(each.value for each in postorder((part,)) if each.op == "const")
    return words
