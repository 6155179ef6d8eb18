"""Models of the functions that SV-COMP and Test-Comp programs call."""

from __future__ import annotations

from unfork.engine.memory.leaks import check_early_end
from unfork.engine.protocols.fault import Aspect, SpecialFault
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.numbers import unspell
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import NARROW_POINTER, StructType
from unfork.world.library.model import Arguments, FunctionModel
from unfork.world.library.unfork_api import assume, fresh_value, holds, make_symbolic

NONDET_PREFIXES = ("__VERIFIER_nondet_", "nondet_")
"""Prefixes of functions that return any value: in competitions, and for CBMC."""

NONDET_TYPES = {
    "bool": "_Bool",
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "unsigned": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "int128": "__int128",
    "uint128": "unsigned __int128",
    "float": "float",
    "double": "double",
    "size_t": "size_t",
    "loff_t": "loff_t",
    "time_t": "time_t",
    "clock_t": "clock_t",
    "sector_t": "unsigned long",
    "pthread_t": "unsigned long",
    "pchar": "char *",
    "pointer": "void *",
    "s8": "signed char",
    "u8": "unsigned char",
    "s16": "short",
    "u16": "unsigned short",
    "s32": "int",
    "u32": "unsigned int",
    "s64": "long",
    "u64": "unsigned long",
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
}
"""From the end of a function's name to the C type of its result."""


def nondet_ending(name: str) -> str | None:
    """The end of a nondet function's name, which gives its type; None for other functions."""
    for prefix in NONDET_PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return None


def nondet_model(name: str) -> FunctionModel | None:
    """The model of a nondet function: an input of the call's type."""
    ending = nondet_ending(name)
    if ending is None:
        return None
    type_name = NONDET_TYPES.get(ending.lower())

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        kind = call.type.result
        width = layout.bits_of(kind)
        if width == 0:
            if call.arguments:
                step.unsupported(f"{name}, which returns no value, or a struct in memory")
            return None
        if kind == NARROW_POINTER:
            return unspell(step, fresh_value(step, f"nondet_{ending}", 8 * kind.size, "nondet", type_name))
        value = fresh_value(step, f"nondet_{ending}", width, "nondet", type_name)
        if isinstance(kind, StructType):  # 128 bits in the calling convention
            return tuple(
                [
                    build.extract(value, 8 * layout.offset_of(kind, i), layout.bits_of(part))
                    for i, part in enumerate(kind.elements)
                ]
            )
        return value

    return FunctionModel("", "?", run)


def _memory(step: Step, pointer: Value, size: Value) -> None:
    make_symbolic(step, pointer, size, "nondet_memory", "nondet")


_ASSERTION = SpecialFault(Aspect.VERIFIER_ASSERTION, "__VERIFIER_assert does not hold")


def _assert(step: Step, arguments: Arguments, call: Call) -> None:
    step.require(holds(arguments, call), "assert", _ASSERTION)


def _error(step: Step) -> None:
    check_early_end(step)
    step.fail("reach-error", "the error function is reached")


MODELS = {
    "__VERIFIER_nondet_memory": FunctionModel.of("pn", "v", _memory),
    "__VERIFIER_assume": FunctionModel("?", "v", assume),
    "__VERIFIER_assert": FunctionModel("?", "v", _assert),
    "__VERIFIER_error": FunctionModel.of("", "v", _error),
    "reach_error": FunctionModel.of("", "v", _error),
}

OVERRIDES = ("reach_error", "__VERIFIER_error")
"""Reaching one of these is the error, even if the program defines it."""
