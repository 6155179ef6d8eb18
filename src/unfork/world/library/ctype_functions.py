"""Models of the character functions of the C locale; each is one value, without forks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from unfork.engine.memory.library_objects import ERRNO, library_object
from unfork.engine.memory.text_facts import to_lower, to_upper
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.library.model import FunctionModel

DIGITS, UPPER, LOWER = (48, 57), (65, 90), (97, 122)

CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "isalpha": (UPPER, LOWER),
    "isdigit": (DIGITS,),
    "isalnum": (DIGITS, UPPER, LOWER),
    "isupper": (UPPER,),
    "islower": (LOWER,),
    "isxdigit": (DIGITS, (65, 70), (97, 102)),
    "isspace": ((9, 13), (32, 32)),
    "isblank": ((9, 9), (32, 32)),
    "iscntrl": ((0, 31), (127, 127)),
    "isprint": ((32, 126),),
    "isgraph": ((33, 126),),
    "ispunct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "isascii": ((0, 127),),
}


def in_ranges(value: Value, ranges: Sequence[tuple[int, int]], width: int) -> Value:
    """Whether a value is in one of the inclusive ranges: 1 bit."""
    return build.disjunction([build.ult(build.sub(value, low, width), high - low + 1, width) for low, high in ranges])


def _class_model(ranges: tuple[tuple[int, int], ...]) -> FunctionModel:
    return FunctionModel.of("i", "i", lambda step, character: build.zext(in_ranges(character, ranges, 32), 1, 32))


def _toascii(step: Step, character: Value) -> Value:
    return build.and_(character, 127, 32)


# --- the tables of glibc ---

TABLE_MARGIN = 128
"""They begin at character -128."""
CLASS_TABLE, LOWER_TABLE, UPPER_TABLE = (ERRNO + i for i in (1, 3, 5))
"""Each is an object of the library; the next one points to it."""
LOW_CLASSES = ("isblank", "iscntrl", "ispunct", "isalnum", "", "", "", "")
HIGH_CLASSES = ("isupper", "islower", "isalpha", "isdigit", "isxdigit", "isspace", "isprint", "isgraph")
"""The classes by bit, from the lowest one up."""


def _table(index: int, name: str, width: int, entry: Callable[[int], int]) -> FunctionModel:
    """A function that returns a pointer to a pointer to the entry of character 0."""
    entries = (entry(i) % (1 << 8 * width) for i in range(-TABLE_MARGIN, 256))
    data = cache(lambda: b"".join([value.to_bytes(width, "little") for value in entries]))

    def run(step: Step) -> Value:
        zero = library_object(step, index, name, data(), read_only=True) + TABLE_MARGIN * width
        return library_object(step, index + 1, f"pointer to {name}", zero.to_bytes(8, "little"), read_only=True)

    return FunctionModel.of("", "p", run)


def class_bits(character: int) -> int:
    """The classes of a character, in glibc's bits."""
    bits = enumerate((*LOW_CLASSES, *HIGH_CLASSES))
    return sum(1 << i for i, name in bits if any(low <= character <= high for low, high in CLASSES.get(name, ())))


MODELS = {
    **{name: _class_model(ranges) for name, ranges in CLASSES.items()},
    "tolower": FunctionModel.of("i", "i", lambda step, character: to_lower(character, 32)),
    "toupper": FunctionModel.of("i", "i", lambda step, character: to_upper(character, 32)),
    "toascii": FunctionModel.of("i", "i", _toascii),
    "__ctype_b_loc": _table(CLASS_TABLE, "character classes", 2, class_bits),
    "__ctype_tolower_loc": _table(LOWER_TABLE, "lower case", 4, lambda c: c + 32 * (65 <= c <= 90)),
    "__ctype_toupper_loc": _table(UPPER_TABLE, "upper case", 4, lambda c: c - 32 * (97 <= c <= 122)),
}
