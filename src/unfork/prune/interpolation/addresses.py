"""What looks at an address as a number: it says something of one object, and not of another in its place."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from unfork.logic.term import Term, postorder
from unfork.prune.interpolation.sources import is_pointer
from unfork.state.flat_layout import object_named
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, SLOT_BITS

_WHOLE = frozenset(("eq", "ult", "ule", "slt", "sle", "add", "sub", "ite"))
"""What may be done with a pointer as a whole: bounds and null are asked so."""
_KEPT = 10_000
"""Values of which the answer is kept: paths of one place ask the same things."""


def look_into_addresses(values: Iterable[Term]) -> bool:
    """Whether one of the values depends on some of the bits of an address."""
    return any(_looks_inside(value) for value in values if any(map(is_pointer, value.symbols)))


@lru_cache(_KEPT)
def _looks_inside(value: Term) -> bool:
    pointers: dict[Term, bool] = {}
    for term in postorder((value,)):
        is_given = any(pointers[operand] for operand in term.args)
        if is_given and term.op not in _WHOLE:
            return True
        pointers[term] = (is_given and term.width > 1) or _is_address(term)
    return False


def addressed_in(terms: Iterable[Term]) -> set[int]:
    """The objects, globals left out, whose addresses are plain numbers among ``terms``."""
    numbers = {object_named(constant.value) for constant in terms if constant.op == "const" and constant.width == 64}
    return {number for number in numbers if FIRST_HEAP <= number < END_OF_NAMES}


def _is_address(term: Term) -> bool:
    return (
        term.op == "add"
        and any(operand.op == "const" and operand.value >> SLOT_BITS for operand in term.args)
        and any(map(is_pointer, term.symbols))
    )
