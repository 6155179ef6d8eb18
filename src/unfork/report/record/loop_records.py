"""loops.txt: how --loops abstract summarised loops, and why others ran turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from unfork.engine.state.unbounded import ElementLimits, Limit, Progression
from unfork.errors import InputError
from unfork.logic.terms.term import Term, Value, text
from unfork.program.c.escape import escape_text
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.ir import Register
from unfork.program.llvm.module import Function
from unfork.reduce.invariants.abstract_loops import AbstractLoops, Taken
from unfork.reduce.invariants.array_invariants import ElementBound, Within
from unfork.reduce.invariants.candidates import (
    BoundCandidate,
    Candidate,
    Rate,
    Stated,
    Sum,
    TurnsCandidate,
    WriteCandidate,
    cells_of,
    condition_of,
)
from unfork.reduce.invariants.cells import Cell, MemoryCell, RegisterCell
from unfork.reduce.invariants.modified_set import UnknownChange

FILE = "loops.txt"
DEEPEST = 6
"""Levels of a term in the text."""
MOST = 12
"""Numbers of a loop in the text."""
_SYMBOL = re.compile(r"\0\w+#\d+")


def loops_text(loops: AbstractLoops, facts: FactsTable) -> str:
    """The text: for every loop that the run met, its modified set, its invariants, and the effect of a turn."""
    entries: list[tuple[str, int, list[str]]] = []
    for head, taken in loops.taken.items():
        entries.append((*_where(*head), ["for any number of turns at once", *_Words(taken, facts).lines()]))
    for head, reason in loops.refused.items():
        entries.append((*_where(*head), [f"turn by turn: {reason}"]))
    lines = []
    for name, line, words in sorted(entries):
        lines += [f"{name}:{line}: {words[0]}" if line else f"{name}: {words[0]}", *[f"  {word}" for word in words[1:]]]
    return "".join(f"{escape_text(line)}\n" for line in lines)


def read_loops(root: Path) -> list[str]:
    """The lines of loops.txt in ``root``. Raises InputError."""
    try:
        return (root / FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(f"{root} says nothing of loops: only a run with --loops abstract does") from None
    except (OSError, UnicodeError) as problem:
        raise InputError(f"{root / FILE} cannot be read: {problem}") from None


def _where(function: Function, head: int) -> tuple[str, int]:
    position = end_position(function, head)
    return (function.source_name, 0) if position is None else (position.file, position.line)


class _Words:
    """The lines on one loop; k counts its earlier turns."""

    def __init__(self, taken: Taken, facts: FactsTable) -> None:
        self._taken = taken
        self._names = dict(_names(taken, facts))
        self._shown = list(taken.modified.cells.items())[:MOST]
        self._wholes = {text(taken.any.before, DEEPEST): "k"}
        for cell, step in taken.modified.cells.items():
            value = cell.read(taken.any.state)
            if isinstance(step, UnknownChange) and isinstance(value, Term):
                self._wholes[text(value, DEEPEST)] = f"{self._names[cell]}(k)"

    def lines(self) -> Iterator[str]:
        taken, shown_cells = self._taken, {cell for cell, _ in self._shown}
        for cell, step in self._shown:
            grows = "" if isinstance(step, UnknownChange) else f" = {self._text(cell.read(taken.any.state))}"
            is_open = isinstance(step, UnknownChange) and cell.may_be_unwritten(taken.any.state)
            yield f"{self._names[cell]}(k){grows}{', which may be unwritten' if is_open else ''}"
        if len(taken.modified.cells) > MOST:
            yield f"and {len(taken.modified.cells) - MOST} more"
        for candidate in taken.kept:
            is_worth_telling = isinstance(candidate, Stated) or isinstance(
                condition_of(candidate, taken.any.state, taken.any.before), Term
            )
            if is_worth_telling and all(cell in shown_cells for cell in cells_of(candidate)):
                yield f"always {self._claim(candidate)}"
        for over in taken.over:
            conditions = [self._text(condition) for condition in over.path.constraints(taken.any.state.path.length)]
            yield f"a turn where {' and '.join(conditions)}" if conditions else "a turn"
            for cell, step in self._shown:
                if isinstance(step, UnknownChange):
                    value = "unwritten" if cell.is_unwritten(over) else self._text(cell.read(over))
                    yield f"  {self._names[cell]}(k + 1) = {value}"

    def _claim(self, candidate: Candidate) -> str:
        match candidate:
            case Stated():
                return f"{candidate.invariant.text} (the invariant is proved)"
            case BoundCandidate():
                return f"{self._names[candidate.cell]}(k) {candidate.order} {self._limit(candidate.limit)}"
            case ElementBound(array, _, index, order, limit):
                return f"{self._elements(array, index)} {order} {self._limit(limit)}"
            case Within(array, index):
                return f"{self._elements(array, index)} are those that are written"
            case Rate():
                kind = "signed" if candidate.signed else "unsigned"
                grown = self._grown(candidate.cell, candidate.start)
                return f"{grown} is {candidate.least} * k to {candidate.most} * k ({kind}, without wrapping)"
            case WriteCandidate():
                cell, other = self._names[candidate.cell], self._names[candidate.other]
                return f"{cell}(k) is written, unless {other}(k) == {self._text(candidate.start)}"
            case TurnsCandidate():
                return f"k <= {candidate.most}"
            case Sum():
                first_start, *starts = candidate.starts
                addends = [
                    f"{factor} * ({self._grown(cell, start)})"
                    for (cell, factor), start in zip(candidate.addends, starts, strict=True)
                ]
                total = " + ".join([*addends, f"{candidate.each_turn} * k"])
                return f"{self._grown(candidate.cell, first_start)} == {total}"

    def _elements(self, array: int, index: Cell) -> str:
        return f"the elements of {self._array(array)} before {self._names[index]}(k)"

    def _array(self, number: int) -> str:
        return self._taken.any.state.memory.objects[number].name

    def _limit(self, limit: Limit | Cell) -> str:
        match limit:
            case RegisterCell() | MemoryCell():
                return f"{self._names[limit]}(k)"
            case ElementLimits(number):
                return f"those of {self._array(number)}"
            case Progression(first, step):
                return f"{first} + {step} * index"
            case _:
                return self._text(limit)

    def _grown(self, cell: Cell, start: Value) -> str:
        name = f"{self._names[cell]}(k)"
        return name if start == 0 else f"{name} - {self._text(start)}"

    def _text(self, value: Value) -> str:
        words = str(value) if isinstance(value, int) else text(value, DEEPEST)
        for whole, name in self._wholes.items():
            words = words.replace(whole, name)
        return _SYMBOL.sub("any number", words)


def _names(taken: Taken, facts: FactsTable) -> Iterator[tuple[Cell, str]]:
    variables = _variables(taken, facts)
    for cell in taken.modified.cells:
        if isinstance(cell, RegisterCell):
            yield cell, variables.get(cell.register, f"%{cell.register}")
        else:
            item = taken.any.state.memory.objects[cell.number]
            part = f"[{cell.offset}..{cell.end - 1}]" if cell.offset or cell.size < len(item.data) else ""
            yield cell, f"{item.name}{part}"


def _variables(taken: Taken, facts: FactsTable) -> Mapping[int, str]:
    located = facts[taken.function].visible.at(taken.head, 0)
    return {
        each.operand.index: name
        for name, each in located.items()
        if isinstance(each.operand, Register) and not each.indirect
    }
