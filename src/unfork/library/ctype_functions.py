"""Models of the character functions of the C locale; each is one value, without forks."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.execute.library_objects import class_table, lower_table, upper_table
from unfork.execute.step import Step
from unfork.execute.strings import to_lower, to_upper
from unfork.library.model import Arguments, Model
from unfork.logic import build
from unfork.logic.term import Value
from unfork.program.ir import Call

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
    """Whether a value is in one of some inclusive ranges: 1 bit."""
    return build.disjunction([build.ult(build.sub(value, low, width), high - low + 1, width) for low, high in ranges])


def _class_model(ranges: tuple[tuple[int, int], ...]) -> Model:
    def run(step: Step, arguments: Arguments, call: Call) -> Value:
        return build.zext(in_ranges(arguments[0], ranges, 32), 1, 32)

    return Model("i", "i", run)


def _tolower(step: Step, arguments: Arguments, call: Call) -> Value:
    return to_lower(arguments[0], 32)


def _toupper(step: Step, arguments: Arguments, call: Call) -> Value:
    return to_upper(arguments[0], 32)


def _toascii(step: Step, arguments: Arguments, call: Call) -> Value:
    return build.and_(arguments[0], 127, 32)


MODELS = {
    **{name: _class_model(ranges) for name, ranges in CLASSES.items()},
    "tolower": Model("i", "i", _tolower),
    "toupper": Model("i", "i", _toupper),
    "toascii": Model("i", "i", _toascii),
    "__ctype_b_loc": Model("", "p", lambda step, arguments, call: class_table(step)),
    "__ctype_tolower_loc": Model("", "p", lambda step, arguments, call: lower_table(step)),
    "__ctype_toupper_loc": Model("", "p", lambda step, arguments, call: upper_table(step)),
}
