"""The journal writes each waiting state once, and has at any time what it takes to go on."""

from __future__ import annotations

import pickle
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from unfork.engine.explore.endings import TimeIsOver
from unfork.errors import InputError
from unfork.report.record import journal
from unfork.report.record.directory import WriteFailed
from unfork.report.record.journal import Journal, RunHeader

BEGUN = RunHeader(("a.c",), {"seed": 3}, ("seed",), ("-n",))
PACKED: list[Any] = []


def packed(value: Any) -> bytes:
    PACKED.append(value)
    return pickle.dumps(value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal.begin(tmp_path, "1", BEGUN)
    PACKED.clear()
    return tmp_path


def waiting_in(folder: Path, strategy: str = "plain") -> list[Any]:
    return journal.read_explorations(folder)[strategy].states(pickle.loads)


def test_what_was_begun_is_known(folder: Path) -> None:
    assert journal.read_beginning(folder) == ("1", BEGUN)
    assert journal.read_explorations(folder) == {}


def test_the_last_entry_counts(folder: Path) -> None:
    kept = Journal(folder, "plain", packed)
    frontier: dict[int, Any] = {}
    for moment in range(50):
        frontier |= {10 * moment + place: f"state {10 * moment + place}" for place in range(10)}
        for ticket in list(frontier)[:: 2 + moment % 3]:
            del frontier[ticket]
        kept.save(frontier, {"moment": moment})
        assert waiting_in(folder) == list(frontier.values())
        assert pickle.loads(journal.read_explorations(folder)["plain"].snapshot) == {"moment": moment}


def test_a_state_that_waits_is_written_once(folder: Path) -> None:
    kept = Journal(folder, "plain", packed)
    frontier = dict.fromkeys(range(100), "old")
    kept.save(frontier, None)
    kept.save({**frontier, 100: "new"}, None)
    assert PACKED == [["old"] * 100, None, ["new"], None]


@pytest.mark.parametrize("packings", [0, 1])
def test_an_entry_that_is_broken_off_changes_nothing(folder: Path, packings: int) -> None:
    left = [10]

    def breaking(value: Any) -> bytes:
        left[0] -= 1
        if not left[0]:
            raise TimeIsOver
        return packed(value)

    kept = Journal(folder, "plain", breaking)
    kept.save({1: "a", 2: "b", 3: "c"}, "first")
    left[0] = 1 + packings
    with pytest.raises(TimeIsOver):
        kept.save({3: "c", 4: "d"}, "second")
    assert waiting_in(folder) == ["a", "b", "c"]
    assert pickle.loads(journal.read_explorations(folder)["plain"].snapshot) == "first"
    kept.save({3: "c", 4: "d", 5: "e"}, "third")
    assert waiting_in(folder) == ["c", "d", "e"]


def test_blocks_of_which_little_is_left_go(folder: Path) -> None:
    kept = Journal(folder, "plain", packed)
    kept.save({ticket: ticket for ticket in range(100)}, None)
    kept.save({7: 7, 8: 8}, None)
    assert waiting_in(folder) == [7, 8]
    with sqlite3.connect(folder / journal.JOURNAL) as database:
        assert database.execute("SELECT count(*), max(length(states)) < 100 FROM blocks").fetchone() == (1, 1)


def test_who_goes_on_replaces_what_there_was(folder: Path) -> None:
    Journal(folder, "plain", packed).save({1: "a", 2: "b"}, "first")
    Journal(folder, "join", packed).save({1: "other"}, "other")
    again = Journal(folder, "plain", packed)
    assert waiting_in(folder) == ["a", "b"]  # until there is something new
    again.save({5: "c"}, "second")
    assert waiting_in(folder) == ["c"]
    assert waiting_in(folder, "join") == ["other"]


def test_trouble_is_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no journal"):
        journal.read_beginning(tmp_path / "nowhere")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / journal.JOURNAL).write_bytes(b"no database at all, but long enough to look at" * 10)
    with pytest.raises(InputError, match="cannot be read"):
        journal.read_beginning(tmp_path / "broken")
    with pytest.raises(WriteFailed, match="cannot write"):
        journal.begin(tmp_path / "nowhere", "1", BEGUN)
    journal.end(folder)
    assert not list(folder.glob("journal*"))
