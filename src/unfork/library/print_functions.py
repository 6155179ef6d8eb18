"""Models of the printing functions: nothing reaches the host, but pointers are checked and texts are kept."""

from __future__ import annotations

from unfork.execute import heap
from unfork.execute.library_objects import stream_descriptor
from unfork.execute.loads import store
from unfork.execute.ranges import pinned, readable, writable
from unfork.execute.step import WRITTEN, Step
from unfork.execute.strings import Characters
from unfork.execute.uninitialised import initialised
from unfork.library.model import Model
from unfork.library.printing import ArgumentList, DirectArguments, ListArguments, measure, render
from unfork.library.string_functions import write_string
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.program.ir import Call
from unfork.state.meets import Equal
from unfork.state.remembered import Fact
from unfork.state.state import Written

Arguments = tuple[Value, ...]
BUFFERED = Fact("buffered output", Equal(), start=False)
"""Whether the path has used stdio: _exit() does not write what is in its buffers, and write() overtakes it."""
END_OF_FILE = 0xFFFF_FFFF
LIMITS = 4096


def _emit(step: Step, stream: Value | None, *text: Written) -> None:
    descriptor = 1 if stream is None else stream_descriptor(stream)
    if descriptor is None:
        return
    step.state.remembered[BUFFERED] = True
    for piece in text:
        if piece is None or piece:
            step.output(descriptor, piece)


def _print(step: Step, stream: Value | None, text: Value, arguments: ArgumentList) -> Value:
    shown, length = measure(step, text, arguments)
    _emit(step, stream, *shown)
    return length


def _printf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, None, arguments[0], DirectArguments(arguments, call, 1))


def _fprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, arguments[0], arguments[1], DirectArguments(arguments, call, 2))


def _vprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, None, arguments[0], ListArguments(step, arguments[1]))


def _vfprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, arguments[0], arguments[1], ListArguments(step, arguments[2]))


def _printf_chk(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, None, arguments[1], DirectArguments(arguments, call, 2))


def _fprintf_chk(step: Step, arguments: Arguments, call: Call) -> Value:
    return _print(step, arguments[0], arguments[2], DirectArguments(arguments, call, 3))


def _dprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    shown, length = measure(step, arguments[1], DirectArguments(arguments, call, 2))
    descriptor = step.concretize(arguments[0], 32, 8, "a file descriptor")
    for piece in shown:
        step.output(descriptor, piece)
    return length


# --- into buffers ----------------------------------------------------------------------------------------------------


def _into(step: Step, target: Value, limit: Value, text: list[Value]) -> Value:
    """snprintf's rule: at most ``limit`` bytes with the NUL, and the full length as the result."""
    room = step.concretize(limit, 64, LIMITS, "the size given to snprintf")
    if room:
        write_string(step, target, text[: room - 1])
    return len(text)


def _sprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[1], DirectArguments(arguments, call, 2))
    write_string(step, arguments[0], text)
    return len(text)


def _snprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[2], DirectArguments(arguments, call, 3))
    return _into(step, arguments[0], arguments[1], text)


def _vsprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[1], ListArguments(step, arguments[2]))
    write_string(step, arguments[0], text)
    return len(text)


def _vsnprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[2], ListArguments(step, arguments[3]))
    return _into(step, arguments[0], arguments[1], text)


def _sprintf_chk(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[3], DirectArguments(arguments, call, 4))
    write_string(step, arguments[0], text)
    return len(text)


def _snprintf_chk(step: Step, arguments: Arguments, call: Call) -> Value:
    text = render(step, arguments[4], DirectArguments(arguments, call, 5))
    return _into(step, arguments[0], arguments[1], text)


def _allocated(step: Step, target: Value, text: list[Value]) -> Value:
    writable(step, target, 8)
    block = heap.allocate(step, len(text) + 1, "asprintf")
    write_string(step, block, text)
    store(step, target, block, 8)
    return len(text)


def _asprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _allocated(step, arguments[0], render(step, arguments[1], DirectArguments(arguments, call, 2)))


def _vasprintf(step: Step, arguments: Arguments, call: Call) -> Value:
    return _allocated(step, arguments[0], render(step, arguments[1], ListArguments(step, arguments[2])))


# --- plain text ------------------------------------------------------------------------------------------------------


def _string(step: Step, pointer: Value) -> Written:
    """The characters of a string, None where its end is not known; reading too far is a fault, nothing forks."""
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
    place = readable(step, pointer, length)
    if place is None or isinstance(length, Term):
        return None if place is not None else b""
    start = pinned(step, place)
    item = initialised(step, place.number, start, length)
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


def _perror(step: Step, arguments: Arguments, call: Call) -> None:
    if step.decide(build.ne(arguments[0], 0, 64)):
        step.output(2, _string(step, arguments[0]))
        step.output(2, b": ")
    step.output(2, b"error\n")


def _zero(step: Step, arguments: Arguments, call: Call) -> Value:
    return 0


MODELS = {
    "printf": Model("p*", "i", _printf),
    "fprintf": Model("pp*", "i", _fprintf),
    "dprintf": Model("ip*", "i", _dprintf),
    "vprintf": Model("pp", "i", _vprintf),
    "vfprintf": Model("ppp", "i", _vfprintf),
    "__printf_chk": Model("ip*", "i", _printf_chk),
    "__fprintf_chk": Model("pip*", "i", _fprintf_chk),
    "sprintf": Model("pp*", "i", _sprintf),
    "snprintf": Model("plp*", "i", _snprintf),
    "vsprintf": Model("ppp", "i", _vsprintf),
    "vsnprintf": Model("plpp", "i", _vsnprintf),
    "__sprintf_chk": Model("pilp*", "i", _sprintf_chk),
    "__snprintf_chk": Model("plilp*", "i", _snprintf_chk),
    "asprintf": Model("pp*", "i", _asprintf),
    "vasprintf": Model("ppp", "i", _vasprintf),
    "puts": Model("p", "i", _puts),
    "fputs": Model("pp", "i", _fputs),
    "fputs_unlocked": Model("pp", "i", _fputs),
    "putchar": Model("i", "i", _putchar),
    "putchar_unlocked": Model("i", "i", _putchar),
    "putc": Model("ip", "i", _fputc),
    "_IO_putc": Model("ip", "i", _fputc),
    "fputc": Model("ip", "i", _fputc),
    "fwrite": Model("pllp", "l", _fwrite),
    "write": Model("ipl", "l", _write),
    "perror": Model("p", "v", _perror),
    "fflush": Model("p", "i", _zero),
    "setbuf": Model("pp", "v", lambda step, arguments, call: None),
    "setvbuf": Model("ppil", "i", _zero),
    "ferror": Model("p", "i", _zero),
}
