"""An interpolant in C: variables by their names, objects by the program's names for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unfork.engine.state.state import State
from unfork.logic.terms.c_terms import words
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.ir import Register
from unfork.reduce.prune.interpolation import sources

if TYPE_CHECKING:
    from unfork.reduce.prune.interpolation.interpolant import Interpolant
    from unfork.reduce.prune.interpolation.sources import RegisterSource, Source

DEEP = 8
"""Levels of a condition to write out."""


class Wording:
    """Words for the interpolants that states meet; caches facts about functions."""

    def __init__(self) -> None:
        self._facts = FactsTable()

    def conditions(self, learnt: Interpolant, names: Mapping[int, int], state: State) -> list[str]:
        """The conditions on ``state``, with objects named as in ``names``."""
        renamed: dict[Term, Value] = {}
        taken: set[str] = set()
        for cell, source in learnt.sources.items():
            name = self._name(source, names, state)
            while name in taken:
                name += "'"
            taken.add(name)
            renamed[cell] = symbol(name, cell.width)
        conditions = [substitute(condition, renamed) for condition in learnt.conditions]
        return [
            words(condition, 1, signed=False, depth=DEEP) for condition in conditions if isinstance(condition, Term)
        ]

    def _name(self, source: Source, names: Mapping[int, int], state: State) -> str:
        if isinstance(source, sources.RegisterSource):
            name = self._register(source, state)
        else:
            number = names.get(source.number, source.number)
            item = state.memory.objects.get(number)
            called = item.name if item is not None and item.name else "object"
            called = called if number == source.number and called != "object" else f"{called}({number})"
            if isinstance(source, sources.SizeSource):
                name = f"size({called})"
            else:
                name = f"{called}[{source.offset}" + (f":{source.size}]" if source.size > 1 else "]")
        return name if source.anchor is None else f"offset({name})"

    def _register(self, source: RegisterSource, state: State) -> str:
        """The variable in a register; otherwise the register's number."""
        frame = state.frames[source.depth]
        function = frame.function
        part = "".join(f".{index}" for index in source.part)
        if source.register == sources.VARIADIC:
            return f"{function.name}:...{part}"
        for name, located in self._facts[function].visible.at(frame.block, frame.index).items():
            if located.indirect or not isinstance(located.operand, Register):
                continue
            if located.operand.index == source.register:
                return f"{function.name}:{name}{part}"
        return f"{function.name}:%{source.register}{part}"
