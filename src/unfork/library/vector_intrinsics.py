"""The llvm.vector.reduce.* intrinsics: the elements of a vector combined into one scalar, in order."""

from __future__ import annotations

from collections.abc import Callable

from unfork.execute import floats
from unfork.execute.handlers import Arguments, Handler
from unfork.execute.step import Step
from unfork.execute.vectors import element_of, fold, operands
from unfork.library import integer_intrinsics
from unfork.llvm import layout
from unfork.llvm.ir import Call
from unfork.llvm.types import Type
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.state import RegisterValue

Combine = Callable[[Value, Value], Value]

INTEGER = {"add": build.add, "mul": build.mul, "and": build.and_, "or": build.or_, "xor": build.xor}
FLOAT = {"fmin": "min", "fmax": "max", "fminimum": "minimum", "fmaximum": "maximum"}


def _integer(op: str) -> Callable[[Type], Combine]:
    def make(kind: Type) -> Combine:
        width, operate = layout.bits_of(kind), INTEGER[op]
        return lambda a, b: operate(a, b, width)

    return make


def _choosing(op: str) -> Callable[[Type], Combine]:
    return lambda kind: integer_intrinsics.OPERATIONS[op](kind, kind)  # type: ignore[return-value]  # yields a scalar


def _float(op: str) -> Callable[[Type], Combine]:
    return lambda kind: floats.operation(op, kind)


def _reduction(make: Callable[[Type], Combine]) -> Handler:
    """The vector is the last operand; the fold starts from the scalar before it, if there is one."""

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        *start, vector = operands(step, arguments, call)
        return fold(make(element_of(call.arguments[-1].type)), (*start, *vector))

    return run


REDUCTIONS: dict[str, Handler] = {
    **{f"vector.reduce.{op}": _reduction(_integer(op)) for op in INTEGER},
    **{f"vector.reduce.{op}": _reduction(_choosing(op)) for op in ("smin", "smax", "umin", "umax")},
    **{f"vector.reduce.{name}": _reduction(_float(op)) for name, op in FLOAT.items()},
    "vector.reduce.fadd": _reduction(_float("add")),
    "vector.reduce.fmul": _reduction(_float("mul")),
}
