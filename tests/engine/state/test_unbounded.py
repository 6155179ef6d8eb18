"""Objects of any length: unknown cells, changes on top of them, and reading, where the newest change counts."""

from __future__ import annotations

import pytest

from unfork.engine.state.unbounded import (
    CellsOfSymbols,
    Contents,
    ForgottenBytes,
    GuardedWrite,
    JoinedContents,
    UnknownCell,
    field_of,
    linear,
    read,
    stride_of,
)
from unfork.errors import Unsupported
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

OFFSET = symbol("offset", 64)


def test_a_cell_has_one_symbol() -> None:
    cells = CellsOfSymbols()
    contents = cells.unknown("a", 4)
    assert contents.cell(OFFSET, 4) is contents.cell(OFFSET, 4)
    assert contents.cell(OFFSET, 4) is not contents.cell(OFFSET, 2)
    assert contents.cell(0, 4) is not contents.cell(4, 4)
    assert contents.cell(0, 4).width == 32
    assert cells.of[contents.cell(OFFSET, 4)] == UnknownCell(contents, OFFSET, 4)


def test_contents_of_one_name_are_not_the_same() -> None:
    cells = CellsOfSymbols()
    first, second = cells.unknown("a", 4), cells.unknown("a", 4)
    assert first != second
    assert first.cell(0, 4) is not second.cell(0, 4)


def test_changes_have_the_elements_of_what_they_change() -> None:
    cells = CellsOfSymbols()
    contents = GuardedWrite(cells.unknown("a", 8), 0, 4, 1)
    changed = ForgottenBytes(JoinedContents(symbol("p", 1), contents, contents), 0, 8, cells.unknown("a", 4))
    assert stride_of(changed) == 8


HERE, J, P = symbol("i", 64), symbol("j", 64), symbol("p", 1)
CELLS = CellsOfSymbols()
UNKNOWN = CELLS.unknown("a", 4)


def of(index: Value) -> Value:
    return build.mul(index, 4, 64)


def test_what_was_written_is_read() -> None:
    contents = GuardedWrite(UNKNOWN, 8, 4, 7)
    assert read(contents, 8, 4) == 7
    assert read(contents, 4, 4) is UNKNOWN.cell(4, 4)
    assert read(GuardedWrite(contents, 8, 4, 9), 8, 4) == 9


def test_a_write_may_be_to_the_cell_that_is_read() -> None:
    value = read(GuardedWrite(GuardedWrite(UNKNOWN, of(J), 4, 8), of(HERE), 4, 7), of(2), 4)
    cell = UNKNOWN.cell(of(2), 4)
    for i, j, expected in ((2, 2, 7), (2, 3, 7), (3, 2, 8), (3, 3, 5)):
        assert evaluate(value, Model({HERE: i, J: j, cell: 5})) == expected


def test_a_write_under_a_guard() -> None:
    value = read(GuardedWrite(UNKNOWN, 0, 4, 7, P), 0, 4)
    assert [evaluate(value, Model({P: p, UNKNOWN.cell(0, 4): 5})) for p in (0, 1)] == [5, 7]


@pytest.mark.parametrize(("index", "is_forgotten"), [(-1, False), (0, True), (2, True), (3, False)])
def test_a_range_that_is_forgotten(index: int, is_forgotten: bool) -> None:
    later = CELLS.unknown("a", 4)
    value = read(ForgottenBytes(UNKNOWN, 0, of(J), later), of(HERE), 4)
    model = Model({HERE: index % (1 << 64), J: 3, UNKNOWN.cell(of(HERE), 4): 5, later.cell(of(HERE), 4): 6})
    assert evaluate(value, model) == (6 if is_forgotten else 5)


def test_an_empty_range_forgets_nothing() -> None:
    contents = ForgottenBytes(UNKNOWN, 8, 4, CELLS.unknown("a", 4))
    assert read(contents, 4, 4) is UNKNOWN.cell(4, 4)


def test_joined_contents_are_those_of_a_side() -> None:
    contents: Contents = JoinedContents(P, GuardedWrite(UNKNOWN, 0, 4, 1), GuardedWrite(UNKNOWN, 0, 4, 2))
    assert [evaluate(read(contents, 0, 4), Model({P: p})) for p in (0, 1)] == [2, 1]
    assert read(GuardedWrite(contents, 0, 4, 3), 0, 4) == 3


def test_long_chains_need_no_deep_stack() -> None:
    contents: Contents = UNKNOWN
    for index in range(1, 2_000):
        contents = GuardedWrite(contents, 4 * index, 4, index)
    assert read(contents, 0, 4) is UNKNOWN.cell(0, 4)


def test_fields_of_elements_are_apart() -> None:
    records = CELLS.unknown("r", 12)
    contents = GuardedWrite(records, build.mul(HERE, 12, 64), 4, 7)
    offset = build.add(build.mul(J, 12, 64), 4, 64)
    assert read(contents, offset, 4) is records.cell(offset, 4)
    assert field_of(offset, 8, 12) == 4
    assert field_of((1 << 64) - 12, 4, 12) == 0


@pytest.mark.parametrize(
    ("offset", "size", "reason"),
    [
        (HERE, 4, "begin anywhere"),
        (build.add(of(HERE), 2, 64), 4, "several elements"),
        (of(HERE), 8, "several elements"),
    ],
)
def test_accesses_across_elements_are_not_supported(offset: Value, size: int, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        read(UNKNOWN, offset, size)


def test_a_part_of_what_was_written_is_not_supported() -> None:
    contents = GuardedWrite(UNKNOWN, of(HERE), 4, 7)
    with pytest.raises(Unsupported, match="a part of what was written"):
        read(contents, of(J), 2)


def test_offsets_are_sums_of_signed_numbers() -> None:
    total = linear(build.sub(build.mul(HERE, 12, 64), 8, 64))  # type: ignore[arg-type]  # a term
    assert (total.constant, list(total.factors.values())) == (-8, [12])
