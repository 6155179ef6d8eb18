"""Models of number functions: reading numbers from strings, absolute values, pseudo-random numbers."""

from __future__ import annotations

import re
import struct

from unfork.engine.memory.library_objects import set_errno
from unfork.engine.memory.loads import pointer_size, store_pointer
from unfork.engine.memory.ranges import writable
from unfork.engine.memory.strings import Characters, read_c_string
from unfork.engine.state.merge_rules import WordPart
from unfork.engine.state.remembered import Fact
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.world.library.ctype_functions import CLASSES, in_ranges
from unfork.world.library.model import FunctionModel

EINVAL, ERANGE = 22, 34
WIDE = 128
"""Bits for reading numbers, before they are clamped."""
NUMBER = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|(?i:inf(?:inity)?|nan)))"
)
HEXADECIMAL = re.compile(rb"[ \t\n\v\f\r]*([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?)")


class Digits:
    """Reads an integer from characters; forks on each symbolic one."""

    __slots__ = ("base", "characters", "index", "negative", "step", "value")

    def __init__(self, step: Step, pointer: Value, base: int) -> None:
        self.step = step
        self.characters = Characters(step, pointer)
        self.base = base
        self.index = 0
        self.negative = False
        self.value: Value = 0

    def read(self) -> int:
        """Read white space, sign, prefix and digits; returns the index after them, or 0 without digits."""
        step = self.step
        while step.decide(in_ranges(self._here(), CLASSES["isspace"], 8)):
            self.index += 1
        if step.decide(build.eq(self._here(), ord("-"), 8)):
            self.negative = True
            self.index += 1
        elif step.decide(build.eq(self._here(), ord("+"), 8)):
            self.index += 1
        self._prefix()
        start = self.index
        most = int(WIDE / max(self.base - 1, 1).bit_length()) - 1
        while step.decide(in_ranges(self._here(), self._ranges(), 8)):
            if isinstance(self.value, int):
                self.value = min(self.value, 1 << 100)
            elif self.index - start >= most:
                step.limit(0, "capacity", f"a number with more than {most} symbolic digits")
            digit = build.zext(self._digit(self._here()), 8, WIDE)
            self.value = build.add(build.mul(self.value, self.base, WIDE), digit, WIDE)
            self.index += 1
        return self.index if self.index > start else 0

    def _here(self) -> Value:
        return self.characters.at(self.index)

    def _prefix(self) -> None:
        if self.base not in (0, 16):
            return
        step, at, index = self.step, self.characters.at, self.index
        if step.decide(build.eq(at(index), ord("0"), 8)):
            marked = build.eq(build.or_(at(index + 1), 32, 8), ord("x"), 8)
            if step.decide(marked) and step.decide(in_ranges(at(index + 2), CLASSES["isxdigit"], 8)):
                self.base = 16
                self.index += 2
            elif self.base == 0:
                self.base = 8
        elif self.base == 0:
            self.base = 10

    def _ranges(self) -> list[tuple[int, int]]:
        if self.base <= 10:
            return [(48, 47 + self.base)]
        return [(48, 57), (65, 54 + self.base), (97, 86 + self.base)]

    def _digit(self, character: Value) -> Value:
        number = build.sub(character, 48, 8)
        if self.base <= 10:
            return number
        letter = build.sub(build.or_(character, 32, 8), 87, 8)
        return build.ite(build.ule(character, 57, 8), number, letter, 8)


def read_integer(
    step: Step, pointer: Value, end_pointer: Value, base: Value, width: int, *, signed: bool
) -> tuple[Value, int]:
    """strtol and its kin: a number of ``width`` bits, clamped; and errno: ERANGE, EINVAL without digits, or 0."""
    radix = step.concretize(base, 32, 40, "the base of a number")
    if radix == 1 or radix > 36:
        return 0, EINVAL
    digits = Digits(step, pointer, radix)
    stop = digits.read()
    if step.decide(build.ne(end_pointer, 0, 64)):
        writable(step, end_pointer, pointer_size(step))
        store_pointer(step, end_pointer, build.add(pointer, stop, 64))
    if not stop:
        return 0, EINVAL
    return _clamped(step, digits, width, signed=signed)


def _clamped(step: Step, digits: Digits, width: int, *, signed: bool) -> tuple[Value, int]:
    most = (1 << (width - 1)) - (not digits.negative) if signed else (1 << width) - 1
    if step.decide(build.ugt(digits.value, most, WIDE)):
        return most, ERANGE
    low = build.trunc(digits.value, WIDE, width)
    return (build.neg(low, width) if digits.negative else low), 0


