"""Models of a program's ends and its queries: exit, assert, getenv, system, time, input."""

from __future__ import annotations

from typing import NoReturn

from unfork.engine.memory.leaks import check_early_end
from unfork.engine.memory.library_objects import ERRNO_FUNCTIONS, errno_address, stream_descriptor
from unfork.engine.memory.loads import store
from unfork.engine.memory.own_copies import add_destructor
from unfork.engine.memory.ranges import writable
from unfork.engine.memory.strings import text_at, text_length
from unfork.engine.state.state import EXIT_HANDLERS
from unfork.engine.step.handlers import constant
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.own_source import is_own, own_position
from unfork.program.llvm.types import Position
from unfork.world.library.fuzz_input import exit_program
from unfork.world.library.model import FunctionModel
from unfork.world.library.print_functions import BUFFERED
from unfork.world.library.surroundings import assume, lacks_input, lacks_variable, variable
from unfork.world.library.unfork_api import fresh_value

NOW = 1_700_000_000
END_OF_FILE = 0xFFFF_FFFF
HANDLER_TARGETS = 64


def _assert_fail(step: Step, text: Value, file: Value, line: Value, function: Value = 0) -> None:
    check_early_end(step)
    _say_where(step, text_at(step, file, ""), line, text_at(step, function, ""))
    step.fail("assert", text_at(step, text, "assertion failed"))


def _say_where(step: Step, file: str, line: Value, function: str) -> None:
    """Move to the source location that a library gives for the failure: test frameworks know that of an expectation."""
    position, own = step.position, own_position(step.site())
    if position is None or own_position(position) is not None or not file or not is_own(file):
        return
    is_there = own is not None and (own.file, own.line) == (file, line)
    if isinstance(line, int) and 0 < line < 1 << 31 and not is_there:
        step.position = Position(file, line, 0, function or position.function)


def _assert_rtn(step: Step, function: Value, file: Value, line: Value, text: Value) -> None:
    check_early_end(step)
    step.fail("assert", text_at(step, text, "assertion failed"))


def abort(step: Step) -> NoReturn:
    """End the path as the program aborts: with a fault or without, by the options."""
    check_early_end(step)
    if step.limits.abort_is_error:
        step.fail("abort", "abort() was called")
    step.halt("abort", 134)


def _exit_now(step: Step, status: Value) -> None:
    if step.state.remembered[BUFFERED]:
        step.output(1, None)  # the contents of stdio's buffers are lost
    check_early_end(step)
    step.halt("exit", status)


def _atexit(step: Step, function: Value, argument: Value | None = None, *_: Value) -> Value:
    name, remembered = _handler(step, function), step.state.remembered
    remembered[EXIT_HANDLERS] = (*remembered[EXIT_HANDLERS], (name, argument))
    return 0


def _thread_atexit(step: Step, function: Value, argument: Value, library: Value) -> Value:
    """__cxa_thread_atexit_impl: the destructor of a variable of the running thread."""
    add_destructor(step, _handler(step, function), argument)
    return 0


def _handler(step: Step, function: Value) -> str:
    address = step.concretize(function, 64, HANDLER_TARGETS, "a function given to atexit")
    name = step.statics.function_at(address)
    if name is None:
        step.fail("invalid-call", "atexit with something that is no function")
    if name not in step.program.defined:
        step.unsupported(f"the library function {name} as an exit handler")
    return name


def _getenv(step: Step, name: Value) -> Value:
    """The environment is empty."""
    lacks_variable(step, name)
    return 0


def _system(step: Step, command: Value) -> Value:
    """Runs nothing: reads the command and returns any status. Without a command, any answer on whether there is a
    shell.
    """
    if step.decide(build.ne(command, 0, 64)):
        text_length(step, command)
    assume(step, "system() runs nothing and returns any status")
    return _any_status(step, "system")


def _popen(step: Step, command: Value) -> None:
    """Runs nothing: our C library's popen returns an empty stream."""
    text_length(step, command)
    assume(step, "popen() runs nothing: what is read from it is empty, and pclose() returns any status")


def _any_status(step: Step, name: str) -> Value:
    """Any status that wait may give (32 bits): of an exit, of a signal, with or without a core; or -1."""
    status = fresh_value(step, name, 32, "nondet", "int")
    signal = build.and_(status, 0x7F, 32)
    by_exit = build.eq(build.and_(status, 0xFFFF_00FF, 32), 0, 32)
    is_signal = build.both(build.ne(signal, 0, 32), build.ne(signal, 0x7F, 32))
    by_signal = build.both(build.ult(status, 0x100, 32), is_signal)
    step.assume(build.either(build.eq(status, 0xFFFF_FFFF, 32), build.either(by_exit, by_signal)))
    return status


