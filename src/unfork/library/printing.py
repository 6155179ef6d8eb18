"""Printing with symbolic arguments: exactly, by forking, into a buffer; without forks where only the length matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unfork.execute import lookout
from unfork.execute.loads import load, store
from unfork.execute.step import WRITTEN, Step
from unfork.execute.strings import Characters, read_c_string
from unfork.library.format import (
    BYTES,
    FLOATS,
    INTEGERS,
    Conversion,
    format_double,
    format_integer,
    format_long_double,
    format_pointer,
    pad_text,
    parse_format,
    sign_of,
)
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.program import layout
from unfork.program.ir import Call
from unfork.program.types import FloatType, Type
from unfork.state.state import Written

WIDEST_FIELD = 1 << 16


class ArgumentList(Protocol):
    """The variadic arguments of a printing function, in order."""

    def integer(self, step: Step, size: int) -> Value:
        """The next argument: an integer or pointer of ``size`` bytes."""

    def double(self, step: Step) -> Value:
        """The next argument: the bits of a double."""

    def long_double(self, step: Step) -> Value:
        """The next argument: the 80 bits of a long double."""


class DirectArguments:
    """The arguments of a call with "...", from number ``first`` on."""

    __slots__ = ("_next", "_types", "_values")

    def __init__(self, arguments: Sequence[Value], call: Call, first: int) -> None:
        self._values = arguments
        self._types: list[Type] = [operand.type for operand in call.arguments]
        self._next = first

    def _take(self, step: Step) -> tuple[Value, Type]:
        position = self._next
        if position >= len(self._values):
            step.fail("invalid-call", "the format asks for more arguments than are given")
        self._next = position + 1
        return self._values[position], self._types[position]

    def integer(self, step: Step, size: int) -> Value:
        """An integer; floating arguments are taken for what they are not, which is a fault."""
        value, kind = self._take(step)
        if isinstance(kind, FloatType):
            step.fail("invalid-call", "the format asks for an integer and is given a floating-point number")
        given, wanted = layout.bits_of(kind), 8 * size
        return build.trunc(value, given, wanted) if wanted < given else build.zext(value, given, wanted)

    def double(self, step: Step) -> Value:
        """A double."""
        return self._floating(step, "double")

    def long_double(self, step: Step) -> Value:
        """A long double."""
        return self._floating(step, "x86_fp80")

    def _floating(self, step: Step, name: str) -> Value:
        value, kind = self._take(step)
        if kind != FloatType(name):
            step.fail("invalid-call", f"the format asks for a {name} and is given something else")
        return value


class ListArguments:
    """The arguments behind an x86-64 va_list, read without moving it."""

    __slots__ = ("_general", "_overflow", "_registers", "_vectors")

    def __init__(self, step: Step, va_list: Value) -> None:
        self._general = step.concretize(load(step, va_list, 4), 32, 1, "a va_list")
        self._vectors = step.concretize(load(step, build.add(va_list, 4, 64), 4), 32, 1, "a va_list")
        self._overflow = load(step, build.add(va_list, 8, 64), 8)
        self._registers = load(step, build.add(va_list, 16, 64), 8)

    def integer(self, step: Step, size: int) -> Value:
        """An integer or pointer."""
        if self._general < 48:
            self._general += 8
            return load(step, build.add(self._registers, self._general - 8, 64), size)
        return self._from_memory(step, size, 8)

    def double(self, step: Step) -> Value:
        """A double."""
        if self._vectors < 176:
            self._vectors += 16
            return load(step, build.add(self._registers, self._vectors - 16, 64), 8)
        return self._from_memory(step, 8, 8)

    def long_double(self, step: Step) -> Value:
        """A long double, which is always in memory, aligned."""
        self._overflow = build.and_(build.add(self._overflow, 15, 64), (1 << 64) - 16, 64)
        return build.extract(self._from_memory(step, 10, 16), 0, 80)

    def _from_memory(self, step: Step, size: int, slot: int) -> Value:
        value = load(step, self._overflow, size)
        self._overflow = build.add(self._overflow, slot, 64)
        return value


def render(step: Step, template: Value, arguments: ArgumentList) -> list[Value]:
    """The characters that sprintf writes; the path forks on the lengths of symbolic integers and strings."""
    text: list[Value] = []
    for piece in _pieces(step, template):
        if isinstance(piece, bytes):
            text.extend(piece)
            continue
        conversion = _filled(step, piece, arguments)
        if conversion.letter == "n":
            _count(step, conversion, arguments, len(text))
            continue
        text.extend(_rendered(step, conversion, arguments))
    return text


def measure(step: Step, template: Value, arguments: ArgumentList) -> tuple[list[Written], Value]:
    """What printf prints, piece by piece, and its length (32 bits); pointers are checked, nothing forks."""
    text: list[Written] = []
    length: Value = 0
    for piece in _pieces(step, template):
        if isinstance(piece, bytes):
            text.append(piece)
            length = build.add(length, len(piece), 32)
            continue
        conversion = _filled(step, piece, arguments)
        if conversion.letter == "n":
            _count(step, conversion, arguments, length)
            continue
        written, count = _measured(step, conversion, arguments)
        text.append(written)
        length = build.add(length, count, 32)
    return text, length


def _pieces(step: Step, pointer: Value) -> tuple[bytes | Conversion, ...]:
    characters = read_c_string(step, pointer)
    concrete = [one for one in characters if isinstance(one, int)]
    if len(concrete) < len(characters):
        step.unsupported("a symbolic format string")
    pieces = parse_format(bytes(concrete))
    if pieces is None:
        step.unsupported(f"the format string {bytes(concrete)!r}")
    return pieces


def _filled(step: Step, conversion: Conversion, arguments: ArgumentList) -> Conversion:
    numbers: list[int | None] = []
    for given in (conversion.width, conversion.precision):
        if given == "*":
            value = step.concretize(arguments.integer(step, 4), 32, 64, "the width of a printed field")
            numbers.append(value - (value >> 31 << 32))
        else:
            assert not isinstance(given, str)
            numbers.append(given)
    if any(one is not None and abs(one) > WIDEST_FIELD for one in numbers):
        step.unsupported(f"a printed field of more than {WIDEST_FIELD} characters")
    return conversion.with_numbers(*numbers)


def _count(step: Step, conversion: Conversion, arguments: ArgumentList, length: Value) -> None:
    size = BYTES[conversion.length]
    value = build.zext(length, 32, 64) if isinstance(length, Term) else length
    store(step, arguments.integer(step, 8), build.trunc(value, 64, 8 * size) if size < 8 else value, size)


def _concrete(step: Step, conversion: Conversion, arguments: ArgumentList) -> tuple[bytes | None, Value]:
    """The text of a conversion of a concrete number, or None where it is symbolic, and its argument."""
    letter = conversion.letter
    if letter in INTEGERS:
        size = BYTES[conversion.length]
        value = arguments.integer(step, size if size > 4 else 4)
        if size < 4:
            value = build.trunc(value, 32, 8 * size)
        if isinstance(value, Term):
            return None, value
        signed = value - (value >> (8 * size - 1) << (8 * size)) if letter in "di" else value
        return format_integer(conversion, signed), value
    if letter in FLOATS:
        value = arguments.long_double(step) if conversion.length == "L" else arguments.double(step)
        if isinstance(value, Term):
            return None, value
        if conversion.length != "L":
            return format_double(conversion, value), 0
        text = format_long_double(conversion, value)
        if text is None:
            step.unsupported("printing a long double in hexadecimal")
        return text, 0
    if letter == "p":
        value = arguments.integer(step, 8)
        return (None if isinstance(value, Term) else format_pointer(conversion, value), value)
    step.unsupported(f"the conversion %{letter}")


# --- exact text ------------------------------------------------------------------------------------------------------


def _rendered(step: Step, conversion: Conversion, arguments: ArgumentList) -> list[Value]:
    letter = conversion.letter
    if letter in "cs":
        if letter == "c":
            text: list[Value] = [build.trunc(arguments.integer(step, 4), 32, 8)]
        else:
            limit = conversion.precision if isinstance(conversion.precision, int) else None
            text = read_c_string(step, arguments.integer(step, 8), limit)
        before, behind = pad_text(conversion, len(text))
        return [32] * before + text + [32] * behind
    known, value = _concrete(step, conversion, arguments)
    lookout.printed(step, value)
    if known is not None:
        return list(known)
    if letter in FLOATS:
        step.unsupported("printing a symbolic floating-point number into a buffer")
    return _symbolic_integer(step, conversion, value)


def _symbolic_integer(step: Step, conversion: Conversion, value: Value) -> list[Value]:
    width = 8 * BYTES[conversion.length] if conversion.letter != "p" else 64
    letter = "x" if conversion.letter == "p" else conversion.letter
    prefix = ""
    if letter in "di":
        negative = step.decide(build.slt(value, 0, width))
        prefix = sign_of(conversion, negative)
        if negative:
            value = build.neg(value, width)
    base = {"o": 8, "x": 16, "X": 16}.get(letter, 10)
    count = 1
    while base**count < 1 << width and step.decide(build.uge(value, base**count, width)):
        count += 1
    # Only these look at whether the number is zero.
    special = "#" in conversion.flags or conversion.letter == "p" or conversion.precision == 0
    nonzero = count > 1 or not special or step.decide(build.ne(value, 0, width))
    digits = [_digit(value, base, position, width, letter) for position in reversed(range(count))]
    precision = conversion.precision
    if isinstance(precision, int):
        digits = [*[48] * (precision - count), *digits] if nonzero or precision else []
    if "#" in conversion.flags and letter == "o" and (nonzero or not digits) and (not digits or digits[0] != 48):
        digits = [48, *digits]
    if (("#" in conversion.flags and letter in "xX") or conversion.letter == "p") and nonzero:
        prefix = "0" + letter
    missing = conversion.least - len(prefix) - len(digits)
    head: list[Value] = list(prefix.encode())
    if missing <= 0:
        return head + digits
    if "-" in conversion.flags:
        return head + digits + [32] * missing
    if "0" in conversion.flags and precision is None:
        return head + [48] * missing + digits
    return [32] * missing + head + digits


def _digit(value: Value, base: int, position: int, width: int, letter: str) -> Value:
    if base == 10:
        quotient = build.udiv(value, 10**position, width) if position else value
        return build.add(build.trunc(build.urem(quotient, 10, width), width, 8), 48, 8)
    bits = 3 if base == 8 else 4
    low = bits * position
    part = build.zext(build.extract(value, low, min(bits, width - low)), min(bits, width - low), 8)
    if base == 8:
        return build.add(part, 48, 8)
    return build.add(part, build.ite(build.ult(part, 10, 8), 48, ord("A" if letter == "X" else "a") - 10, 8), 8)


# --- length only -----------------------------------------------------------------------------------------------------


def _measured(step: Step, conversion: Conversion, arguments: ArgumentList) -> tuple[Written, Value]:
    """The text of one conversion, None where it is not known, and its length (32 bits)."""
    letter = conversion.letter
    if letter == "c":
        value = build.trunc(arguments.integer(step, 4), 32, 8)
        before, behind = pad_text(conversion, 1)
        return (*b" " * before, value, *b" " * behind), max(1, conversion.least)
    if letter == "s":
        return _measured_string(step, conversion, arguments.integer(step, 8))
    known, value = _concrete(step, conversion, arguments)
    if known is not None:
        return None if letter == "p" else known, len(known)  # an address is another one natively
    step.use(value, WRITTEN)
    if letter in FLOATS or letter == "p" or "#" in conversion.flags:
        count = step.fresh("printed length", 8, "uninit")
        return None, build.zext(count, 8, 32)
    return None, _integer_length(conversion, value)


def _integer_length(conversion: Conversion, value: Value) -> Value:
    width, letter = 8 * BYTES[conversion.length], conversion.letter
    extra: Value = 0
    if letter in "di":
        negative = build.slt(value, 0, width)
        extra = build.ite(negative, 1, len(sign_of(conversion, 0)), 32)
        value = build.ite(negative, build.neg(value, width), value, width)
    base = {"o": 8, "x": 16, "X": 16}.get(letter, 10)
    count: Value = 0 if conversion.precision == 0 else 1
    power = 1 if conversion.precision == 0 else base
    while power < 1 << width:
        count = build.add(count, build.zext(build.uge(value, power, width), 1, 32), 32)
        power *= base
    if isinstance(conversion.precision, int):
        count = _at_least(count, conversion.precision)
    return _at_least(build.add(count, extra, 32), conversion.least)


def _at_least(value: Value, least: int) -> Value:
    return build.ite(build.ult(value, least, 32), least, value, 32) if least else value


def _measured_string(step: Step, conversion: Conversion, pointer: Value) -> tuple[Written, Value]:
    limit = conversion.precision if isinstance(conversion.precision, int) else None
    if limit == 0:
        return b" " * conversion.least, conversion.least
    characters = Characters(step, pointer)
    known = characters.concrete_end()
    if known is not None and (limit is None or known <= limit):
        before, behind = pad_text(conversion, known)
        return b" " * before + characters.concrete(known) + b" " * behind, max(known, conversion.least)
    length: Value = 0
    going: Value = 1
    index = 0
    while limit is None or index < limit:
        byte = characters.under(index, going)
        step.use(byte, WRITTEN)
        going = build.both(going, build.ne(byte, 0, 8))
        if going == 0:
            break
        length = build.add(length, build.zext(going, 1, 32), 32)
        index += 1
    return None, _at_least(length, conversion.least)
