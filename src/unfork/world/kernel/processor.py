"""Inline assembly with a model: templates with x86-64 instructions that headers and libraries use.

An empty template is only a compiler barrier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Arguments, Handler
from unfork.engine.step.operands import define
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call, InlineAssembly
from unfork.world.library.integer_intrinsics import OPERATIONS

_COMMENT = re.compile(r"(#|//)[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Operands:
    """The operands in a constraint string, by place, such as "r" or "{ax}".

    ``outputs``: places of the call's results; ``sources``: the argument tied to each output, or None; ``inputs``:
    places of the arguments. A tied argument is in its output's place.
    """

    outputs: tuple[str, ...]
    sources: tuple[int | None, ...]
    inputs: tuple[str, ...]


def operands_of(call: Call) -> Operands:
    """The operands in the constraint string of inline assembly."""
    assembly = call.callee
    assert isinstance(assembly, InlineAssembly)
    return read_constraints(assembly.constraints)


def read_constraints(text: str) -> Operands:
    """The operands in an LLVM constraint string."""
    outputs: list[str] = []
    yielded: list[int] = []
    sources: dict[int, int] = {}
    inputs: list[str] = []
    for constraint in filter(None, text.split(",")):
        if constraint.startswith(("~", "!")):  # a clobber; a label
            continue
        if constraint.startswith("="):
            where = constraint.lstrip("=&")
            if "*" in constraint:  # written through a pointer, which is an argument
                inputs.append(where)
            else:
                yielded.append(len(outputs))
            outputs.append(where)
        elif constraint.isdigit():
            sources[int(constraint)] = len(inputs)
            inputs.append(outputs[int(constraint)])
        else:
            inputs.append(constraint)
    return Operands(
        tuple([outputs[output] for output in yielded]),
        tuple([sources.get(output) for output in yielded]),
        tuple(inputs),
    )


class ProcessorAssembly:
    """Finds handlers by template; ``templates`` are the environment's, by exact text."""

    def __init__(self, templates: Mapping[str, Handler]) -> None:
        self._templates = templates

    def find(self, assembly: InlineAssembly) -> Handler | None:
        handler = self._templates.get(assembly.template)
        if handler is None and not _COMMENT.sub("", assembly.template).strip():
            return _barrier(read_constraints(assembly.constraints))
        return handler


def _barrier(operands: Operands) -> Handler:
    """Each output keeps its register's value: the tied argument, or an unknown value."""

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        values = [None if source is None else arguments[source] for source in operands.sources]
        if len(values) == 1:
            return values[0]
        return tuple(values) if values else None

    return run


# --- the instructions

LEAVES = 8
_VENDOR = (b"Genu", b"ntel", b"ineI")
"""The letters of leaf 0 in ebx, ecx, edx."""
_REGISTERS = {"{ax}": 0, "{bx}": 1, "r": 1, "{cx}": 2, "{dx}": 3}
_TWO_WORDS = "=r,=&r,%?0,r?m?e?,%?1,r?m?e?"
_FEATURES = 0x0700_8101
"""Leaf 1, edx: floating point, cmpxchg8b, cmov, mmx, sse and sse2, which every x86-64 has. In ecx no bit is set."""


def _leaf(number: int) -> tuple[int, int, int, int]:
    """Registers eax, ebx, ecx and edx (32 bits each). The highest leaf is 1; there are no extensions."""
    if number == 0:
        ebx, ecx, edx = (int.from_bytes(part, "little") for part in _VENDOR)
        return 1, ebx, ecx, edx
    if number == 1:
        return 0x0F00, 0, 0, _FEATURES
    if number == 0x8000_0000:
        return number, 0, 0, 0
    return 0, 0, 0, 0


def _with_operands(pattern: str, handler: Handler) -> Handler:
    wanted = re.compile(pattern + r"(,~\{\w+\})*")

    def run(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
        assembly = call.callee
        assert isinstance(assembly, InlineAssembly)
        if not wanted.fullmatch(assembly.constraints):
            step.unsupported("an instruction in inline assembly with unusual operands")
        return handler(step, arguments, call)

    return run


def _defined_arguments(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> list[Value]:
    return [define(step, value, operand.type) for value, operand in zip(arguments, call.arguments, strict=True)]


def _cpuid(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
    """The leaf is in eax. A template that saves ebx may return it in any register."""
    operands = operands_of(call)
    inputs, outputs = operands.inputs, operands.outputs
    if "{ax}" not in inputs or not set(outputs) <= set(_REGISTERS) or any("*" in where for where in inputs):
        step.unsupported("cpuid with other operands than its registers")
    leaf = step.concretize(
        _defined_arguments(step, arguments, call)[inputs.index("{ax}")], 32, LEAVES, "the leaf of cpuid"
    )
    results = [_leaf(leaf)[_REGISTERS[name]] for name in outputs]
    return tuple(results) if len(results) > 1 else results[0]


def _multiply(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
    a, b = (build.zext(value, 64, 128) for value in _defined_arguments(step, arguments, call))
    product = build.mul(a, b, 128)
    return build.extract(product, 0, 64), build.extract(product, 64, 64)


def _wide(operate: Callable[[Value, Value, int], Value]) -> Handler:
    """The upper and the lower word of a sum or difference of two words each."""

    def run(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
        high, other_high, low, other_low = _defined_arguments(step, arguments, call)
        result = operate(build.concat(high, low, 64, 64), build.concat(other_high, other_low, 64, 64), 128)
        return build.extract(result, 64, 64), build.extract(result, 0, 64)

    return run


def _scan(name: str) -> Handler:
    """The number of the highest (ctlz) or lowest (cttz) set bit; undefined for 0."""

    def run(step: Step, arguments: tuple[RegisterValue, ...], call: Call) -> RegisterValue:
        """The bit's number, in the width of the result; splits on whether the operand is 0."""
        (value,) = _defined_arguments(step, arguments, call)
        kind = call.arguments[0].type
        width = layout.bits_of(kind)
        result = layout.bits_of(call.type.result)
        if step.decide(build.eq(value, 0, width)):
            return step.fresh("scanned", result, "uninit")
        count = OPERATIONS[name](kind, kind)(value, 0)
        assert isinstance(count, int | Term)
        number = build.sub(width - 1, count, width) if name == "ctlz" else count
        return build.extract(number, 0, result) if result < width else build.zext(number, width, result)

    return run


TEMPLATES: Mapping[str, Handler] = {
    "cpuid": _cpuid,
    "  xchgq  %rbx,${1:q}\n  cpuid\n  xchgq  %rbx,${1:q}": _cpuid,
    "mulq\t$3": _with_operands(r"=\{ax\},=\{dx\},%?0,r?m?", _multiply),
    "addq $5,${1:q}\n\tadcq $3,${0:q}": _with_operands(_TWO_WORDS, _wide(build.add)),
    "subq $5,${1:q}\n\tsbbq $3,${0:q}": _with_operands(_TWO_WORDS, _wide(build.sub)),
    "bsr\t$1,$0": _with_operands("=r,r?m?", _scan("ctlz")),
    "bsf\t$1, ${0:q}": _with_operands("=r,r?m?", _scan("cttz")),
}
