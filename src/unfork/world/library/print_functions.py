"""Models of output functions for programs without a C library, except formatted output.

Nothing reaches the host, but pointers are checked and the path keeps the text. Other functions are refused by name.
"""

from __future__ import annotations

from unfork.engine.memory.library_objects import stream_descriptor
from unfork.engine.memory.pieces import spell_out
from unfork.engine.memory.ranges import pin_offset, readable
from unfork.engine.memory.strings import Characters
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import Written
from unfork.engine.step.handlers import constant, nothing
from unfork.engine.step.step import WRITTEN, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.library.model import FunctionModel

BUFFERED = Fact("buffered output", EqualPart(), start=False)
"""Whether the path has used stdio: _exit() drops its buffers, and write() overtakes them."""


def _emit(step: Step, stream: Value | None, *text: Written) -> None:
    descriptor = 1 if stream is None else stream_descriptor(stream)
    if descriptor is None:
        return
    step.state.remembered[BUFFERED] = True
    for piece in text:
        if piece is None or piece:
            step.output(descriptor, piece)


def _string(step: Step, pointer: Value) -> bytes | None:
    """The characters of a string, None if its end is unknown. Reading too far is a fault; nothing forks."""
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


def _puts(step: Step, text: Value) -> Value:
    _emit(step, None, _string(step, text), b"\n")
    return 0


def _fputs(step: Step, text: Value, stream: Value) -> Value:
    _emit(step, stream, _string(step, text))
    return 0


def _put_character(step: Step, stream: Value | None, character: Value) -> Value:
    byte = build.trunc(character, 32, 8)
    _emit(step, stream, (byte,))
    return build.zext(byte, 8, 32)


def _putchar(step: Step, character: Value) -> Value:
    return _put_character(step, None, character)


def _fputc(step: Step, character: Value, stream: Value) -> Value:
    return _put_character(step, stream, character)


def _range(step: Step, pointer: Value, length: Value) -> Written:
    location = readable(step, pointer, length)
    if location is None or isinstance(length, Term):
        return None if location is not None else b""
    start = pin_offset(step, location)
    initialise(step, location.number, start, length)
    item = spell_out(step, location.number, start, length)
    if item.is_concrete(start, length):
        return bytes(item.data[start : start + length])
    return tuple(item.byte_values(start, length))


def _fwrite(step: Step, pointer: Value, size: Value, count: Value, stream: Value) -> Value:
    _emit(step, stream, _range(step, pointer, build.mul(size, count, 64)))
    return build.ite(build.eq(size, 0, 64), 0, count, 64)


def _write(step: Step, number: Value, pointer: Value, length: Value) -> Value:
    descriptor = step.concretize(number, 32, 8, "a file descriptor")
    if descriptor not in (1, 2):
        step.unsupported(f"write to file descriptor {descriptor - (descriptor >> 31 << 32)}")
    written = _range(step, pointer, length)
    # Earlier output is still in stdio's buffer, and comes later natively.
    step.output(descriptor, None if step.state.remembered[BUFFERED] else written)
    return length


MODELS = {
    "puts": FunctionModel.of("p", "i", _puts),
    "fputs": FunctionModel.of("pp", "i", _fputs),
    "fputs_unlocked": FunctionModel.of("pp", "i", _fputs),
    "putchar": FunctionModel.of("i", "i", _putchar),
    "putchar_unlocked": FunctionModel.of("i", "i", _putchar),
    "putc": FunctionModel.of("ip", "i", _fputc),
    "fputc": FunctionModel.of("ip", "i", _fputc),
    "fwrite": FunctionModel.of("pnnp", "l", _fwrite),
    "write": FunctionModel.of("ipn", "l", _write),
    "fflush": FunctionModel("p", "i", constant(0)),
    "setbuf": FunctionModel("pp", "v", nothing),
    "setvbuf": FunctionModel("ppil", "i", constant(0)),
    "ferror": FunctionModel("p", "i", constant(0)),
}
