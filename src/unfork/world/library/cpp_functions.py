"""Models for C++ run-time libraries: landing pads, and ends of a program by an exception or a check."""

from __future__ import annotations

from unfork.engine.instructions import exceptions
from unfork.engine.memory.strings import text_at
from unfork.engine.protocols.fault import Aspect, SpecialFault
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.step.handlers import Handler
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.demangle import readable, type_name
from unfork.program.llvm.ir import Call
from unfork.world.library.model import Arguments, FunctionModel


def _terminated(step: Step, kind: Value, what: Value, is_uncaught: Value) -> None:
    """std::terminate: an exception leaves main or a noexcept function, or exceptions are misused."""
    name = type_name(text_at(step, kind, "an exception")) if kind != 0 else ""
    message = f"{name}: {text_at(step, what, '')}" if what != 0 else name
    if is_uncaught:
        step.fail("uncaught-exception", message)
    if kind == 0:
        step.fail("terminate", SpecialFault(Aspect.NO_EXCEPTION, "std::terminate was called"))
    step.fail("terminate", f"std::terminate was called with {message}")


def _no_function(described: str) -> Handler:
    """The virtual table's entry for a function without a definition."""

    def run(step: Step, arguments: Arguments, call: Call) -> None:
        # `this` comes first, or after the place of a result
        classes = [name for argument in arguments[:2] if (name := _class_at(step, argument))]
        step.fail(
            "invalid-call", f"call of a {described} virtual function{' of ' if classes else ''}{''.join(classes[:1])}"
        )

    return run


def _class_at(step: Step, pointer: Value) -> str:
    if isinstance(pointer, Term):
        return ""
    item, offset = step.state.memory.objects.get(object_of(pointer)), offset_in(pointer)
    if item is None or not 0 <= offset <= len(item.data) - 8 or not item.is_concrete(offset, 8):
        return ""
    table = step.state.memory.objects.get(object_of(int.from_bytes(item.data[offset : offset + 8], "little")))
    return "" if table is None else readable(table.name).partition(_TABLE)[2]


def _hardened(step: Step, text: Value) -> None:
    """An assertion of libc++ (see include/hardening): FILE:LINE: assertion CONDITION failed: MESSAGE."""
    assertion = text_at(step, text, "an assertion of the library does not hold")
    step.fail("hardening", assertion.partition(" failed: ")[2].strip() or assertion.strip())


_TABLE = "vtable for "
MODELS = {
    "unfork_landing": FunctionModel("l", "l", exceptions.landing),
    "unfork_clause": FunctionModel("llp", "i", exceptions.clause),
    "unfork_land": FunctionModel("lpi", "v", exceptions.land),
    "unfork_terminated": FunctionModel.of("ppi", "v", _terminated),
    "unfork_hardened": FunctionModel.of("p", "v", _hardened),
    "__cxa_pure_virtual": FunctionModel("*", "v", _no_function("pure")),
    "__cxa_deleted_virtual": FunctionModel("*", "v", _no_function("deleted")),
}
