"""Contents of objects of any length: unknown cells, and changes on top of them."""

from __future__ import annotations

from unfork.logic.term import symbol
from unfork.state.unbounded import Cell, Cells, Either, Forgotten, Written, stride_of

OFFSET = symbol("offset", 64)


def test_a_cell_has_one_symbol() -> None:
    cells = Cells()
    contents = cells.unknown("a", 4)
    assert contents.cell(OFFSET, 4) is contents.cell(OFFSET, 4)
    assert contents.cell(OFFSET, 4) is not contents.cell(OFFSET, 2)
    assert contents.cell(0, 4) is not contents.cell(4, 4)
    assert contents.cell(0, 4).width == 32
    assert cells.of[contents.cell(OFFSET, 4)] == Cell(contents, OFFSET, 4)


def test_contents_of_one_name_are_not_the_same() -> None:
    cells = Cells()
    first, second = cells.unknown("a", 4), cells.unknown("a", 4)
    assert first != second
    assert first.cell(0, 4) is not second.cell(0, 4)


def test_changes_have_the_elements_of_what_they_change() -> None:
    cells = Cells()
    contents = Written(cells.unknown("a", 8), 0, 4, 1)
    changed = Forgotten(Either(symbol("p", 1), contents, contents), 0, 8, cells.unknown("a", 4))
    assert stride_of(changed) == 8
