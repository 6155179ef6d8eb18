"""What the C library is given to print symbolic integers with: a field as a whole, in place of a loop over digits."""

from __future__ import annotations

from unfork.execute.ranges import pinned, writable
from unfork.execute.step import Step
from unfork.library.conversions import Conversion
from unfork.library.model import Arguments, Model
from unfork.library.numerals import FIELD, Numeral
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Term, Value

_FLAGS = "# 0-+"


def _print_integer(step: Step, arguments: Arguments, call: Call) -> Value:
    """unfork_print_integer(to, room, value, bits, letter, flags, width, precision).

    Returns the length of the field, or 0 where nothing is written: the number is known, the field too wide, or each
    length is to be a path of its own.
    ``flags`` are as musl has them; a negative precision is none.
    """
    target, room, value, *how = arguments
    known = [one for one in (room, *how) if isinstance(one, int)]
    if not isinstance(value, Term) or len(known) <= len(how) or not step.limits.prints_at_once:
        return 0
    room, bits, letter, flags, width, precision = known
    signed = precision - (precision >> 31 << 32)
    given = "".join(flag for flag in _FLAGS if flags >> ord(flag) - ord(" ") & 1)
    conversion = Conversion(given, width, None if signed < 0 else signed, bits // 8, chr(letter))
    number = build.trunc(value, 64, bits) if bits < 64 else value
    if not isinstance(number, Term):
        return 0
    numeral = Numeral(conversion, number)
    if numeral.longest > min(room, FIELD):
        return 0
    place = writable(step, target, numeral.longest)
    assert place is not None
    start = pinned(step, place)
    step.state.memory.writable(place.number).write_values(start, numeral.characters())
    return numeral.length()


MODELS = {"unfork_print_integer": Model("pllliiii", "l", _print_integer)}
