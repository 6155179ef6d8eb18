"""A state under a model, for a reader: the numbers that its variables have."""

from __future__ import annotations

from unfork.clang.expressions import Integral
from unfork.llvm.c_types import Scalar
from unfork.logic.evaluate import Model, evaluate
from unfork.merge.c_values import CValue
from unfork.spec.integers import integer, value_of
from unfork.spec.meaning import Located
from unfork.spec.places import places
from unfork.spec.scopes import Scopes
from unfork.state.state import State
from unfork.state.unbounded import UNBOUNDED


def shown_variables(scopes: Scopes, state: State, model: Model) -> str:
    """``i = 3, n = 4``: the numbers among the locals of the innermost function."""
    if not state.frames:
        return "the function has returned"
    depth = len(state.frames) - 1
    names = scopes.locals(state, depth)
    known = [(name, _number(state, names(name), model)) for name in sorted(scopes.visible(state, depth))]
    return ", ".join([f"{name} = {value}" for name, value in known if value is not None]) or "no numbers"


def _number(state: State, variable: object, model: Model) -> int | None:
    match variable:
        case CValue(value, kind):
            return value_of(integer(CValue(evaluate(value, model), kind)))
        case Located(address, Scalar(_, size, encoding)):
            for guard, number, offset in places(address):
                item = state.memory.objects.get(number)
                if guard != 1 or item is None or item.kind == UNBOUNDED or not isinstance(offset, int):
                    return None
                if offset + size > len(item.data) or item.uninitialised_runs(offset, size):
                    return None
                value = evaluate(item.read(offset, size), model)
                return value_of(integer(CValue(value, Integral(8 * size, encoding.startswith("signed")))))
    return None
