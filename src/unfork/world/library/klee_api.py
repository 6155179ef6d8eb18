"""Models of the functions of klee/klee.h, so that a program written for KLEE runs unchanged."""

from __future__ import annotations

from unfork.engine.memory.lazy_objects import settle
from unfork.engine.memory.library_objects import errno_address
from unfork.engine.memory.loads import load
from unfork.engine.memory.ranges import readable
from unfork.engine.memory.strings import text_at
from unfork.engine.step.handlers import constant, nothing, unsupported
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.world.library.model import FunctionModel
from unfork.world.library.unfork_api import assume, fresh_value, symbolic


def _range(step: Step, begin: Value, end: Value, name: Value) -> Value:
    step.require(build.slt(begin, end, 32), "user", "klee_range with an empty range")
    if isinstance(begin, int) and build.add(begin, 1, 32) == end:
        return begin
    value = fresh_value(step, text_at(step, name, ""), 32, "symbolic", "int")
    step.assume(build.both(build.sge(value, begin, 32), build.slt(value, end, 32)))
    return value


def _int(step: Step, name: Value) -> Value:
    return fresh_value(step, text_at(step, name, ""), 32, "symbolic", "int")


def _choose(step: Step, count: Value) -> Value:
    value = fresh_value(step, "klee_choose", 64, "symbolic", "unsigned long")
    step.assume(build.ult(value, count, 64))
    return value


def _silent_exit(step: Step, status: Value) -> None:
    step.halt("silent", status)


def _abort(step: Step) -> None:
    step.fail("abort", "klee_abort() was called")


def _report_error(step: Step, file: Value, line: Value, message: Value, suffix: Value) -> None:
    step.fail("user", text_at(step, message, "klee_report_error"))


def _object_size(step: Step, pointer: Value) -> Value:
    location = readable(step, pointer, 1)
    assert location is not None
    return settle(step, location.number).size


def _is_symbolic(step: Step, value: Value) -> Value:
    return int(step.conduct.is_symbolic(value))


def _check_access(step: Step, pointer: Value, size: Value) -> None:
    readable(step, pointer, size)


def _print_expression(step: Step, message: Value, *values: Value) -> None:
    shown = " ".join([repr(value) for value in values])
    step.output(2, f"{text_at(step, message, '')}: {shown}\n".encode())


def _warning(step: Step, text: Value) -> None:
    step.output(2, f"klee_warning: {text_at(step, text, '')}\n".encode())


def _set_forking(step: Step, enable: Value) -> None:
    if enable != 1:
        step.unsupported("klee_set_forking(0): every fork is explored")


def _get_errno(step: Step) -> Value:
    return load(step, errno_address(step), 4)


GET_VALUE = {"f": "f", "d": "d", "l": "l", "ll": "l", "_i32": "i", "_i64": "l"}
"""From the suffix of klee_get_value to the letter of its type."""

MODELS = {
    "klee_make_symbolic": FunctionModel.of("pnp", "v", symbolic),
    "klee_range": FunctionModel.of("iip", "i", _range),
    "klee_int": FunctionModel.of("p", "i", _int),
    "klee_choose": FunctionModel.of("l", "l", _choose),
    "klee_silent_exit": FunctionModel.of("i", "v", _silent_exit),
    "klee_abort": FunctionModel.of("", "v", _abort),
    "klee_report_error": FunctionModel.of("pipp", "v", _report_error),
    "klee_get_obj_size": FunctionModel.of("p", "l", _object_size),
    "klee_is_symbolic": FunctionModel.of("?", "i", _is_symbolic),
    "klee_is_replay": FunctionModel("", "i", constant(0)),
    "klee_assume": FunctionModel("?", "v", assume),
    "klee_warning": FunctionModel.of("p", "v", _warning),
    "klee_warning_once": FunctionModel.of("p", "v", _warning),
    "klee_prefer_cex": FunctionModel("p?", "v", nothing),
    "klee_posix_prefer_cex": FunctionModel("p?", "v", nothing),
    "klee_mark_global": FunctionModel("p", "v", nothing),
    "klee_check_memory_access": FunctionModel.of("pn", "v", _check_access),
    "klee_print_expr": FunctionModel.of("p*", "v", _print_expression),
    "klee_print_range": FunctionModel.of("pi", "v", _print_expression),
    "klee_dump_kquery_var": FunctionModel("", "v", nothing),
    "klee_stack_trace": FunctionModel("", "v", nothing),
    "klee_set_forking": FunctionModel.of("i", "v", _set_forking),
    "klee_open_merge": FunctionModel("", "v", nothing),
    "klee_close_merge": FunctionModel("", "v", nothing),
    "klee_merge": FunctionModel("", "v", nothing),
    "klee_join": FunctionModel("p*", "v", nothing),
    "klee_get_errno": FunctionModel.of("", "i", _get_errno),
    "klee_define_fixed_object": FunctionModel(
        "pl", "v", unsupported("klee_define_fixed_object: objects have no fixed address")
    ),
    "klee_abstract": FunctionModel("?", "v", unsupported("klee_abstract: a state is not replaced by a condition")),
    "klee_alias_function": FunctionModel("pp", "v", unsupported("klee_alias_function")),
    "klee_alias_function_regex": FunctionModel("pp", "v", unsupported("klee_alias_function_regex")),
    **{f"klee_get_value{ending}": FunctionModel.of(letter, letter, Step.pick) for ending, letter in GET_VALUE.items()},
}
