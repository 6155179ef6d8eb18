"""Prints concrete text as a whole in musl's place: printf in one call instead of about 600 steps, puts and fputs.

The model handles plain cases. Before it writes, it leaves all others to musl: possible faults, unknown values, and
rare formats (%n, %p, %m, wide characters, long double, numbered arguments).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from unfork.engine.memory.loads import MADE_AS_READ
from unfork.engine.memory.piece_looks import note_look, note_read
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.step.numbers import read_as_number, read_as_pointer
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.world.library.model import FunctionModel
from unfork.world.library.numerals import RADIX, Conversion

NOT_KNOWN = 0xFFFF_FFFF
"""The result -1: musl goes on."""
MOST = 500
WORD = 8
SIZES = {b"": 4, b"hh": 1, b"h": 2, b"l": 8, b"ll": 8, b"j": 8, b"z": 8, b"t": 8}
"""Bytes of an integer argument by length modifier."""
_DIRECTIVE = re.compile(
    rb"%(?:(?P<percent>%)|(?P<flags>[-+ #0]*)(?P<width>\*|[1-9]\d*)?(?:\.(?P<precision>\*|\d*))?"
    rb"(?:(?P<length>hh|h|ll|l|j|z|t)?(?P<integer>[diouxX])|l?(?P<float>[fFeEgG])|(?P<other>[cs])))"
)
_ADDRESS = re.compile(rb"%[^a-zA-Z%]*p")
TO_MEMORY = "vsnprintf"
"""The library's function that prints to memory. All others print to streams."""
_IN_REGISTERS = struct.Struct("<IIQQ")
"""struct __va_list_tag: the used part of the register area, the next argument in memory, the register area."""
_REGISTERS_USED = 48
"""From here on integers come from memory; the engine passes all variadic arguments there."""


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive of a format. STAR is a width or precision from an argument."""

    flags: str
    width: int
    precision: int | None
    size: int
    letter: str


STAR = -1
_AS_NUMBER = b"%#.1lx"
_NUMBER = Directive("#", 0, 1, 8, "x")
"""%p as the directive for a number, which is 0 for null."""


class _NotPlain(Exception):
    """musl must handle the call."""


@lru_cache(1 << 10)
def parts_of(template: bytes) -> tuple[bytes | Directive, ...] | None:
    """A format as text and directives; None if the model lacks one."""
    parts: list[bytes | Directive] = []
    end = 0
    while (start := template.find(b"%", end)) >= 0:
        match = _DIRECTIVE.match(template, start)
        if match is None:
            return None
        parts.append(template[end:start])
        end = match.end()
        parts.append(b"%" if match["percent"] else _directive(match))
    parts.append(template[end:])
    return tuple(parts)


def _directive(match: re.Match[bytes]) -> Directive:
    width, precision = match["width"] or b"0", match["precision"]
    return Directive(
        flags=match["flags"].decode(),
        width=STAR if width == b"*" else int(width),
        precision=None if precision is None else STAR if precision == b"*" else int(precision or b"0"),
        size=SIZES[match["length"] or b""],
        letter=(match["integer"] or match["float"] or match["other"]).decode(),
    )


class _Bytes:
    """The known bytes of memory. ``read`` are the objects of strings read so far. Raises _NotPlain."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.read: set[int] = set()

    def _object(self, pointer: int) -> tuple[MemoryObject, int]:
        item = self.step.state.memory.objects.get(object_of(pointer))
        if item is None or item.limit < 0 or item.kind in MADE_AS_READ:
            raise _NotPlain
        return item, offset_in(pointer)

    def known(self, pointer: int, count: int) -> bytes:
        item, offset = self._object(pointer)
        if not 0 <= offset <= item.limit - count or not item.is_concrete(offset, count):
            raise _NotPlain
        return bytes(item.data[offset : offset + count])

    def string(self, pointer: int, most: int | None = None) -> bytes:
        item, start = self._object(pointer)
        if not 0 <= start <= item.limit:
            raise _NotPlain
        room = item.limit if most is None else min(item.limit, start + most)
        end = item.data.find(0, start, room)
        if end < 0 and (most is None or item.limit < start + most):
            raise _NotPlain
        length, looked_at = (end - start, end + 1 - start) if end >= 0 else (room - start, room - start)
        if not item.is_concrete(start, looked_at):
            raise _NotPlain
        note_read(self.step, object_of(pointer), start, looked_at)
        self.read.add(object_of(pointer))
        return bytes(item.data[start : start + length])

    def write(self, target: int, text: bytes) -> None:
        """Write the text if there is room for it and none of it was read."""
        item, start = self._object(target)
        number = object_of(target)
        if item.read_only or number in self.read or not 0 <= start <= item.limit - len(text):
            raise _NotPlain
        self.step.state.memory.writable(number).write_bytes(start, text)


