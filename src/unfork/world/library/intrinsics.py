"""The llvm.* intrinsics by name, for all mangled types; those with an effect are here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from unfork.engine.instructions import exceptions, floats
from unfork.engine.instructions.access import read_volatile_range
from unfork.engine.instructions.arithmetic import element_of, fold, lift, operands
from unfork.engine.memory.loads import load
from unfork.engine.memory.own_copies import thread_local_address
from unfork.engine.memory.ranges import copy, copy_apart, fill
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Arguments, Handler, constant, nothing, unsupported
from unfork.engine.step.numbers import to_number, to_pointer
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import Type
from unfork.world.library import float_intrinsics, integer_intrinsics
from unfork.world.library.float_intrinsics import MATHEMATICS
from unfork.world.library.process_functions import abort
from unfork.world.library.sanitizer_functions import TRAPS

TO_NEAREST = 1
"""FLT_ROUNDS of the default rounding mode, the only one modelled."""


# --- without meaning here ---


def _first(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    return arguments[0]


def _of_this_thread(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    address = arguments[0]
    assert isinstance(address, int)  # a variable's
    return thread_local_address(step, address)


def _object_size(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.objectsize: unknown, as in an unoptimised build; the engine's own checks are exact."""
    return 0 if arguments[1] else (1 << layout.bits_of(call.type.result)) - 1


# --- undefined behaviour and ends ---


