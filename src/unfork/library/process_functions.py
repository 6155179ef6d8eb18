"""Models of how programs end and what they ask of their surroundings: exit, abort, assert, getenv, time, input."""

from __future__ import annotations

from typing import NoReturn

from unfork.execute.handlers import constant, plain
from unfork.execute.leaks import check_early_end
from unfork.execute.library_objects import errno_address, stream_descriptor
from unfork.execute.loads import store
from unfork.execute.ranges import readable, writable
from unfork.execute.step import Step
from unfork.execute.strings import text_at
from unfork.library.model import Arguments, Model
from unfork.library.print_functions import BUFFERED
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.state import EXIT_HANDLERS

NOW = 1_700_000_000
"""The time is always this."""
END_OF_FILE = 0xFFFF_FFFF
HANDLER_TARGETS = 64


def _assert_fail(step: Step, arguments: Arguments, call: Call) -> None:
    check_early_end(step)
    step.fail("assert", text_at(step, arguments[0], "assertion failed"))


def _assert_rtn(step: Step, arguments: Arguments, call: Call) -> None:
    check_early_end(step)
    step.fail("assert", text_at(step, arguments[3], "assertion failed"))


def abort(step: Step, arguments: Arguments, call: Call) -> None:
    """abort()."""
    end_by_abort(step)


def end_by_abort(step: Step) -> NoReturn:
    """End the path as the program aborts: with a fault or without, as the options say."""
    check_early_end(step)
    if step.limits.abort_is_error:
        step.fail("abort", "abort() was called")
    step.halt("abort", 134)


def _exit_now(step: Step, arguments: Arguments, call: Call) -> None:
    if step.state.remembered[BUFFERED]:
        step.output(1, None)  # what stands in the buffers of stdio is lost
    check_early_end(step)
    step.halt("exit", arguments[0])


def _atexit(step: Step, arguments: Arguments, call: Call) -> Value:
    """atexit, and __cxa_atexit, which says what the handler is to be given."""
    function, *given = arguments
    address = step.concretize(function, 64, HANDLER_TARGETS, "a function given to atexit")
    name = step.statics.function_at(address)
    if name is None:
        step.fail("invalid-call", "atexit with something that is no function")
    if name not in step.program.defined:
        step.unsupported(f"the library function {name} as an exit handler")
    remembered = step.state.remembered
    remembered[EXIT_HANDLERS] = (*remembered[EXIT_HANDLERS], (name, given[0] if given else None))
    return 0


def _getenv(step: Step, arguments: Arguments, call: Call) -> Value:
    """The environment is empty."""
    readable(step, arguments[0], 1)
    return 0


def _time(step: Step, arguments: Arguments, call: Call) -> Value:
    if step.decide(build.ne(arguments[0], 0, 64)):
        store(step, arguments[0], NOW, 8)
    return NOW


def _only_standard_input(step: Step, stream: Value, function: str) -> None:
    if stream_descriptor(stream) not in (0, None):
        step.unsupported(f"{function} from a stream that is not the standard input")


def _getc(step: Step, arguments: Arguments, call: Call) -> Value:
    _only_standard_input(step, arguments[0], "getc")
    return END_OF_FILE


def _fgets(step: Step, arguments: Arguments, call: Call) -> Value:
    _only_standard_input(step, arguments[2], "fgets")
    writable(step, arguments[0], build.sext(arguments[1], 32, 64))
    return 0


def _fread(step: Step, arguments: Arguments, call: Call) -> Value:
    _only_standard_input(step, arguments[3], "fread")
    writable(step, arguments[0], build.mul(arguments[1], arguments[2], 64))
    return 0


def _read(step: Step, arguments: Arguments, call: Call) -> Value:
    if arguments[0] != 0:
        step.unsupported("read from a file descriptor that is not the standard input")
    writable(step, arguments[1], arguments[2])
    return 0


def _errno_location(step: Step, arguments: Arguments, call: Call) -> Value:
    return errno_address(step)


def _unsupported(step: Step, arguments: Arguments, call: Call) -> Value:
    """Our own parts of the C library call this where they would have to guess."""
    step.unsupported(text_at(step, arguments[0], "a part of the C library"))


def _check_failed(step: Step, arguments: Arguments, call: Call) -> Value:
    step.fail("out-of-bounds", "a buffer is smaller than what the call says, by the compiler's count")


MODELS = {
    "unfork_unsupported": Model("p", "v", _unsupported),
    "__chk_fail": Model("", "v", _check_failed),
    "__assert_fail": Model("ppip", "v", _assert_fail),
    "__assert": Model("ppi", "v", _assert_fail),
    "__assert_rtn": Model("ppip", "v", _assert_rtn),
    "abort": Model("", "v", abort),
    "exit": Model("i", "v", plain(Step.exit)),
    "_exit": Model("i", "v", _exit_now),
    "_Exit": Model("i", "v", _exit_now),
    "quick_exit": Model("i", "v", _exit_now),
    "atexit": Model("p", "i", _atexit),
    "__cxa_atexit": Model("ppp", "i", _atexit),
    "getenv": Model("p", "p", _getenv),
    "secure_getenv": Model("p", "p", _getenv),
    "time": Model("p", "l", _time),
    "clock": Model("", "l", constant(0)),
    "sleep": Model("i", "i", constant(0)),
    "usleep": Model("i", "i", constant(0)),
    "getchar": Model("", "i", constant(END_OF_FILE)),
    "getchar_unlocked": Model("", "i", constant(END_OF_FILE)),
    "getc": Model("p", "i", _getc),
    "fgetc": Model("p", "i", _getc),
    "fgets": Model("pip", "p", _fgets),
    "fread": Model("pllp", "l", _fread),
    "read": Model("ipl", "l", _read),
    "scanf": Model("p*", "i", constant(END_OF_FILE)),
    "__isoc99_scanf": Model("p*", "i", constant(END_OF_FILE)),
    "__isoc23_scanf": Model("p*", "i", constant(END_OF_FILE)),
    "__errno_location": Model("", "p", _errno_location),
    "___errno_location": Model("", "p", _errno_location),
    "__stack_chk_fail": Model("", "v", lambda step, arguments, call: step.fail("out-of-bounds", "stack smashed")),
    "setlocale": Model("ip", "p", constant(0)),
}