class _Arguments:
    """The arguments of one call, in order. Raises _NotPlain."""

    def __init__(self, known: _Bytes, arguments: int) -> None:
        self._known = known
        general, floating, self._next, _ = _IN_REGISTERS.unpack(known.known(arguments, _IN_REGISTERS.size))
        if general < _REGISTERS_USED or floating < _REGISTERS_USED:
            raise _NotPlain

    def _word(self) -> int:
        word = int.from_bytes(self._known.known(self._next, WORD), "little")
        self._next += WORD
        return word

    def _integer(self, size: int) -> int:
        word = self._word()
        if read_as_number(self._known.step, word) != word:  # an address; reading its number lets the program observe it
            raise _NotPlain
        return word & (1 << 8 * size) - 1

    def _int(self) -> int:
        number = self._integer(4)
        return number - (number >> 31 << 32)

    def text(self, part: Directive) -> bytes:
        flags, width, precision = part.flags, part.width, part.precision
        if width == STAR:
            width = self._int()
            flags, width = (flags + "-", -width) if width < 0 else (flags, width)
        if precision == STAR:
            precision = self._int()
            precision = None if precision < 0 else precision
        if width > MOST or (precision or 0) > MOST:
            raise _NotPlain
        if part.letter == "c":
            return _padded(bytes((self._integer(4) & 0xFF,)), flags, width)
        if part.letter == "s":
            return _padded(self._pointed_to(precision), flags, width)
        if part.letter in "fFeEgG":
            return _float_text(self._word(), flags, width, precision, part.letter)
        conversion = Conversion(flags, width, precision, part.size, part.letter)
        return _integer_text(conversion, self._integer(part.size))

    def _pointed_to(self, most: int | None) -> bytes:
        word = self._word()
        pointer = read_as_pointer(self._known.step, word)
        if pointer != word:
            raise _NotPlain
        return self._known.string(word, most)

    def pieces(self, template: int) -> Iterator[bytes]:
        parts = parts_of(self._known.string(template))
        if parts is None:
            raise _NotPlain
        for part in parts:
            yield part if isinstance(part, bytes) else self.text(part)


def _padded(text: bytes, flags: str, width: int) -> bytes:
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _integer_text(conversion: Conversion, value: int) -> bytes:
    bits = 8 * conversion.size
    negative = conversion.is_signed and bool(value >> bits - 1)
    magnitude = (1 << bits) - value if negative else value
    radix = RADIX.get(conversion.letter, 10)
    digits = {8: "%o", 10: "%d", 16: "%" + conversion.letter}[radix] % magnitude if magnitude else ""
    before, after = conversion.around(len(digits), negative=negative)
    return before + digits.encode() + after


def _float_text(word: int, flags: str, width: int, precision: int | None, letter: str) -> bytes:
    (value,) = struct.unpack("<d", word.to_bytes(WORD, "little"))
    if not math.isfinite(value) or "#" in flags:  # C libraries differ in the digits that # keeps of a number rounded up
        raise _NotPlain
    field = f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}{letter}"
    return str(field % value).encode()


def _print_known(step: Step, target: Value, room: Value, template: Value, arguments: Value) -> Value:
    """unfork_print_known(to, room, format, arguments): the number of characters written, without a final zero.

    -1 where nothing is written: something is unknown, or the text exceeds ``room``. A null ``to`` only counts.
    """

    if isinstance(template, int) and step.state.frames[-1].function.name == TO_MEMORY:
        _note_addresses(step, template, arguments)

    def text(known: _Bytes) -> bytes:
        if not isinstance(template, int) or not isinstance(arguments, int):
            raise _NotPlain
        return b"".join(_Arguments(known, arguments).pieces(template))

    return _written(step, target, room, text)


def _note_addresses(step: Step, template: int, arguments: Value) -> None:
    """A format may write an address to memory, where the program can read it. Null is no address."""
    known = _Bytes(step)
    try:
        formats = known.string(template).replace(b"%%", b"")
    except _NotPlain:
        return
    if not _ADDRESS.search(formats):
        return
    try:
        if not isinstance(arguments, int):
            raise _NotPlain
        values, parts = _Arguments(known, arguments), parts_of(_ADDRESS.sub(_AS_NUMBER, formats))
        texts = [(part, values.text(part)) for part in parts or () if isinstance(part, Directive)]
    except _NotPlain:
        note_look(step)
        return
    if parts is None or any(part == _NUMBER and text != b"0" for part, text in texts):
        note_look(step)


def _copy_known(step: Step, target: Value, room: Value, source: Value) -> Value:
    """unfork_copy_known(to, room, string): the same for the characters of a string."""

    def text(known: _Bytes) -> bytes:
        if not isinstance(source, int):
            raise _NotPlain
        return known.string(source)

    return _written(step, target, room, text)


def _written(step: Step, target: Value, room: Value, make: Callable[[_Bytes], bytes]) -> Value:
    if not isinstance(target, int) or not isinstance(room, int) or not step.limits.prints_at_once:
        return NOT_KNOWN
    if step.state.memory.is_narrow:  # another layout of va_list
        return NOT_KNOWN
    if step.has_threads and step.are_several(step.state):
        return NOT_KNOWN
    try:
        known = _Bytes(step)
        text = make(known)
        if len(text) > room:
            return NOT_KNOWN
        if target and text:
            known.write(target, text)
    except _NotPlain:
        return NOT_KNOWN
    return len(text)


MODELS = {
    "unfork_print_known": FunctionModel.of("plpp", "i", _print_known),
    "unfork_copy_known": FunctionModel.of("plp", "i", _copy_known),
}
