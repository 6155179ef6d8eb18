"""Models of the handlers that clang's undefined-behaviour checks call: each is a fault."""

from __future__ import annotations

from unfork.execute.model import Model, Run
from unfork.execute.step import Step
from unfork.logic import build
from unfork.logic.term import Value
from unfork.program.ir import Call


def _fault(kind: str, message: str) -> Run:
    def run(step: Step, arguments: tuple[Value, ...], call: Call) -> None:
        step.fail(kind, message)

    return run


def _division(step: Step, arguments: tuple[Value, ...], call: Call) -> None:
    if step.decide(build.eq(arguments[2], 0, 64)):
        step.fail("div-by-zero", "division by zero")
    step.fail("overflow", "the result of a division does not fit")


FAULTS = {
    "add_overflow": ("overflow", "signed addition overflows"),
    "sub_overflow": ("overflow", "signed subtraction overflows"),
    "mul_overflow": ("overflow", "signed multiplication overflows"),
    "negate_overflow": ("overflow", "negation overflows"),
    "shift_out_of_bounds": ("shift", "shift by a bad amount, or of a bad value"),
    "out_of_bounds": ("out-of-bounds", "index out of the array's bounds"),
    "builtin_unreachable": ("unreachable", "unreachable code is reached"),
    "missing_return": ("unreachable", "a function that returns a value ends without one"),
    "vla_bound_not_positive": ("out-of-bounds", "a variable-length array without elements"),
    "float_cast_overflow": ("overflow", "a floating-point number does not fit the integer type"),
    "implicit_conversion": ("overflow", "a conversion changes the value"),
    "load_invalid_value": ("uninitialised", "a value that its type cannot hold"),
    "pointer_overflow": ("overflow", "pointer arithmetic overflows"),
    "invalid_builtin": ("unreachable", "a builtin function with a value that it is not defined for"),
    "function_type_mismatch": ("invalid-call", "call through a pointer of the wrong type"),
    "nonnull_arg": ("null-dereference", "a null pointer as an argument that must not be null"),
    "nonnull_return_v1": ("null-dereference", "a null pointer as a result that must not be null"),
    "type_mismatch_v1": ("null-dereference", "use of a null or misaligned pointer"),
    "alignment_assumption": ("unreachable", "a pointer is not aligned as promised"),
}

MODELS = {
    f"__ubsan_handle_{name}{ending}": Model("p*", "v", _fault(kind, message))
    for name, (kind, message) in FAULTS.items()
    for ending in ("", "_abort")
} | {f"__ubsan_handle_divrem_overflow{ending}": Model("pll", "v", _division) for ending in ("", "_abort")}
