"""What holds whenever a loop begins a turn: bounds that its numbers keep to, and invariants that the user states.

Each is a candidate until a turn breaks it: those that are left hold at the start, and a turn keeps them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unfork.logic import build
from unfork.logic.term import Value
from unfork.merge.c_values import condition
from unfork.merge.loop_cells import Cell, Cells
from unfork.merge.scope import Variables
from unfork.program.c_expression import Expression, parsed
from unfork.state.state import State

MOST_BOUNDED = 32
"""Of so many numbers that change, bounds are looked for."""
_ORDERS: dict[str, Callable[[Value, Value, int], Value]] = {
    ">= (signed)": build.sge,
    "<= (signed)": build.sle,
    ">= (unsigned)": build.uge,
    "<= (unsigned)": build.ule,
}


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition in C that holds at the head of the loop at a line, the user says."""

    file: str
    line: int
    text: str
    expression: Expression


def read_invariant(text: str) -> Invariant:
    """Read ``FILE:LINE:EXPRESSION``. Raises ValueError in one line."""
    file, _, rest = text.partition(":")
    line, _, expression = rest.partition(":")
    if not file or not line.isdigit() or not expression.strip():
        raise ValueError("must be FILE:LINE:EXPRESSION, with the line of a loop")
    return Invariant(file, int(line), " ".join(expression.split()), parsed(expression))


@dataclass(frozen=True, slots=True)
class Bound:
    """That a number which changes keeps to one side of what it was before the loop, its ``start``."""

    cell: Cell
    start: Value
    order: str

    def at(self, state: State) -> Value | None:
        """What it says in a state at the head (1 bit); None where the number was not written."""
        if self.cell.is_unwritten(state):
            return None
        return _ORDERS[self.order](self.cell.read(state), self.start, self.cell.width)


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user says of the loop."""

    invariant: Invariant
    variables: Variables

    def at(self, state: State) -> Value | None:
        """What it says in a state at the head (1 bit); None where a name has no value."""
        return condition(self.invariant.expression, self.variables.scope(state, len(state.frames) - 1))


Candidate = Bound | Stated


def bounds(cells: Cells, entry: State) -> Iterator[Bound]:
    """The bounds of the numbers that change."""
    numbers = [cell for cell in cells.steps if not cell.is_pointer and cell.width > 1 and not cell.is_unwritten(entry)]
    for cell in numbers[:MOST_BOUNDED]:
        for order in _ORDERS:
            yield Bound(cell, cell.read(entry), order)
