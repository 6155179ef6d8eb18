"""Queries with few inputs, decided by trying all of them: floating-point arithmetic on a digit or two, for example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.solver import Answer, Sat, Unsat
from unfork.logic.term import Term, ordered

MOST = 4_096
"""Inputs that are tried: about as many milliseconds as a solver takes to translate a floating-point division."""
_WIDEST = 8


def by_trial(constraints: Sequence[Term], sets: Mapping[Term, int]) -> Answer | None:
    """Whether inputs satisfy the constraints, if there are few of them; None if not.

    ``sets`` has the values that symbols of up to 8 bits may still have, as the bits of an int.
    """
    symbols = ordered(frozenset().union(*[constraint.symbols for constraint in constraints]))
    if any(symbol.width > _WIDEST for symbol in symbols):
        return None
    values = [_values(sets.get(symbol, (1 << (1 << symbol.width)) - 1)) for symbol in symbols]
    if prod(map(len, values)) > MOST:
        return None
    for chosen in product(*values):
        model = Model(dict(zip(symbols, chosen, strict=True)))
        if all(evaluate(constraint, model) for constraint in constraints):
            return Sat(Model(model.values))
    return Unsat()


def _values(members: int) -> list[int]:
    return [value for value in range(members.bit_length()) if members >> value & 1]
