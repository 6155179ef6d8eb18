"""Havoc: the state at the head of a loop in which all modified values are arbitrary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from unfork.engine.instructions.activations import leave_scope
from unfork.engine.state.inputs import UNWRITTEN
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import CellsOfSymbols, ForgottenBytes, stride_of
from unfork.logic.solve.path import PathCondition, join, parts_of, split
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.reduce.invariants.cells import Cell, MemoryCell, NotAbstract
from unfork.reduce.invariants.modified_set import COUNT_BITS, Change, ModifiedSet, Stride, UnknownChange

HAVOC = "\0havoc#"
"""Prefix of fresh values. No name in a program has a zero byte."""
Fresh = Callable[[str, int], Term]
"""A new symbol of so many bits, named after a prefix."""
Listed = Callable[[State, int], list[tuple[Value, Value]] | None]
"""For an object of any length, the ranges that a loop may modify, in a state; None: all of it."""


@dataclass(frozen=True, slots=True)
class GeneralIteration:
    """The beginning of a general iteration, with the number of earlier ones (``before``). ``model`` satisfies its
    path: the first iteration.
    """

    state: State
    before: Term
    model: Model

    def assume(self, condition: Value | None) -> None:
        """Assume a condition that held before the loop, if it is one."""
        if isinstance(condition, Term):
            self.state.path = assume(self.state.path, condition, self.model)


def havoc(modified: ModifiedSet, fresh: Fresh, *, notices_unwritten: bool) -> GeneralIteration:
    """A general iteration, with fresh values in all modified registers and pieces of memory.

    ``notices_unwritten``: possibly unwritten values are unwritten unless a fresh bit says otherwise.
    """
    state = modified.entry.fork()
    state.over = True
    before = fresh(HAVOC, COUNT_BITS)
    model = modified.entry.path.model()
    values: dict[Term, int] = {**model.values, before: 0}
    for cell, change in modified.cells.items():
        may_be_unwritten = notices_unwritten and cell in modified.unwritten and not isinstance(change, int)
        if may_be_unwritten and cell.is_pointer and isinstance(cell, MemoryCell):
            state.memory.writable(cell.number).make_uninitialised(cell.offset, cell.size)
            continue
        start = 0 if cell.is_unwritten(modified.entry) else cell.read(modified.entry)
        value = _changed(cell, change, start, before, fresh)
        if isinstance(change, UnknownChange):
            assert isinstance(value, Term)
            values[value] = evaluate(start, model)
        if may_be_unwritten:
            is_written, unwritten = fresh(HAVOC, 1), fresh(UNWRITTEN + HAVOC, cell.width)
            values |= {is_written: 1, unwritten: 0}
            value = build.ite(is_written, value, unwritten, cell.width)
        cell.write(state, value)
    for number in modified.ended:
        leave_scope(state, number, None)
    return GeneralIteration(state, before, Model(values))


def _changed(cell: Cell, change: Change, start: Value, before: Term, fresh: Fresh) -> Value:
    """The value of a cell after ``before`` iterations."""
    match change:
        case int():
            count = resize(before, COUNT_BITS, cell.width)
            return build.add(start, build.mul(count, change, cell.width), cell.width)
        case Stride():
            return change.any(fresh(HAVOC, COUNT_BITS))
        case UnknownChange():
            return fresh(HAVOC, cell.width)


def havoc_contents(state: State, modified: ModifiedSet, cells: CellsOfSymbols, listed: Listed) -> None:
    """Havoc the listed ranges of objects of any length. Raises NotAbstract."""
    contents = dict(state.proof.contents)
    ranges = {number: listed(state, number) for number in modified.objects}
    for number, some in ranges.items():
        item = state.memory.objects[number]
        below = contents[number]
        for low, high in [(0, item.size)] if some is None else some:
            name = f"{UNWRITTEN}{item.name}" if modified.objects[number] else item.name
            below = ForgottenBytes(below, low, high, cells.unknown(name, stride_of(below)))
        contents[number] = below
    state.proof = replace(state.proof, contents=contents)
    if any(listed(state, number) != some for number, some in ranges.items()):
        raise NotAbstract("what a loop assigns depends on the elements of an array that it assigns")


def assume(path: PathCondition, condition: Term, model: Model) -> PathCondition:
    """The path under a condition that holds in ``model``, which satisfies the path, too."""
    parts = parts_of(condition)
    base = join(path.touched(condition.symbols))
    return path.extended(parts, split(base, parts, model))


def resize(value: Value, width: int, wanted: int) -> Value:
    """An unsigned number of ``width`` bits in ``wanted`` bits."""
    if wanted <= width:
        return build.trunc(value, width, wanted) if wanted < width else value
    return build.zext(value, width, wanted)
