"""Models of the handlers that clang's undefined-behaviour checks call: each is a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfork.engine.instructions.arithmetic import BEYOND
from unfork.engine.memory.loads import load, load_pointer, pointer_size
from unfork.engine.memory.resolve import within
from unfork.engine.protocols.fault import Aspect, Cause, SpecialFault
from unfork.engine.state import narrow_layout
from unfork.engine.state.memory import MASK_64, object_of, offset_in
from unfork.engine.step.handlers import Handler
from unfork.engine.step.numbers import unspell
from unfork.engine.step.operands import reader
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Binary, Branch, Call, Cast, GetElementPointer, Instruction, Register
from unfork.world.library.model import Arguments, FunctionModel


def _fault(kind: str, cause: Cause) -> Handler:
    def run(step: Step, arguments: Arguments, call: Call) -> None:
        step.fail(kind, cause)

    return run


def _result(text: str) -> SpecialFault:
    return SpecialFault(Aspect.RESULT, text)


def _no_access(text: str) -> SpecialFault:
    return SpecialFault(Aspect.NO_ACCESS, text)


def _checked(step: Step, type_at: Value, given: Value) -> tuple[Value, int] | None:
    """An operand (64 bits) and its width, by the address of its type; None if it is wider.

    One that is wider than a pointer is passed by its address.
    """
    description = load(step, build.add(load_pointer(step, type_at), 2, 64), 2)
    if not isinstance(description, int) or (width := 1 << (description >> 1)) > 64:
        return None
    if width > 8 * pointer_size(step):
        return load(step, unspell(step, build.trunc(given, 64, narrow_layout.BITS)), width // 8), width
    return given, width


def _type_after(step: Step, data: Value, position: int) -> Value:
    """The address of a type in a handler's data: after the name of a file, a line, a column, and ``position`` types."""
    return build.add(data, pointer_size(step) * (1 + position) + 8, 64)


def _division(step: Step, arguments: Arguments, call: Call) -> None:
    data, _, divisor = arguments
    if step.state.memory.is_narrow and (whole := _checked(step, _type_after(step, data, 0), divisor)) is not None:
        divisor, _ = whole
    if step.decide(build.eq(divisor, 0, 64)):
        step.fail("div-by-zero", "division by zero")
    checked = (each.op for each in _onwards(step) if isinstance(each, Binary) and each.position == call.position)
    step.fail("overflow", BEYOND.get(next(checked, ""), "the result of a division does not fit"))


def _shift(step: Step, arguments: Arguments, call: Call) -> None:
    data, value, amount = arguments
    shifted = _checked(step, _type_after(step, data, 0), value)
    distance: tuple[Value, int] | None = amount, 64
    if step.state.memory.is_narrow:
        distance = _checked(step, _type_after(step, data, 1), amount)
    if shifted is not None and distance is not None:
        (value, width), (amount, _) = shifted, distance
        if step.decide(build.uge(amount, width, 64)):
            step.fail("shift", "shift by a negative number of bits, or by as many as the value has or more")
        if step.decide(build.extract(value, width - 1, 1)):
            step.fail("shift", "left shift of a negative number")
        step.fail("shift", _LOST_BITS)
    step.fail(*FAULTS["shift_out_of_bounds"])


def _index(step: Step, arguments: Arguments, call: Call) -> None:
    """An index leaves an array. It is a fault where it leads to a neighbour in the same object: where it leads out of
    that, the access that follows is one, which says more.
    """
    kind, cause = FAULTS["out_of_bounds"]
    at = _element(step, call)
    item = step.state.memory.objects.get(object_of(at[0])) if at is not None else None
    if at is None or item is None:
        step.fail(kind, cause)
    base, distance = at
    step.require(build.negate(within(build.add(offset_in(base) & MASK_64, distance, 64), 1, item)), kind, cause)


def _element(step: Step, call: Call) -> tuple[int, Value] | None:
    """Where the access after a check of an index leads: a concrete address, and what is added to it (64 bits). None if
    the code has another shape.
    """
    onwards = _onwards(step)
    computed = {each.result: each for each in onwards}
    pointer = next((each for each in onwards if isinstance(each, GetElementPointer)), None)
    if pointer is None or len(pointer.terms) != 1 or pointer.position != call.position:
        return None
    [(index, stride)] = pointer.terms
    place, cast = index, computed.get(index.index) if isinstance(index, Register) else None
    if isinstance(cast, Cast) and cast.op in _EXTENDED:
        place, extend = cast.value, _EXTENDED[cast.op]
    if not computed.keys().isdisjoint(each.index for each in (pointer.base, place) if isinstance(each, Register)):
        return None
    base, number = [reader(each, step.statics)(step, step.state.frames[-1].registers) for each in (pointer.base, place)]
    if not isinstance(base, int) or not isinstance(number, int | Term):
        return None
    width = layout.bits_of(index.type)
    if place is not index:
        number = extend(number, layout.bits_of(place.type), width)
    return base, build.add(pointer.offset, build.mul(build.sext(number, width, 64), stride, 64), 64)


