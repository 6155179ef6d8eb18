"""The part of printf that is modelled where no C library is linked: integers, characters and strings, to a stream."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.execute.step import WRITTEN, Step
from unfork.execute.strings import Characters, read_c_string
from unfork.library.conversions import Conversion, parse_format
from unfork.library.numerals import FIELD, Numeral
from unfork.llvm import layout
from unfork.llvm.ir import Call
from unfork.llvm.types import FloatType
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.state.state import Beginning, Written

WIDEST_FIELD = 1 << 16


def print_formatted(step: Step, template: Value, arguments: Sequence[Value], call: Call) -> tuple[list[Written], Value]:
    """What printf prints, piece by piece, and its length (32 bits); pointers are checked, nothing forks.

    ``arguments`` are those that follow the format, the last ones of the call.
    """
    text: list[Written] = []
    length: Value = 0
    kinds = [operand.type for operand in call.arguments[len(call.arguments) - len(arguments) :]]
    given = iter(zip(arguments, kinds, strict=True))
    for piece in _pieces(step, template):
        if isinstance(piece, bytes):
            text.append(piece)
            length = build.add(length, len(piece), 32)
        else:
            value, kind = next(given, (None, None))
            if value is None or kind is None:
                step.fail("invalid-call", "the format asks for more arguments than are given")
            if isinstance(kind, FloatType):
                step.fail("invalid-call", "the format asks for an integer and is given a floating-point number")
            written, count = _converted(step, piece, value, layout.bits_of(kind))
            text.append(written)
            length = build.add(length, count, 32)
    return text, length


def _pieces(step: Step, template: Value) -> tuple[bytes | Conversion, ...]:
    characters = read_c_string(step, template)
    concrete = bytes([character for character in characters if isinstance(character, int)])
    if len(concrete) < len(characters):
        step.unsupported("a symbolic format string without a C library")
    pieces = parse_format(concrete)
    if pieces is None:
        step.unsupported(f"the format string {concrete!r} without a C library")
    if any(isinstance(piece, Conversion) and max(piece.width, piece.precision or 0) > WIDEST_FIELD for piece in pieces):
        step.unsupported(f"a printed field of more than {WIDEST_FIELD} characters")
    return pieces


def _converted(step: Step, conversion: Conversion, value: Value, bits: int) -> tuple[Written, Value]:
    """The text of an argument, None where it is not known, and its length (32 bits)."""
    if conversion.letter == "s":
        return _string(step, conversion, build.zext(value, bits, 64) if bits < 64 else value)
    size = 1 if conversion.letter == "c" else conversion.size
    value = build.trunc(value, bits, 8 * size) if 8 * size < bits else build.zext(value, bits, 8 * size)
    if conversion.letter == "c":
        before, behind = conversion.padding(1)
        return (*before, value, *behind), max(1, conversion.width)
    if isinstance(value, Term):
        step.use(value, WRITTEN)
        numeral = Numeral(conversion, value)
        length = numeral.length()
        if numeral.longest > FIELD:
            return None, build.trunc(length, 64, 32)
        characters = tuple(numeral.characters())
        text = Beginning(characters, length) if isinstance(length, Term) else characters[:length]
        return text, build.trunc(length, 64, 32)
    known = conversion.number(value - (value >> 8 * size - 1 << 8 * size) if conversion.is_signed else value)
    return known, len(known)


def _at_least(value: Value, least: int) -> Value:
    return build.ite(build.ult(value, least, 32), least, value, 32) if least else value


def _string(step: Step, conversion: Conversion, pointer: Value) -> tuple[Written, Value]:
    if conversion.precision == 0:
        return b" " * conversion.width, conversion.width
    text, length = string(step, pointer, conversion.precision)
    if isinstance(text, bytes):
        before, behind = conversion.padding(len(text))
        return before + text + behind, max(len(text), conversion.width)
    return None, _at_least(length, conversion.width)


def string(step: Step, pointer: Value, limit: int | None) -> tuple[bytes | None, Value]:
    """The characters of a string, None where its end is not known, and how many of at most ``limit`` there are.

    Reading too far is a fault; nothing forks.
    """
    characters = Characters(step, pointer)
    known = characters.concrete_end()
    if known is not None and (limit is None or known <= limit):
        return characters.concrete(known), known
    length: Value = 0
    going: Value = 1
    index = 0
    while going != 0 and (limit is None or index < limit):
        byte = characters.under(index, going)
        step.use(byte, WRITTEN)
        going = build.both(going, build.ne(byte, 0, 8))
        length = build.add(length, build.zext(going, 1, 32), 32)
        index += 1
    return None, length
