"""A table of objects: what a path has touched, in front of what all paths share."""

from __future__ import annotations

import pytest

from unfork.engine.state.objects import Beginnings, Objects

MADE: list[str] = []


def make(name: str) -> list[str]:
    MADE.append(name)
    return [name]


@pytest.fixture
def table() -> Objects[list[str]]:
    MADE.clear()
    return Objects({}, Beginnings({1: "a", 2: "b"}, make))


def test_what_nobody_asks_for_is_not_made(table: Objects[list[str]]) -> None:
    assert 1 in table and 3 not in table and len(table) == 2 and list(table) == [1, 2]
    assert not MADE


def test_forks_share_what_was_not_written(table: Objects[list[str]]) -> None:
    twin = table.copy()
    assert table[1] is twin[1]
    assert MADE == ["a"]
    twin[1] = ["changed"]
    assert table[1] == ["a"] and twin[1] == ["changed"]


def test_other_objects_come_and_go(table: Objects[list[str]]) -> None:
    table[7] = ["heap"]
    assert list(table) == [1, 2, 7] and dict(table.items())[7] == ["heap"]
    assert table.drop(7) == ["heap"]
    assert table.get(7) is None
    with pytest.raises(KeyError):
        _ = table[7]
