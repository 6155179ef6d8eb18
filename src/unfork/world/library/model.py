"""A modelled C function: its prototype as letters, and its effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.engine.state import narrow_layout
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Handler, plain
from unfork.engine.step.numbers import spell, unspell
from unfork.engine.step.operands import define, resize
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import NARROW_POINTER, FloatType, IntType, PointerType, Type

Arguments = tuple[Value, ...]
"""A modelled function's arguments; those in its prototype are defined."""
AS_GIVEN = 0
SIZE = "n"
"""The letter of a number of bytes or elements: the model asks for its value."""
WIDTHS = {"?": AS_GIVEN, "p": 64, "l": 64, "i": 32, "h": 16, "c": 8, "f": 32, "d": 64, "x": 80, "q": 128, "b": 1}
WIDTHS |= {SIZE: 64}
"""Letters of a prototype: any width, pointer, long, int, short, char, float, double, long double, 128 bits, one bit,
size.
"""


@dataclass(frozen=True, slots=True)
class FunctionModel:
    """A modelled function. ``parameters`` and ``result`` are letters of WIDTHS; "*" is "and more", "v" is void."""

    parameters: str
    result: str
    run: Handler

    def sizes(self) -> tuple[int, ...]:
        """The positions of parameters that are sizes."""
        return tuple([position for position, letter in enumerate(self.parameters) if letter == SIZE])

    @classmethod
    def of(cls, parameters: str, result: str, function: Callable[..., RegisterValue]) -> FunctionModel:
        return cls(parameters, result, plain(function))


def handler_of(name: str, model: FunctionModel) -> Handler:
    """The model as a call target: its arguments are defined, and as wide as the prototype's.

    A call through an unprototyped declaration may pass other widths. Too few arguments are an invalid call.
    """
    variadic = model.parameters.endswith("*")
    widths = tuple([WIDTHS[letter] for letter in model.parameters.rstrip("*")])
    sizes = model.sizes()
    pointers = [letter in "p?" for letter in model.parameters.rstrip("*")]
    count, run, result = len(widths), model.run, WIDTHS.get(model.result)

    def handle(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
        if len(arguments) < count:
            step.fail("invalid-call", f"{name} takes {count} arguments and was given {len(arguments)}")
        operands, is_narrow = call.arguments, step.state.memory.is_narrow
        given: list[Value] = []
        for position, width in enumerate(widths):
            value, kind = arguments[position], operands[position].type
            value = define(step, value, kind)
            before = layout.bits_of(kind)
            if is_narrow and kind == NARROW_POINTER and not pointers[position]:
                value, kind, before = spell(step, value), IntType(narrow_layout.BITS), narrow_layout.BITS
            elif is_narrow and pointers[position] and isinstance(kind, IntType):
                given.append(unspell(step, resize(value, before, narrow_layout.BITS)))
                continue
            if is_narrow and position in sizes and isinstance(kind, IntType) and before < width:
                given.append(build.zext(value, before, width))
                continue
            given.append(value if width in (before, AS_GIVEN) else _resize(step, name, value, kind, before, width))
        if variadic:
            rest = zip(arguments[count:], operands[count:], strict=True)
            given.extend([define(step, value, operand.type) for value, operand in rest])
        value = run(step, tuple(given), call)
        if value is None or not result:
            return value
        wanted = call.type.result
        after = layout.bits_of(wanted)
        if is_narrow and model.result == "p" and isinstance(wanted, IntType):
            return resize(spell(step, value), narrow_layout.BITS, after)
        if after == 0 or after == result:
            return value
        return build.trunc(value, result, after) if after < result else build.zext(value, result, after)

    return handle


def _resize(step: Step, name: str, value: Value, kind: Type, before: int, after: int) -> Value:
    if isinstance(kind, FloatType) or not isinstance(kind, IntType | PointerType):
        step.fail("invalid-call", f"an argument of {name} has the wrong kind")
    return build.trunc(value, before, after) if after < before else build.sext(value, before, after)
