"""Models of what programs print with where no C library is linked; nothing that formats is among them.

Nothing reaches the host, but pointers are checked and texts are kept. What is not here is refused by name.
"""

from __future__ import annotations

from unfork.execute.handlers import constant, nothing
from unfork.execute.library_objects import stream_descriptor
from unfork.execute.ranges import pinned, readable
from unfork.execute.step import WRITTEN, Step
from unfork.execute.strings import Characters
from unfork.execute.uninitialised import initialised
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.state.merge_rules import Equal
from unfork.state.remembered import Fact
from unfork.state.state import Written

BUFFERED = Fact("buffered output", Equal(), start=False)
"""Whether the path has used stdio: _exit() does not write what is in its buffers, and write() overtakes it."""


def _emit(step: Step, stream: Value | None, *text: Written) -> None:
    descriptor = 1 if stream is None else stream_descriptor(stream)
    if descriptor is None:
        return
    step.state.remembered[BUFFERED] = True
    for piece in text:
        if piece is None or piece:
            step.output(descriptor, piece)


def _string(step: Step, pointer: Value) -> bytes | None:
    """The characters of a string, None where its end is not known. Reading too far is a fault; nothing forks."""
    characters = Characters(step, pointer)
    known = characters.concrete_end()
    if known is not None:
        return characters.concrete(known)
    going: Value = 1
    index = 0
    while going != 0:
        byte = characters.under(index, going)
        step.use(byte, WRITTEN)
        going = build.both(going, build.ne(byte, 0, 8))
        index += 1
    return None


def _puts(step: Step, arguments: Arguments, call: Call) -> Value:
    _emit(step, None, _string(step, arguments[0]), b"\n")
    return 0


def _fputs(step: Step, arguments: Arguments, call: Call) -> Value:
    _emit(step, arguments[1], _string(step, arguments[0]))
    return 0


def _put_character(step: Step, stream: Value | None, character: Value) -> Value:
    byte = build.trunc(character, 32, 8)
    _emit(step, stream, (byte,))
    return build.zext(byte, 8, 32)


def _putchar(step: Step, arguments: Arguments, call: Call) -> Value:
    return _put_character(step, None, arguments[0])


def _fputc(step: Step, arguments: Arguments, call: Call) -> Value:
    return _put_character(step, arguments[1], arguments[0])


def _range(step: Step, pointer: Value, length: Value) -> Written:
    location = readable(step, pointer, length)
    if location is None or isinstance(length, Term):
        return None if location is not None else b""
    start = pinned(step, location)
    item = initialised(step, location.number, start, length)
    if item.is_concrete(start, length):
        return bytes(item.data[start : start + length])
    return tuple(item.byte_values(start, length))


def _fwrite(step: Step, arguments: Arguments, call: Call) -> Value:
    pointer, size, count, stream = arguments
    _emit(step, stream, _range(step, pointer, build.mul(size, count, 64)))
    return build.ite(build.eq(size, 0, 64), 0, count, 64)


def _write(step: Step, arguments: Arguments, call: Call) -> Value:
    descriptor = step.concretize(arguments[0], 32, 8, "a file descriptor")
    if descriptor not in (1, 2):
        step.unsupported(f"write to file descriptor {descriptor - (descriptor >> 31 << 32)}")
    written = _range(step, arguments[1], arguments[2])
    # What the program printed before stands in stdio's buffer still, and comes later natively.
    step.output(descriptor, None if step.state.remembered[BUFFERED] else written)
    return arguments[2]


MODELS = {
    "puts": Model("p", "i", _puts),
    "fputs": Model("pp", "i", _fputs),
    "fputs_unlocked": Model("pp", "i", _fputs),
    "putchar": Model("i", "i", _putchar),
    "putchar_unlocked": Model("i", "i", _putchar),
    "putc": Model("ip", "i", _fputc),
    "fputc": Model("ip", "i", _fputc),
    "fwrite": Model("pllp", "l", _fwrite),
    "write": Model("ipl", "l", _write),
    "fflush": Model("p", "i", constant(0)),
    "setbuf": Model("pp", "v", nothing),
    "setvbuf": Model("ppil", "i", constant(0)),
    "ferror": Model("p", "i", constant(0)),
}