def _assume(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.assume: a false assumption is undefined behaviour, a fault if the run checks for that."""
    (condition, *_) = operands(step, arguments, call)
    if "unreachable" in step.limits.checks:
        step.require(condition, "unreachable", "what the program lets the compiler assume does not hold")
    else:
        step.assume(condition)
    return None


def _trap(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.trap: the process dies as by abort()."""
    if step.limits.abort_is_error:
        step.fail("abort", "the program traps")
    abort(step)


def _check_failed(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.ubsantrap: a check inserted by the compiler failed."""
    kind, message = TRAPS.get(arguments[0], ("unreachable", "undefined behaviour"))
    step.fail(kind, message)


# --- memory ---


def _on_range(do: Callable[[Step, Value, Value, Value], None]) -> Handler:
    """``do`` with a target, a source or byte, and a number of bytes (64 bits)."""

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        target, content, length, *_ = operands(step, arguments, call)
        do(step, target, content, build.zext(length, layout.bits_of(call.arguments[2].type), 64))

    return run


def _on_copied_range(do: Callable[[Step, Value, Value, Value], None]) -> Handler:
    """The same for copies, whose last argument (1 bit) says whether they are volatile."""
    plain = _on_range(do)

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        plain(step, arguments, call)
        target, _, length, last = operands(step, arguments, call)
        if last == 1 and layout.bits_of(call.arguments[3].type) == 1:
            read_volatile_range(step, target, build.zext(length, layout.bits_of(call.arguments[2].type), 64))

    return run


def _load_relative(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.load.relative: a pointer plus the 32-bit distance stored at an offset from it."""
    pointer, offset = operands(step, arguments, call)
    distance_at = build.sext(offset, layout.bits_of(call.arguments[1].type), 64)
    distance = load(step, build.add(pointer, distance_at, 64), 4)
    return to_pointer(step, build.add(to_number(step, pointer), build.sext(distance, 32, 64), 64))


def _pointer_mask(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.ptrmask: a pointer with some bits cleared."""
    return lift(
        lambda pointer, mask: to_pointer(
            step, build.and_(to_number(step, pointer), build.zext(mask, layout.bits_of(call.arguments[1].type), 64), 64)
        ),
        operands(step, arguments, call),
    )


# --- questions to the machine ---


def _fresh(name: str) -> Handler:
    """An arbitrary value, since only a real machine knows it."""

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        return step.fresh(name, layout.bits_of(call.type.result), "nondet")

    return run


def _set_rounding(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    if arguments[0] != TO_NEAREST:
        step.unsupported("a rounding mode other than to nearest")
    return None


NOTHING = (
    "dbg.addr",
    "dbg.assign",
    "dbg.declare",
    "dbg.label",
    "dbg.value",
    "donothing",
    "experimental.noalias.scope.decl",
    "fake.use",
    "invariant.end",
    "pcmarker",
    "prefetch",
    "pseudoprobe",
    "sideeffect",
    "var.annotation",
    "x86.sse.sfence",
    "x86.sse2.lfence",
    "x86.sse2.mfence",
    "x86.sse2.pause",
)
SAME = (
    "annotation",
    "arithmetic.fence",
    "expect",
    "expect.with.probability",
    "launder.invariant.group",
    "ptr.annotation",
    "ssa.copy",
    "strip.invariant.group",
)
_ON_RANGES: dict[str, Handler] = {
    **dict.fromkeys(
        ("memcpy", "memcpy.inline", "memcpy.element.unordered.atomic"),
        _on_copied_range(partial(copy_apart, function="memcpy")),
    ),
    **dict.fromkeys(("memmove", "memmove.inline", "memmove.element.unordered.atomic"), _on_copied_range(copy)),
    **dict.fromkeys(("memset", "memset.inline", "memset.element.unordered.atomic"), _on_range(fill)),
}
_LENGTH = 2
"""The position of the length among the arguments of an intrinsic on ranges."""
EFFECTS: dict[str, Handler] = {
    **dict.fromkeys(NOTHING, nothing),
    **dict.fromkeys(SAME, _first),
    **_ON_RANGES,
    "load.relative": _load_relative,
    "eh.typeid.for": exceptions.selector_of,
    "threadlocal.address": _of_this_thread,
    "ptrmask": _pointer_mask,
    "objectsize": _object_size,
    "is.constant": constant(0),
    "invariant.start": constant(0),
    "get.rounding": constant(TO_NEAREST),
    "flt.rounds": constant(TO_NEAREST),
    "set.rounding": _set_rounding,
    "assume": _assume,
    "trap": _trap,
    "debugtrap": _trap,
    "ubsantrap": _check_failed,
    "returnaddress": _fresh("return_address"),
    "addressofreturnaddress": _fresh("return_address"),
    "frameaddress": _fresh("frame_address"),
    "sponentry": _fresh("frame_address"),
    "readcyclecounter": _fresh("cycles"),
    "readsteadycounter": _fresh("cycles"),
}


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
    """The vector is the last operand; the fold starts from the scalar before it, if any."""

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


PREFIX = "llvm."
PURE: Mapping[str, Callable[[Type, Type], Callable[..., RegisterValue]]] = {
    **integer_intrinsics.OPERATIONS,
    **float_intrinsics.OPERATIONS,
}
ZEROS = ("ctlz", "cttz")


def base_name(name: str, known: Mapping[str, object]) -> str | None:
    """The longest prefix of ``name`` (without "llvm.") in ``known``, else None. Mangled types follow it."""
    base = name
    while base not in known:
        base, dot, _ = base.rpartition(".")
        if not dot:
            return None
    return base


class Intrinsics:
    """Finds handlers. Every llvm.* name has one; that of an unknown intrinsic ends the path as unsupported."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {
            **{base: _pure_handler(base, make) for base, make in PURE.items()},
            **EFFECTS,
            **MATHEMATICS,
            **REDUCTIONS,
        }

    def find(self, name: str) -> Handler | None:
        if not name.startswith(PREFIX):
            return None
        base = base_name(name.removeprefix(PREFIX), self._handlers)
        return unsupported(name) if base is None else self._handlers[base]

    def sizes(self, name: str) -> tuple[int, ...]:
        """The positions of arguments that are numbers of bytes."""
        is_range = name.startswith(PREFIX) and base_name(name.removeprefix(PREFIX), _ON_RANGES) is not None
        return (_LENGTH,) if is_range else ()


def _pure_handler(base: str, make: Callable[[Type, Type], Callable[..., RegisterValue]]) -> Handler:
    operation_for = cache(make)
    counts_zeros = base in ZEROS

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        kind = element_of(call.arguments[0].type)
        operate = operation_for(kind, element_of(call.type.result))
        values = operands(step, arguments, call)
        if counts_zeros and values[1] == 1:
            return _defined_zeros(step, operate, values, layout.bits_of(kind))
        return lift(operate, values)

    return run


def _defined_zeros(
    step: Step, operate: Callable[..., RegisterValue], values: list[RegisterValue], width: int
) -> RegisterValue:
    """ctlz or cttz where zero gives poison: the path forks where an operand may be zero."""
    zero = lift(lambda a: step.decide(build.eq(a, 0, width)), values[:1])
    return lift(
        lambda is_zero, a, flag: step.fresh("poison", width, "uninit") if is_zero else operate(a, flag), [zero, *values]
    )
