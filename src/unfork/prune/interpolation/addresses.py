"""What looks at an address as a number: it says something of one object, and not of another in its place."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.logic.term import Term, postorder
from unfork.prune.interpolation.sources import is_pointer
from unfork.state.memory import SLOT_BITS

_WHOLE = frozenset(("eq", "ult", "ule", "slt", "sle", "add", "sub", "ite"))
"""What may be done with a pointer as a whole: bounds and null are asked so."""


def look_into_addresses(values: Iterable[Term]) -> bool:
    """Whether one of the values depends on some of the bits of an address."""
    pointers: dict[Term, bool] = {}
    for value in values:
        if not any(map(is_pointer, value.symbols)):
            continue
        for term in postorder((value,)):
            if term in pointers:
                continue
            is_given = any(pointers.get(one, False) for one in term.args)
            if is_given and term.op not in _WHOLE:
                return True
            pointers[term] = (is_given and term.width > 1) or _is_address(term)
    return False


def _is_address(term: Term) -> bool:
    return (
        term.op == "add"
        and any(one.op == "const" and one.value >> SLOT_BITS for one in term.args)
        and any(map(is_pointer, term.symbols))
    )
