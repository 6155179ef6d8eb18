"""Modelled functions as calls run them, and the simplest ones."""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.state.state import RegisterValue
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.program.llvm.ir import Call

Arguments = tuple[RegisterValue, ...]
Handler = Callable[[Step, Arguments, Call], RegisterValue]
"""A modelled function: it returns the call's value, or None for void."""


def nothing(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """A function without result or effect."""
    return None


def constant(value: Value) -> Handler:
    """A function that always returns ``value``."""
    return lambda step, arguments, call: value


def plain(function: Callable[..., RegisterValue]) -> Handler:
    """A ``function`` that needs only the step and its arguments."""
    return lambda step, arguments, call: function(step, *arguments)


def unsupported(construct: str) -> Handler:
    """A function without a model: the path ends loudly."""
    return lambda step, arguments, call: step.unsupported(construct)