def _onwards(step: Step) -> Sequence[Instruction]:
    """The instructions after a check that fails here, as if it did not."""
    frame = step.state.frames[-1]
    blocks, end = frame.function.blocks, frame.function.blocks[frame.block].body[-1]
    return blocks[end.target].body if isinstance(end, Branch) else ()


_EXTENDED = {"sext": build.sext, "zext": build.zext}
_LOST_BITS = _result("the result of a left shift does not fit")
FAULTS: Mapping[str, tuple[str, Cause]] = {
    "add_overflow": ("overflow", _result("an addition overflows")),
    "sub_overflow": ("overflow", _result("a subtraction overflows")),
    "mul_overflow": ("overflow", _result("a multiplication overflows")),
    "negate_overflow": ("overflow", _result("negation overflows")),
    "shift_out_of_bounds": ("shift", "shift by a bad amount, or of a bad value"),
    "out_of_bounds": ("out-of-bounds", _no_access("index out of the array's bounds")),
    "builtin_unreachable": ("unreachable", "unreachable code is reached"),
    "missing_return": ("unreachable", "a function that returns a value ends without one"),
    "vla_bound_not_positive": (
        "out-of-bounds",
        _no_access("a variable-length array of a size that is not positive"),
    ),
    "float_cast_overflow": ("overflow", "a floating-point number does not fit the integer type"),
    "implicit_conversion": ("overflow", "a conversion changes the value"),
    "load_invalid_value": ("unreachable", "a value that its type cannot hold"),
    "pointer_overflow": ("overflow", "pointer arithmetic overflows"),
    "invalid_builtin": ("unreachable", "a builtin function with a value that it is not defined for"),
    "function_type_mismatch": ("invalid-call", "call through a pointer of the wrong type"),
    "nonnull_arg": ("null-dereference", "a null pointer as an argument that must not be null"),
    "nonnull_return": ("null-dereference", "a null pointer as a result that must not be null"),
    "nullability_arg": ("null-dereference", "a null pointer as an argument that is declared _Nonnull"),
    "nullability_return": ("null-dereference", "a null pointer as a result that is declared _Nonnull"),
    "type_mismatch": ("null-dereference", "use of a null or misaligned pointer"),
    "alignment_assumption": ("unreachable", "a pointer is not aligned as promised"),
    "divrem_overflow": ("overflow", "division by zero or overflow in a division"),
    "local_out_of_bounds": ("out-of-bounds", "an access out of an object's bounds"),
}
_VERSION = "_v1"
"""The suffix of handlers whose data changed."""
_NUMBERED = (
    *(
        "add_overflow",
        "builtin_unreachable",
        "",
        "divrem_overflow",
        "",
        "float_cast_overflow",
        "function_type_mismatch",
    ),
    *("implicit_conversion", "invalid_builtin", "", "load_invalid_value", "missing_return", "mul_overflow"),
    *("negate_overflow", "nullability_arg", "nullability_return", "nonnull_arg", "nonnull_return", "out_of_bounds"),
    *("pointer_overflow", "shift_out_of_bounds", "sub_overflow", "type_mismatch", "alignment_assumption"),
    *("vla_bound_not_positive", "", "local_out_of_bounds"),
)
"""The checks of C in clang's numbering, which llvm.ubsantrap names: with -fsanitize-trap they call no handler."""
TRAPS = {number: FAULTS[name] for number, name in enumerate(_NUMBERED) if name}

MODELS = {
    f"__ubsan_handle_{name}{version}{ending}": FunctionModel("*", "v", _fault(kind, message))
    for name, (kind, message) in FAULTS.items()
    for version in ("", _VERSION)
    for ending in ("", "_abort", "_minimal", "_minimal_abort")
} | {
    f"__ubsan_handle_{name}{ending}": FunctionModel("pll", "v", run)
    for name, run in (("divrem_overflow", _division), ("shift_out_of_bounds", _shift))
    for ending in ("", "_abort")
}
MODELS["__ubsan_handle_out_of_bounds"] = FunctionModel("*", "v", _index)
