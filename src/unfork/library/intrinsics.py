"""The llvm.* intrinsics by name, whatever types their mangled names carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from unfork.execute.handlers import Arguments, Handler, unsupported
from unfork.execute.step import Step
from unfork.execute.vectors import element_of, lifted, operands
from unfork.library import float_intrinsics, integer_intrinsics
from unfork.library.effect_intrinsics import EFFECTS
from unfork.library.math_intrinsics import MATHEMATICS
from unfork.library.vector_intrinsics import REDUCTIONS
from unfork.llvm import layout
from unfork.llvm.ir import Call
from unfork.llvm.types import Type, VectorType
from unfork.logic import build
from unfork.state.state import RegisterValue

PREFIX = "llvm."
PURE: Mapping[str, Callable[[Type, Type], Callable[..., RegisterValue]]] = {
    **integer_intrinsics.OPERATIONS,
    **float_intrinsics.OPERATIONS,
}
ZEROS = ("ctlz", "cttz")


def base_name(name: str, known: Mapping[str, object]) -> str | None:
    """The longest start of ``name`` (without "llvm.") that is in ``known``, else None. Mangled types follow it."""
    base = name
    while base not in known:
        base, dot, _ = base.rpartition(".")
        if not dot:
            return None
    return base


def pure(name: str, call: Call) -> Callable[..., RegisterValue] | None:
    """The intrinsic as a function of its scalar operands; None if it has an effect or takes vectors.

    The function yields None where the result is poison, which only the handler can make.
    """
    base = base_name(name.removeprefix(PREFIX), PURE) if name.startswith(PREFIX) else None
    kind = call.arguments[0].type if call.arguments else None
    if base is None or kind is None or isinstance(kind, VectorType):
        return None
    return PURE[base](kind, call.type.result)


class Intrinsics:
    """Finds handlers. Every llvm.* name has one; an unknown intrinsic's ends the path as unsupported."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {
            **{base: _pure_handler(base, make) for base, make in PURE.items()},
            **EFFECTS,
            **MATHEMATICS,
            **REDUCTIONS,
        }

    def find(self, name: str) -> Handler | None:
        """The handler of ``name``, or None if it does not start with "llvm."."""
        if not name.startswith(PREFIX):
            return None
        base = base_name(name.removeprefix(PREFIX), self._handlers)
        return unsupported(name) if base is None else self._handlers[base]


def _pure_handler(base: str, make: Callable[[Type, Type], Callable[..., RegisterValue]]) -> Handler:
    operation_for = cache(make)
    counts_zeros = base in ZEROS

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        kind = element_of(call.arguments[0].type)
        operate = operation_for(kind, element_of(call.type.result))
        values = operands(step, arguments, call)
        if counts_zeros and values[1] == 1:
            return _defined_zeros(step, operate, values, layout.bits_of(kind))
        return lifted(operate, values)

    return run


def _defined_zeros(
    step: Step, operate: Callable[..., RegisterValue], values: list[RegisterValue], width: int
) -> RegisterValue:
    """ctlz or cttz where zero gives poison: the path forks where an operand may be zero."""
    zero = lifted(lambda a: step.decide(build.eq(a, 0, width)), values[:1])
    return lifted(
        lambda is_zero, a, flag: step.fresh("poison", width, "uninit") if is_zero else operate(a, flag), [zero, *values]
    )
