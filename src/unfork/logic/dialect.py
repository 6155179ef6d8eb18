"""The interface to a solver's expressions, so that one translation serves all solvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Node = TypeVar("Node")


class Dialect(Protocol[Node]):
    """How one solver writes expressions."""

    def apply(self, operator: str, args: Sequence[Node], indices: Sequence[int] = ()) -> Node:
        """An operator of SMT-LIB by its name there; the rounding modes (RNE ...) are operators without operands."""

    def bits(self, value: int, width: int) -> Node:
        """A bit-vector constant."""

    def variable(self, name: str, width: int) -> Node:
        """The bit-vector variable that stands for a symbol; one node per name and width."""

    def fresh(self, width: int) -> Node:
        """A bit-vector variable that nothing else mentions."""


class IntegerDialect(Protocol[Node]):
    """How one solver writes expressions over integers and truth values."""

    def apply(self, operator: str, args: Sequence[Node]) -> Node:
        """An operator of SMT-LIB by its name there: of the core theory, or ``+``, ``*`` and ``<=`` of integers."""

    def integer(self, value: int) -> Node:
        """A constant."""

    def unknown(self, number: int) -> Node:
        """The integer variable of this number."""

    def truth(self, number: int) -> Node:
        """The boolean variable of this number."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the variables of an integer query are worth, by number."""

    integers: dict[int, int]
    truths: dict[int, bool]
