"""What is certain at a place in a state: conditions and numbers that depend on nothing unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from unfork.clang.expressions import Expression, Name
from unfork.logic.term import Value
from unfork.meaning.c_values import CValue, NoMeaning
from unfork.meaning.expressions import UNSPECIFIED, Meaning, Where
from unfork.meaning.formula import Ground


@dataclass(frozen=True, slots=True)
class Here:
    """A place in a state, and what is certain there."""

    meaning: Meaning
    where: Where

    def says(self, expression: Expression, given: Mapping[str, CValue] | None = None) -> Value | None:
        """Whether an expression is true (1 bit); None where it has no meaning, or reads what nothing is known of.

        ``given`` are values of names.
        """
        try:
            said = self.meaning.formula(expression, replace(self.where, bound=given or {}))
        except NoMeaning:
            return None
        return said.value if isinstance(said, Ground) and _is_known(said.value) else None

    def number(self, name: str) -> CValue | None:
        """The number that a variable holds; None if there is none, or it is not known."""
        try:
            value = self.meaning.value(Name(name), self.where)
        except NoMeaning:
            return None
        return value if isinstance(value, CValue) and _is_known(value.value) else None


def _is_known(value: Value) -> bool:
    return isinstance(value, int) or not any(each.name.startswith(UNSPECIFIED) for each in value.symbols)
