"""What our C++ run-time library asks of the engine: landing pads, and the end of a program by an exception."""

from __future__ import annotations

from unfork.execute import exceptions
from unfork.execute.step import Step
from unfork.execute.strings import text_at
from unfork.library.model import Model
from unfork.llvm.demangle import type_name
from unfork.logic.term import Value


def _terminated(step: Step, kind: Value, what: Value, is_uncaught: Value) -> None:
    """std::terminate: an exception leaves main or a noexcept function, or something else is wrong with exceptions."""
    name = type_name(text_at(step, kind, "an exception")) if kind != 0 else ""
    said = f"{name}: {text_at(step, what, '')}" if what != 0 else name
    if is_uncaught:
        step.fail("uncaught-exception", said)
    step.fail("terminate", f"std::terminate was called{' with ' if said else ''}{said}")


MODELS = {
    "unfork_landing": Model("l", "l", exceptions.landing),
    "unfork_clause": Model("llp", "i", exceptions.clause),
    "unfork_land": Model("lpi", "v", exceptions.land),
    "unfork_terminated": Model.of("ppi", "v", _terminated),
}
