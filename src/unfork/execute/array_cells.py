"""Cells of input arrays in the order of their indices (lazy initialisation of arrays, Anand06, section 5.2).

Where a run keeps cells in order, an access is to a cell that is known or to a new one, and the state splits over which:
so each path knows the order of the cells that it has met. What an access reads and writes stays the same.
"""

from __future__ import annotations

from unfork.execute.step import Step
from unfork.llvm.c_types import Scalar
from unfork.logic import build
from unfork.logic.facts import trailing_zeros
from unfork.logic.path import PathCondition
from unfork.logic.solver import PathQuestions
from unfork.logic.term import Term, Value
from unfork.state.lazy import ArrayCell, LazyObject


def is_array(heap_object: LazyObject) -> bool:
    """Whether an object of the input heap is an array of numbers whose length is open."""
    cells = heap_object.cells
    if cells is None or heap_object.is_text or isinstance(heap_object.length, int) or len(cells.cells) != 1:
        return False
    (cell,) = cells.cells
    return isinstance(cell.type, Scalar) and cell.offset == 0 and cell.size == cells.size


def has_order(step: Step, number: int, offset: Value, size: int) -> bool:
    """Whether an access of ``size`` bytes is to one cell of an array whose cells are kept in order."""
    if not step.limits.orders_cells:
        return False
    heap_object = step.state.lazy.find(number)
    if heap_object is None or heap_object.cells is None or heap_object.cells.size != size or not is_array(heap_object):
        return False
    constant, rest = build.parted(offset)
    return constant % size == 0 and (not isinstance(rest, Term) or 1 << trailing_zeros(rest) >= size)


def find(step: Step, number: int, offset: Value) -> tuple[int, ArrayCell | None]:
    """The position of the cell at ``offset`` (64 bits) among an array's cells, and the cell if it is known.

    The state splits if either answer is possible.
    """
    cells = step.state.lazy.cells.get(number, ())
    for place, cell in enumerate(cells):
        if cell.offset is offset:
            return place, cell
    for place, cell in enumerate(cells):
        if step.decide(build.eq(offset, cell.offset, 64)):
            return place, cell
        if step.decide(build.ult(offset, cell.offset, 64)):
            return place, None
    return len(cells), None


def settled(chain: PathQuestions, path: PathCondition, value: Value) -> Value:
    """``value`` without the outermost choices that the path has already decided."""
    while isinstance(value, Term) and value.op == "ite":
        condition, then, otherwise = value.args
        if chain.must(path, condition):
            value = then
        elif chain.must(path, build.negate(condition)):
            value = otherwise
        else:
            break
    return value.value if isinstance(value, Term) and value.op == "const" else value
