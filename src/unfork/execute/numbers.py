"""Pointers made into numbers and numbers into pointers, known or symbolic (state/flat_layout.py has the known ones).

A symbolic word is converted where it is built on known objects: an address plus an offset, or a choice of such. A word
of unknown origin is a number, in a register of either type, unless all its bits come from known words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from unfork.execute.step import Step
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.program.types import IntType, PointerType, Type
from unfork.state.flat_layout import (
    END,
    GRAIN_BITS,
    IMAGE,
    LAZY_BITS,
    LOWEST_ADDRESS,
    NEAR,
    address_at,
    is_address,
    number_in,
    number_of,
    start_of,
)
from unfork.state.memory import (
    END_OF_NAMES,
    FIRST_LAZY,
    FIRST_STACK,
    FIRST_STATIC,
    SLOT_BITS,
    SLOT_MASK,
    SLOT_MIDDLE,
    Memory,
)

Known = Callable[[int], int | None]
"""What a known word becomes; None for one that says nothing of an object."""

_REGIONS = (
    (FIRST_STATIC, FIRST_LAZY, GRAIN_BITS),
    (FIRST_LAZY, FIRST_STACK, LAZY_BITS),
    (FIRST_STACK, END_OF_NAMES, GRAIN_BITS),
)
"""First name, end of names, and bits of a window, of each part of the layout."""
_PARTS = frozenset(("ite", "concat", "extract", "zext"))
_MASK_64 = (1 << 64) - 1


def to_number(step: Step, pointer: Value) -> Value:
    """What ``ptrtoint`` makes of a pointer: 64 bits."""
    memory = step.state.memory
    if isinstance(pointer, int):
        return number_of(pointer, memory)
    return _converted(pointer, lambda word: _number_if_pointer(word, memory), _number_of_any)


def to_pointer(step: Step, number: Value) -> Value:
    """What ``inttoptr`` makes of a number of 64 bits; a pointer stays as it is."""
    memory = step.state.memory
    if isinstance(number, int):
        return address_at(number, memory)

    def known(word: int) -> int | None:
        address = address_at(word, memory)
        return None if address == word else address

    return _converted(number, known, _unchanged)


def read_as(step: Step, word: Value, kind: Type) -> Value:
    """What was loaded as a scalar of this type."""
    if isinstance(kind, PointerType):
        return read_as_pointer(step, word)
    return read_as_number(step, word) if kind == IntType(64) else word


def read_as_number(step: Step, word: Value) -> Value:
    """A word of memory that is loaded as an integer: it may have been stored as a pointer."""
    memory = step.state.memory
    if isinstance(word, int):
        return number_in(word, memory) if word >= LOWEST_ADDRESS else word
    return _converted(word, lambda word: number_of(word, memory) if is_address(word, memory) else None, _unchanged)


def read_as_pointer(step: Step, word: Value) -> Value:
    """A word of memory that is loaded as a pointer: it may have been stored as an integer."""
    if isinstance(word, int) and not IMAGE <= word < END:
        return word
    return to_pointer(step, word)


def moved(step: Step, pointer: Value, address: Term) -> Value:
    """``address``, a pointer plus a distance. ``new + (p - old)``, where nothing is known of p, is a sum of numbers."""
    base, _ = build.constant_offset(address)
    if not base or is_based(step, address) or not is_based(step, pointer):
        return address
    return build.add(build.sub(address, pointer, 64), to_number(step, pointer), 64)


def is_based(step: Step, word: Value) -> bool:
    """Whether a pointer is known, or is a known address plus something."""
    if isinstance(word, int):
        return True
    return _number_if_pointer(build.constant_offset(word)[0], step.state.memory) is not None


def _number_if_pointer(word: int, memory: Memory) -> int | None:
    number = number_of(word, memory)
    return None if number == word else number


def _unchanged(word: Term) -> Value:
    return word


def _converted(value: Term, known: Known, unknown: Callable[[Term], Value]) -> Value:
    """``value`` with the known words that it is built on converted, each alternative of a choice for itself.

    Choices and sums lie within each other: a joined pointer moves, and is joined again.
    """
    done: dict[Term, Value] = {}
    stack = [value]
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        addends = [] if term.op == "ite" else _addends(term)
        choices = term.args[1:] if term.op == "ite" else [addend for addend in addends if addend.op == "ite"]
        waiting = [choice for choice in choices if choice not in done]
        if waiting:
            stack.extend(waiting)
        elif term.op == "ite":
            done[term] = build.ite(term.args[0], done[term.args[1]], done[term.args[2]], 64)
        elif choices:
            done[term] = _sum(term, addends, done, known)
        else:
            done[term] = _based(term, known, unknown)
    return done[value]


def _sum(total: Term, addends: list[Term], done: Mapping[Term, Value], known: Known) -> Value:
    """A sum of which some addends are choices: one at most is an address."""
    constant, varying = build.constant_offset(total)
    word = known(constant)
    if word is not None:
        return build.add(varying, word, 64)
    for number, addend in enumerate(addends):
        if addend.op == "ite" and done[addend] is not addend:
            converted = done[addend]
            for other in addends[:number] + addends[number + 1 :]:
                converted = build.add(converted, other.value if other.op == "const" else other, 64)
            return converted
    return total


def _addends(value: Term) -> list[Term]:
    """What a sum with a choice in it adds up; a sum without one stays whole."""
    addends: list[Term] = []
    tree = value
    while tree.op == "add" and any(part.op == "ite" for part in tree.args):
        first, second = tree.args
        tree, addend = (first, second) if first.op != "ite" else (second, first)
        addends.append(addend)
    return [tree, *reversed(addends)]


def _based(value: Term, known: Known, unknown: Callable[[Term], Value]) -> Value:
    """A word with the object that it is built on converted: that of its constant part, or of its whole range."""
    if value.op == "const":
        word = known(value.value)
        return value.value if word is None else word
    base, rest = build.constant_offset(value)
    word = known(base)
    if word is not None:
        return build.add(rest, word, 64)
    low, high = known(value.low), known(value.high)
    if low is not None and high is not None and low - value.low == high - value.high:
        return build.add(value, low - value.low & _MASK_64, 64)
    return unknown(value)


def _number_of_any(pointer: Term) -> Value:
    """The number of a pointer of unknown origin."""
    if _is_number(pointer):
        return pointer
    number: Value = pointer
    name = build.lshr(pointer, SLOT_BITS, 64)
    offset = build.sub(build.and_(pointer, SLOT_MASK, 64), SLOT_MIDDLE, 64)
    is_near = build.ule(build.add(offset, NEAR, 64), 2 * NEAR, 64)
    for first, end, bits in _REGIONS:
        is_named = build.ult(build.sub(name, first, 64), end - first, 64)
        start = build.add(build.shl(build.sub(name, first, 64), bits, 64), start_of(first), 64)
        number = build.ite(build.both(is_named, is_near), build.add(start, offset, 64), number, 64)
    return number


def _is_number(word: Term) -> bool:
    """Whether a word of unknown origin is a number: all but those that are put together from parts of known words."""
    waiting, seen = [word], set[Term]()
    while waiting:
        term = waiting.pop()
        if term.op == "const" or term in seen:
            continue
        seen.add(term)
        if term.op not in _PARTS:
            return True
        waiting.extend(term.args[1:] if term.op == "ite" else term.args)
    return word.high < LOWEST_ADDRESS
