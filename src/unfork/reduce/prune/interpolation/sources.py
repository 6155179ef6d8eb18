"""The sources of an interpolant's symbols: a register of a frame, or bytes of an object, of a state.

A symbol for a pointer stands for its offset alone: the object that it names is its *anchor*. So two states are alike
up to the names of their objects.
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
"""Bytes: a pointer at a larger distance from its object counts as unrelated."""
PREFIX = "@"
"""Prefix of interpolants' symbols; no input of a program has it."""


_KEPT = 10_000
"""Sources, symbols and answers to cache: those of one program point recur."""

VARIADIC = -1
"""The pseudo-register with the values of a frame's variadic arguments."""


@dataclass(frozen=True, slots=True)
class RegisterSource:
    """A register of the frame at ``depth`` (0 is the outermost); for a structure, ``width`` bits at ``part``."""

    depth: int
    register: int
    part: tuple[int, ...]
    width: int
    anchor: int | None

    @property
    def name(self) -> str:
        """The name of its symbol."""
        part = "".join(f".{i}" for i in self.part)
        return f"{PREFIX}{'p' if self.anchor is not None else 'r'}{self.depth}.{self.register}{part}"

    def read(self, state: State) -> RegisterValue:
        """Its value in ``state``."""
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
        """Its value, if it is a single one."""
        value = self.read(state)
        return value if isinstance(value, int | Term) else None


@dataclass(frozen=True, slots=True)
class SizeSource:
    """The size in bytes (64 bits) of object ``number``, if it is symbolic when the object is made."""

    number: int
    anchor: None = None
    width: int = 64

    @property
    def name(self) -> str:
        """The name of its symbol."""
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
        """The name of its symbol."""
        return f"{PREFIX}{'q' if self.anchor is not None else 'c'}{self.number}.{self.offset}.{self.size}"


Source = RegisterSource | CellSource | SizeSource


def is_pointer(term: Term) -> bool:
    """Whether a symbol stands for a pointer's offset in its object."""
    return term.name.startswith((PREFIX + "p", PREFIX + "q"))


@lru_cache(_KEPT)
def symbol_of(source: Source) -> Term:
    """The symbol of a source."""
    return symbol(source.name, source.width)


def base_object(value: Value) -> int | None:
    """The object on which a value of 64 bits is based, if it looks like a pointer into, or just beyond, one."""
    constant, _ = build.parted(value)
    number = object_of(constant)
    return number if number >= 1 and -NEAR < offset_in(constant) < NEAR else None


def is_number_of_object(value: Value) -> bool:
    """Whether a value of 64 bits looks like an address as a number, plus something."""
    constant, _ = build.parted(value)
    return name_at(constant) is not None


def anchor_of(value: Value, state: State) -> int | None:
    """The object on which a value is based, if it lives in ``state``, or is a local that may live again."""
    number = base_object(value)
    if number is None or not (number in state.memory.objects or left_scope(number, state) is not None):
        return None
    return number


def left_scope(number: int, state: State) -> tuple[int, int] | None:
    """For a local whose scope ended, and may begin again: the depth of its frame, and its index there.

    Only for a number without a live object.
    """
    if number >= FIRST_STACK:
        for depth, frame in enumerate(state.frames):
            if frame.ended is not None and number in frame.ended:
                return depth, frame.locals.index(number)
    return None


def is_static(number: int) -> bool:
    """Whether an object has the same name in all states: a global, or no memory of the program."""
    return number < FIRST_HEAP


def offset_term(value: Value, number: int) -> Value:
    """The offset of a pointer (64 bits) from the first byte of an object."""
    return build.sub(value, address_of(number), 64)


def is_written(item: MemoryObject, offset: int, size: int) -> bool:
    """Whether a range lies in an object and has no unwritten byte, and no part of a pointer."""
    if not 0 <= offset <= len(item.data) - size or has_pieces(item, offset, size):
        return False
    return item.mask is None or item.mask.count(UNINITIALISED, offset, offset + size) == 0


def pointer_words(item: MemoryObject, state: State) -> list[tuple[int, int]]:
    """The aligned words of an object with pointers to live objects: (offset, the object named).

    None where memory holds pointers as numbers of 32 bits, which go by the names of their objects.
    """
    if state.memory.is_narrow:
        return []
    words = []
    mask, data = item.mask, item.data
    for offset in range(0, len(data) - 7, 8):
        if mask is None or not any(mask[offset : offset + 8]):
            if not any(data[offset + 5 : offset + 8]):
                continue  # too small for an address
        elif mask.count(SYMBOLIC, offset, offset + 8) != 8:
            continue
        number = anchor_of(item.read(offset, 8), state)
        if number is not None:
            words.append((offset, number))
    return words


_WHOLE = frozenset(("eq", "ult", "ule", "slt", "sle", "add", "sub", "ite"))
"""Operations on a whole pointer: tests of bounds and null use them."""


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
    """The objects, except globals, whose addresses are plain numbers among ``terms``."""
    numbers = {object_named(constant.value) for constant in terms if constant.op == "const" and constant.width == 64}
    return {number for number in numbers if FIRST_HEAP <= number < END_OF_NAMES}


def _is_address(term: Term) -> bool:
    return (
        term.op == "add"
        and any(operand.op == "const" and operand.value >> SLOT_BITS for operand in term.args)
        and any(map(is_pointer, term.symbols))
    )
