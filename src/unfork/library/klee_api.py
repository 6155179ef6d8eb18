"""Models of the functions of klee/klee.h, so that a program written for KLEE runs unchanged."""

from __future__ import annotations

from unfork.execute.handlers import constant, nothing, plain, unsupported
from unfork.execute.library_objects import errno_address
from unfork.execute.loads import load
from unfork.execute.ranges import readable
from unfork.execute.step import Step
from unfork.execute.strings import text_at
from unfork.library.model import Arguments, Model
from unfork.library.unfork_api import assume, fresh_value, symbolic
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Value


def _range(step: Step, arguments: Arguments, call: Call) -> Value:
    begin, end, name = arguments
    step.require(build.slt(begin, end, 32), "user", "klee_range with an empty range")
    if isinstance(begin, int) and build.add(begin, 1, 32) == end:
        return begin
    value = fresh_value(step, text_at(step, name, ""), 32, "symbolic", "int")
    step.assume(build.both(build.sge(value, begin, 32), build.slt(value, end, 32)))
    return value


def _int(step: Step, arguments: Arguments, call: Call) -> Value:
    return fresh_value(step, text_at(step, arguments[0], ""), 32, "symbolic", "int")


def _choose(step: Step, arguments: Arguments, call: Call) -> Value:
    value = fresh_value(step, "klee_choose", 64, "symbolic", "unsigned long")
    step.assume(build.ult(value, arguments[0], 64))
    return value


def _silent_exit(step: Step, arguments: Arguments, call: Call) -> None:
    step.halt("silent", arguments[0])


def _abort(step: Step, arguments: Arguments, call: Call) -> None:
    step.fail("abort", "klee_abort() was called")


def _report_error(step: Step, arguments: Arguments, call: Call) -> None:
    step.fail("user", text_at(step, arguments[2], "klee_report_error"))


def _object_size(step: Step, arguments: Arguments, call: Call) -> Value:
    place = readable(step, arguments[0], 1)
    assert place is not None
    return place.item.size


def _is_symbolic(step: Step, arguments: Arguments, call: Call) -> Value:
    return int(step.conduct.is_symbolic(arguments[0]))


def _check_access(step: Step, arguments: Arguments, call: Call) -> None:
    readable(step, arguments[0], arguments[1])


def _print_expression(step: Step, arguments: Arguments, call: Call) -> None:
    shown = " ".join([repr(argument) for argument in arguments[1:]])
    step.output(2, f"{text_at(step, arguments[0], '')}: {shown}\n".encode())


def _warning(step: Step, arguments: Arguments, call: Call) -> None:
    step.output(2, f"klee_warning: {text_at(step, arguments[0], '')}\n".encode())


def _set_forking(step: Step, arguments: Arguments, call: Call) -> None:
    if arguments[0] != 1:
        step.unsupported("klee_set_forking(0): every fork is explored")


def _get_errno(step: Step, arguments: Arguments, call: Call) -> Value:
    return load(step, errno_address(step), 4)


GET_VALUE = {"f": "f", "d": "d", "l": "l", "ll": "l", "_i32": "i", "_i64": "l"}
"""From the end of klee_get_value's name to the letter of its type."""

MODELS = {
    "klee_make_symbolic": Model("plp", "v", symbolic),
    "klee_range": Model("iip", "i", _range),
    "klee_int": Model("p", "i", _int),
    "klee_choose": Model("l", "l", _choose),
    "klee_silent_exit": Model("i", "v", _silent_exit),
    "klee_abort": Model("", "v", _abort),
    "klee_report_error": Model("pipp", "v", _report_error),
    "klee_get_obj_size": Model("p", "l", _object_size),
    "klee_is_symbolic": Model("?", "i", _is_symbolic),
    "klee_is_replay": Model("", "i", constant(0)),
    "klee_assume": Model("?", "v", assume),
    "klee_warning": Model("p", "v", _warning),
    "klee_warning_once": Model("p", "v", _warning),
    "klee_prefer_cex": Model("p?", "v", nothing),
    "klee_posix_prefer_cex": Model("p?", "v", nothing),
    "klee_mark_global": Model("p", "v", nothing),
    "klee_check_memory_access": Model("pl", "v", _check_access),
    "klee_print_expr": Model("p*", "v", _print_expression),
    "klee_print_range": Model("pi", "v", _print_expression),
    "klee_dump_kquery_var": Model("", "v", nothing),
    "klee_stack_trace": Model("", "v", nothing),
    "klee_set_forking": Model("i", "v", _set_forking),
    "klee_open_merge": Model("", "v", nothing),
    "klee_close_merge": Model("", "v", nothing),
    "klee_merge": Model("", "v", nothing),
    "klee_join": Model("p*", "v", nothing),
    "klee_get_errno": Model("", "i", _get_errno),
    "klee_define_fixed_object": Model(
        "pl", "v", unsupported("klee_define_fixed_object: objects have no fixed address")
    ),
    "klee_abstract": Model("?", "v", unsupported("klee_abstract: a state is not replaced by a condition")),
    "klee_alias_function": Model("pp", "v", unsupported("klee_alias_function")),
    "klee_alias_function_regex": Model("pp", "v", unsupported("klee_alias_function_regex")),
    **{f"klee_get_value{ending}": Model(letter, letter, plain(Step.pick)) for ending, letter in GET_VALUE.items()},
}
