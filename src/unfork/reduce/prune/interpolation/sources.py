"""Where the symbols of an interpolant stand: a register of a frame, or bytes of an object, of a state.

A symbol that stands for a pointer stands for its offset alone: the object that it names is its *anchor*. So two states
are alike up to the names of their objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from unfork.engine.state.flat_layout import name_at, object_named
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_STACK,
    SLOT_BITS,
    SYMBOLIC,
    UNINITIALISED,
    MemoryObject,
    address_of,
    object_of,
    offset_in,
)
from unfork.engine.state.pointer_words import has_pieces
from unfork.engine.state.state import RegisterValue, State
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import symbol

NEAR = 1 << 32
"""Bytes: a pointer further than this from its object is no pointer to it, as far as interpolants go."""
PREFIX = "@"
"""Names of symbols of interpolants begin so; no input of a program does."""


_KEPT = 10_000
"""Sources, symbols and answers that are kept: those of one program point are asked for again and again."""

VARIADIC = -1
"""The register, so to speak, that holds the values of a frame's variadic arguments."""


@dataclass(frozen=True, slots=True)
class RegisterSource:
    """A register of the frame at ``depth`` (0 is the outermost); of a structure in one, ``width`` bits at ``part``."""

    depth: int
    register: int
    part: tuple[int, ...]
    width: int
    anchor: int | None

    @property
    def name(self) -> str:
        """The name of the symbol for it."""
        part = "".join(f".{i}" for i in self.part)
        return f"{PREFIX}{'p' if self.anchor is not None else 'r'}{self.depth}.{self.register}{part}"

    def read(self, state: State) -> RegisterValue:
        """What ``state`` has there."""
        frame = state.frames[self.depth]
        value: RegisterValue
        if self.register == VARIADIC:
            value = tuple([value for *_, value in frame.variadic])
        else:
            value = frame.registers[self.register]
        for i in self.part:
            if not isinstance(value, tuple) or i >= len(value):
                return None
            value = value[i]
        return value

    def whole(self, state: State) -> Value | None:
        """The same if it is one value."""
        value = self.read(state)
        return value if isinstance(value, int | Term) else None


@dataclass(frozen=True, slots=True)
class SizeSource:
    """The size in bytes (64 bits) of object ``number``, where it is not known when the object is made."""

    number: int
    anchor: None = None
    width: int = 64

    @property
    def name(self) -> str:
        """The name of the symbol for it."""
        return f"{PREFIX}s{self.number}"


@dataclass(frozen=True, slots=True)
class CellSource:
    """``size`` bytes at ``offset`` of object ``number``."""

    number: int
    offset: int
    size: int
    anchor: int | None

    @property
    def width(self) -> int:
        """In bits."""
        return 8 * self.size

    @property
    def name(self) -> str:
        """The name of the symbol for it."""
        return f"{PREFIX}{'q' if self.anchor is not None else 'c'}{self.number}.{self.offset}.{self.size}"


Source = RegisterSource | CellSource | SizeSource


def is_pointer(term: Term) -> bool:
    """Whether a symbol stands for how far a pointer is from the beginning of its object."""
    return term.name.startswith((PREFIX + "p", PREFIX + "q"))


@lru_cache(_KEPT)
def symbol_of(source: Source) -> Term:
    """The symbol that stands for a source."""
    return symbol(source.name, source.width)


def base_object(value: Value) -> int | None:
    """The object that a value of 64 bits is built on, if it looks like a pointer into, or just beyond, one."""
    constant, _ = build.parted(value)
    number = object_of(constant)
    return number if number >= 1 and -NEAR < offset_in(constant) < NEAR else None


def is_number_of_object(value: Value) -> bool:
    """Whether a value of 64 bits looks like an address made into a number, plus something."""
    constant, _ = build.parted(value)
    return name_at(constant) is not None


def anchor_of(value: Value, state: State) -> int | None:
    """The same for an object that is alive in ``state``, or a local that may come to life again."""
    number = base_object(value)
    if number is None or not (number in state.memory.objects or left_scope(number, state) is not None):
        return None
    return number


def left_scope(number: int, state: State) -> tuple[int, int] | None:
    """Of a local whose scope was left, and may be entered again: the depth of its frame, and which local it is there.

    Only of what no live object has for its number.
    """
    if number >= FIRST_STACK:
        for depth, frame in enumerate(state.frames):
            if frame.ended is not None and number in frame.ended:
                return depth, frame.locals.index(number)
    return None


def is_static(number: int) -> bool:
    """Whether an object has the same name in all states: a global, or what is no memory of the program at all."""
    return number < FIRST_HEAP


def offset_term(value: Value, number: int) -> Value:
    """How far a pointer (64 bits) is from the first byte of an object."""
    return build.sub(value, address_of(number), 64)


def is_written(item: MemoryObject, offset: int, size: int) -> bool:
    """Whether a range of an object lies within it and has no unwritten byte, and no part of a pointer."""
    if not 0 <= offset <= len(item.data) - size or has_pieces(item, offset, size):
        return False
    return item.mask is None or item.mask.count(UNINITIALISED, offset, offset + size) == 0


def pointer_words(item: MemoryObject, state: State) -> list[tuple[int, int]]:
    """The aligned words of an object that hold pointers to live objects: (offset, the object that is named)."""
    words = []
    mask, data = item.mask, item.data
    for offset in range(0, len(data) - 7, 8):
        if mask is None or not any(mask[offset : offset + 8]):
            if not any(data[offset + 5 : offset + 8]):
                continue  # too small a number for an address
        elif mask.count(SYMBOLIC, offset, offset + 8) != 8:
            continue
        number = anchor_of(item.read(offset, 8), state)
        if number is not None:
            words.append((offset, number))
    return words


_WHOLE = frozenset(("eq", "ult", "ule", "slt", "sle", "add", "sub", "ite"))
"""What may be done with a pointer as a whole: bounds and null are asked so."""


def look_into_addresses(values: Iterable[Term]) -> bool:
    """Whether one of the values depends on some of the bits of an address."""
    return any(_looks_inside(value) for value in values if any(map(is_pointer, value.symbols)))


@lru_cache(_KEPT)
def _looks_inside(value: Term) -> bool:
    pointers: dict[Term, bool] = {}
    for term in postorder((value,)):
        is_given = any(pointers[operand] for operand in term.args)
        if is_given and term.op not in _WHOLE:
            return True
        pointers[term] = (is_given and term.width > 1) or _is_address(term)
    return False


def addressed_in(terms: Iterable[Term]) -> set[int]:
    """The objects, globals left out, whose addresses are plain numbers among ``terms``."""
    numbers = {object_named(constant.value) for constant in terms if constant.op == "const" and constant.width == 64}
    return {number for number in numbers if FIRST_HEAP <= number < END_OF_NAMES}


def _is_address(term: Term) -> bool:
    return (
        term.op == "add"
        and any(operand.op == "const" and operand.value >> SLOT_BITS for operand in term.args)
        and any(map(is_pointer, term.symbols))
    )