def _strto(*, signed: bool) -> FunctionModel:
    def run(step: Step, arguments: tuple[Value, ...], call: Call) -> Value:
        pointer, end_pointer, base = arguments
        width = min(layout.bits_of(call.type.result), 64) or 64
        number, error = read_integer(step, pointer, end_pointer, base, width, signed=signed)
        if error:
            set_errno(step, error)
        return build.zext(number, width, 64)

    return FunctionModel("ppi", "l", run)


def _ato(name: str, kind: str, width: int) -> FunctionModel:
    """atoi and its kin, which leave errno alone. C leaves numbers that do not fit undefined; without a check for
    that, the result is the lower bits of strtol's.
    """

    def run(step: Step, text: Value) -> Value:
        digits = Digits(step, text, 10)
        if not digits.read():
            return 0
        if "overflow" in step.limits.checks:
            fits = build.ule(digits.value, (1 << (width - 1)) - (not digits.negative), WIDE)
            step.require(fits, "overflow", f"{name} of a number that does not fit into {kind}")
        return build.trunc(_clamped(step, digits, 64, signed=True)[0], 64, width)

    return FunctionModel.of("p", "i" if width == 32 else "l", run)


def _parse_float(step: Step, pointer: Value) -> tuple[float, int]:
    """A number and the index after it; symbolic strings are unsupported."""
    characters = read_c_string(step, pointer)
    if any(isinstance(character, Term) for character in characters):
        step.unsupported("a floating-point number read from a symbolic string")
    text = bytes([character for character in characters if isinstance(character, int)])
    hexadecimal = HEXADECIMAL.match(text)
    if hexadecimal is not None:
        return float.fromhex(hexadecimal.group(1).decode()), hexadecimal.end()
    decimal = NUMBER.match(text)
    if decimal is None:
        return 0.0, 0
    return float(decimal.group(1)), decimal.end()


def _strtod(step: Step, text: Value, end: Value) -> Value:
    number, stop = _parse_float(step, text)
    if step.decide(build.ne(end, 0, 64)):
        store_pointer(step, end, build.add(text, stop, 64))
    return int.from_bytes(struct.pack("<d", number), "little")


def _atof(step: Step, text: Value) -> Value:
    number, _ = _parse_float(step, text)
    return int.from_bytes(struct.pack("<d", number), "little")


def _absolute(width: int) -> FunctionModel:
    def run(step: Step, value: Value) -> Value:
        if "overflow" in step.limits.checks:
            lowest = build.ne(value, 1 << (width - 1), width)
            step.require(lowest, "overflow", "the absolute value of the lowest number does not fit")
        return build.ite(build.slt(value, 0, width), build.neg(value, width), value, width)

    letter = "i" if width == 32 else "l"
    return FunctionModel.of(letter, letter, run)


MULTIPLIER = 6364136223846793005
RAND: Fact[Value] = Fact("rand", WordPart(), 0)


def _srand(step: Step, seed: Value) -> None:
    step.state.remembered[RAND] = build.sub(build.zext(seed, 32, 64), 1, 64)


def _rand(step: Step) -> Value:
    """The upper 31 bits of a 64-bit linear congruential generator. Every run yields the same numbers."""
    seed = build.add(build.mul(step.state.remembered[RAND], MULTIPLIER, 64), 1, 64)
    step.state.remembered[RAND] = seed
    return build.trunc(build.lshr(seed, 33, 64), 64, 32)


MODELS = {
    **dict.fromkeys(
        ("strtol", "strtoll", "strtoimax", "__isoc23_strtol", "__isoc23_strtoll"),
        _strto(signed=True),
    ),
    **dict.fromkeys(
        ("strtoul", "strtoull", "strtoumax", "__isoc23_strtoul", "__isoc23_strtoull"),
        _strto(signed=False),
    ),
    "atoi": _ato("atoi", "an int", 32),
    "atol": _ato("atol", "a long", 64),
    "atoll": _ato("atoll", "a long long", 64),
    "strtod": FunctionModel.of("pp", "d", _strtod),
    "atof": FunctionModel.of("p", "d", _atof),
    "abs": _absolute(32),
    "labs": _absolute(64),
    "llabs": _absolute(64),
    "imaxabs": _absolute(64),
    "rand": FunctionModel.of("", "i", _rand),
    "srand": FunctionModel.of("i", "v", _srand),
    "random": FunctionModel.of("", "l", lambda step: build.zext(_rand(step), 32, 64)),
    "srandom": FunctionModel.of("i", "v", _srand),
}