def _time(step: Step, target: Value) -> Value:
    if step.decide(build.ne(target, 0, 64)):
        store(step, target, NOW, 8)
    return NOW


def _only_standard_input(step: Step, stream: Value, function: str) -> None:
    if stream_descriptor(stream) not in (0, None):
        step.unsupported(f"{function} from a stream that is not the standard input")


def _at_end(step: Step, *_: Value) -> Value:
    """A read of standard input, which is empty."""
    lacks_input(step)
    return END_OF_FILE


def _getc(step: Step, stream: Value) -> Value:
    _only_standard_input(step, stream, "getc")
    return _at_end(step)


def _fgets(step: Step, target: Value, length: Value, stream: Value) -> Value:
    _only_standard_input(step, stream, "fgets")
    lacks_input(step)
    writable(step, target, build.sext(length, 32, 64))
    return 0


def _fread(step: Step, target: Value, size: Value, count: Value, stream: Value) -> Value:
    _only_standard_input(step, stream, "fread")
    lacks_input(step)
    writable(step, target, build.mul(size, count, 64))
    return 0


def _read(step: Step, descriptor: Value, target: Value, length: Value) -> Value:
    if descriptor != 0:
        step.unsupported("read from a file descriptor that is not the standard input")
    lacks_input(step)
    writable(step, target, length)
    return 0


def _unsupported(step: Step, text: Value) -> Value:
    """For parts of our C library that would have to guess."""
    step.unsupported(text_at(step, text, "a part of the C library"))


def _check_failed(step: Step) -> Value:
    step.fail("out-of-bounds", "a buffer is smaller than what the call says, by the compiler's count")


MODELS = {
    "unfork_unsupported": FunctionModel.of("p", "v", _unsupported),
    "__chk_fail": FunctionModel.of("", "v", _check_failed),
    "__assert_fail": FunctionModel.of("ppip", "v", _assert_fail),
    "__assert": FunctionModel.of("ppi", "v", _assert_fail),
    "__assert_rtn": FunctionModel.of("ppip", "v", _assert_rtn),
    "abort": FunctionModel.of("", "v", abort),
    "exit": FunctionModel.of("i", "v", exit_program),
    "_exit": FunctionModel.of("i", "v", _exit_now),
    "_Exit": FunctionModel.of("i", "v", _exit_now),
    "quick_exit": FunctionModel.of("i", "v", _exit_now),
    "atexit": FunctionModel.of("p", "i", _atexit),
    "__cxa_atexit": FunctionModel.of("ppp", "i", _atexit),
    "__cxa_thread_atexit": FunctionModel.of("ppp", "i", _thread_atexit),
    "__cxa_thread_atexit_impl": FunctionModel.of("ppp", "i", _thread_atexit),
    "getenv": FunctionModel.of("p", "p", _getenv),
    "secure_getenv": FunctionModel.of("p", "p", _getenv),
    "unfork_lacks_variable": FunctionModel.of("p", "v", lacks_variable),
    "unfork_variable": FunctionModel.of("pp", "p", variable),
    "system": FunctionModel.of("p", "i", _system),
    "unfork_popen": FunctionModel.of("p", "v", _popen),
    "unfork_pclose": FunctionModel.of("", "i", lambda step: _any_status(step, "pclose")),
    "time": FunctionModel.of("p", "l", _time),
    "clock": FunctionModel("", "l", constant(0)),
    "sleep": FunctionModel("i", "i", constant(0)),
    "usleep": FunctionModel("i", "i", constant(0)),
    "getchar": FunctionModel.of("", "i", _at_end),
    "getchar_unlocked": FunctionModel.of("", "i", _at_end),
    "getc": FunctionModel.of("p", "i", _getc),
    "fgetc": FunctionModel.of("p", "i", _getc),
    "fgets": FunctionModel.of("pip", "p", _fgets),
    "fread": FunctionModel.of("pnnp", "l", _fread),
    "read": FunctionModel.of("ipn", "l", _read),
    "scanf": FunctionModel.of("p*", "i", _at_end),
    "__isoc99_scanf": FunctionModel.of("p*", "i", _at_end),
    "__isoc23_scanf": FunctionModel.of("p*", "i", _at_end),
    **dict.fromkeys(ERRNO_FUNCTIONS, FunctionModel.of("", "p", errno_address)),
    "__stack_chk_fail": FunctionModel.of("", "v", lambda step: step.fail("out-of-bounds", "stack smashed")),
    "setlocale": FunctionModel("ip", "p", constant(0)),
}
