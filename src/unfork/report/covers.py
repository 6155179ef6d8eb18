"""Which state covers which, under which names, and on what conditions: rows of run.db."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unfork.contracts.pruner import Evidence
from unfork.facts.function_facts import FactsTable
from unfork.later import Later
from unfork.llvm.ir import Register
from unfork.logic.c_terms import words
from unfork.logic.evaluate import substitute
from unfork.logic.term import Term, Value, symbol
from unfork.prune.contract import StateCover
from unfork.state.state import State

if TYPE_CHECKING:
    from unfork.prune.interpolation import learn, sources
    from unfork.prune.interpolation.interpolant import Interpolant
    from unfork.prune.interpolation.learn import LearntCover
    from unfork.prune.interpolation.sources import RegisterSource, Source
else:
    learn = Later("unfork.prune.interpolation.learn")
    sources = Later("unfork.prune.interpolation.sources")

DEEP = 8
"""Levels of a condition that are written out."""

CoverRow = tuple[int, str, int | None, str, int | None]
"""The covered state, the reason, the state that covers it, renamed objects, and the number of what was learnt."""
KeptRow = tuple[int, int, str]
"""The number of what was learnt, the state where it was learnt, and one of its conditions."""


class Covers:
    """Makes the rows about covers. What was learnt gets rows for its conditions when it first covers a state."""

    def __init__(self) -> None:
        self._wording = _Wording()
        self._numbers: dict[int, tuple[int, Interpolant]] = {}
        """By identity, together with the interpolant itself, so that no other object gets the same identity."""

    def rows(self, state: State, cover: Evidence) -> tuple[CoverRow, list[KeptRow]]:
        """The rows for ``state``, which is not explored because of ``cover``."""
        match cover:
            case StateCover():
                return (state.node, str(cover), cover.coverer, _renamed(dict(cover.objects)), None), []
            case learn.LearntCover():
                number, kept = self._learnt(state, cover)
                back = {here: there for there, here in cover.names.items()}
                coverer = None if cover.coverer == learn.ELSEWHERE else cover.coverer
                return (state.node, str(cover), coverer, _renamed(back), number), kept
            case _:
                return (state.node, str(cover), None, "", None), []

    def _learnt(self, state: State, cover: LearntCover) -> tuple[int, list[KeptRow]]:
        known = self._numbers.get(id(cover.learnt))
        if known is not None:
            return known[0], []
        number = len(self._numbers)
        self._numbers[id(cover.learnt)] = (number, cover.learnt)
        conditions = self._wording.conditions(cover.learnt, cover.names, state)
        return number, [(number, cover.coverer, condition) for condition in conditions]


def _renamed(objects: dict[int, int]) -> str:
    """The objects of the covered state that have another name in the covering state."""
    return ", ".join(f"{here} for {there}" for here, there in sorted(objects.items()) if here != there)


class _Wording:
    """Words for the interpolants that states meet; what is looked up of a function is kept."""

    def __init__(self) -> None:
        self._facts = FactsTable()

    def conditions(self, learnt: Interpolant, names: Mapping[int, int], state: State) -> list[str]:
        """The conditions, about ``state``, where objects are called as ``names`` says."""
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
        """The variable that is in a register; else the register's number."""
        frame = state.frames[source.depth]
        function = frame.function
        part = "".join(f".{index}" for index in source.part)
        if source.register == sources.VARIADIC:
            return f"{function.name}:...{part}"
        for name, located in self._facts[function].visible.at(frame.block, frame.index).items():
            if located is None or located.indirect or not isinstance(located.operand, Register):
                continue
            if located.operand.index == source.register:
                return f"{function.name}:{name}{part}"
        return f"{function.name}:%{source.register}{part}"
