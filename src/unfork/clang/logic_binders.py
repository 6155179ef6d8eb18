"""What names mean inside quantifiers and ``let``, and how quantifiers declare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.clang.c_expression import Integral
from unfork.clang.logic_cursor import Cursor
from unfork.clang.logic_expression import Logic, Variable, names_in
from unfork.clang.logic_notation import Notation


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that are bound around an expression.

    ``bound`` has the variables of quantifiers (None), and what ``let`` names, with its value. ``refused`` are names
    of ``let`` from outside of a value of another state: they name values of this one, and may not stand there.
    """

    bound: Mapping[str, Logic | None]
    refused: frozenset[str]

    def with_variables(self, variables: Sequence[Variable]) -> Scope:
        """The scope inside a quantifier."""
        names = [variable.name for variable in variables]
        return Scope({**self.bound, **dict.fromkeys(names)}, self.refused.difference(names))

    def with_name(self, name: str, value: Logic) -> Scope:
        """The scope inside ``let``."""
        return Scope({**self.bound, name: value}, self.refused - {name})

    def of_another_state(self) -> Scope:
        """The scope inside ``old`` and ``at``."""
        named = [name for name, value in self.bound.items() if value is not None]
        return Scope(self.bound, self.refused.union(named))

    def hides(self, variables: Sequence[Variable]) -> bool:
        """Whether variables have a name that stands in what ``let`` names: there it means something else."""
        names = {variable.name for variable in variables}
        return any(value is not None and names & names_in(value) for value in self.bound.values())


EMPTY = Scope({}, frozenset())


def variables_of(cursor: Cursor, notation: Notation) -> tuple[Variable, ...]:
    """The variables of a quantifier: types, each with names behind it."""
    kind = _type(cursor, notation)
    variables = [_variable(cursor, kind)]
    while cursor.accept(","):
        if cursor.is_type(cursor.next, notation.types) and cursor.second.text not in (",", ";"):
            kind = _type(cursor, notation)
        variables.append(_variable(cursor, kind))
    return tuple(variables)


def _type(cursor: Cursor, notation: Notation) -> Integral | None:
    first = cursor.next
    type_name = cursor.type_name()
    kind = cursor.integral(type_name)
    if kind is None and (type_name.stars or type_name.words not in ("integer", "__CPROVER_integer")):
        raise cursor.unsupported(first, ": a quantifier's variables are integers")
    return kind


def _variable(cursor: Cursor, kind: Integral | None) -> Variable:
    if cursor.next.text == "*":
        raise cursor.unsupported(cursor.next, ": a quantifier's variables are integers")
    return Variable(cursor.name(), kind)
