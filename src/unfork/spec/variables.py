"""The program's variables with static storage where a proof begins: they may hold anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unfork.execute.statics import Statics
from unfork.execute.step import Step
from unfork.inputs.lazy_globals import own_variables
from unfork.llvm.c_types import Array, CType
from unfork.llvm.module import Program
from unfork.meaning.c_values import NoMeaning
from unfork.state.memory import object_of


@dataclass(frozen=True, slots=True)
class Variable:
    """One that may change. ``symbol`` is what the linked program calls it."""

    symbol: str
    name: str
    type: CType


def variables(program: Program) -> Iterator[Variable]:
    """Those that the program defines and may change, also those of one function and of other files."""
    for symbol, _, variable in own_variables(program):
        yield Variable(symbol, variable.name, variable.type)


def objects_of_variables(program: Program, statics: Statics) -> frozenset[int]:
    """The numbers of their objects."""
    return frozenset([object_of(statics.address(variable.symbol)) for variable in variables(program)])


def any_contents(step: Step) -> None:
    """Let every variable hold anything. Raises NoMeaning for one whose type is not built, and for constructors."""
    program = step.program
    if program.constructors:
        raise NoMeaning(f"{program.constructors[0]} is a constructor, which runs before any function")
    for variable in variables(program):
        number = object_of(step.statics.address(variable.symbol))
        kind = variable.type
        while isinstance(kind, Array):
            kind = kind.element
        cells = program.c_types.cells(kind)
        item = step.state.memory.writable(number)
        if cells is None or not cells.size or len(item.data) % cells.size:
            raise NoMeaning(f"the variable {variable.name} of type {variable.type.name}")
        for start in range(0, len(item.data), cells.size):
            for cell in cells.cells:
                index = f"[{start // cells.size}]" if kind is not variable.type else ""
                shown = f"{variable.name}{index}{cell.path or ''}"
                item.write(start + cell.offset, cell.size, step.fresh(shown, 8 * cell.size, "symbolic"))
