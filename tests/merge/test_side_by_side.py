"""Plain exploration beside a joining one: what either finds is found, and the first that is through ends the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.corpus import PROGRAMS, read
from tests.merge.small_states import state_of
from tests.runs import errors_of, explore
from unfork.explore.loop import NoJoining
from unfork.explore.search import BreadthFirst, WaitingStates
from unfork.merge import side_by_side
from unfork.merge.side_by_side import SideBySide, Work
from unfork.state.state import State

EXAMPLES = PROGRAMS.parent.parent / "examples"
CHOSEN = (
    "computed_goto/symbolic_bytecode_bug",
    "fault_continues/second_needs_first_survived",
    "heap/lost_at_symbolic_index_bug",
    "kernel_symbolic/name_with_slash",
    "libc_numbers/scanf_bug",
    "strings/compare_password_bug",
    "symbolic_offsets/counting_occurrences",
)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain side begins at the first look, whatever was joined."""
    monkeypatch.setattr(side_by_side, "ALONE", 0)
    monkeypatch.setattr(side_by_side, "TRIED", 0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", CHOSEN)
def test_both_sides_find_what_plain_exploration_finds(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    plain = explore(program, tmp_path / "plain", "--merge", "none")
    both = explore(program, tmp_path / "both")
    assert both.summary["states"]["created"] > both.summary["paths"]["completed"]
    assert errors_of(both) == errors_of(plain)
    assert both.verdict == plain.verdict
    assert both.summary["coverage"]["branches"] == plain.summary["coverage"]["branches"]


@pytest.mark.usefixtures("at_once")
def test_the_joining_side_may_end_a_run_that_the_plain_one_never_would(tmp_path: Path) -> None:
    program = read(EXAMPLES / "malloc_diamond.c")
    result = explore(program, tmp_path / "run", "-D", "MAX=40", "--max-time", "100")
    assert result.verdict == "safe"
    assert result.summary["stopped_by"] is None
    assert result.summary["states"]["left"] > 0


@pytest.mark.usefixtures("at_once")
def test_the_same_run_twice(tmp_path: Path) -> None:
    program = read(PROGRAMS / "computed_goto/symbolic_bytecode_bug.c")
    one, other = (explore(program, tmp_path / name) for name in ("one", "other"))
    assert one.summary["paths"] == other.summary["paths"]
    assert [path.read_text() for path in one.tests] == [path.read_text() for path in other.tests]


def sides(costs: Sequence[Work]) -> SideBySide:
    """Sides of one first state each, in a run that costs ``costs``, one after the other."""
    left = list(costs)
    made = SideBySide(
        WaitingStates([BreadthFirst()], Random(1)),
        NoJoining(),
        [BreadthFirst()],
        Random(1),
        lambda: left.pop(0) if len(left) > 1 else left[0],
        float("inf"),
        [],
    )
    made.add(state_of([1], []), ())
    return made


def started(made: SideBySide) -> Sequence[State]:
    due = made.due()
    for state in due:
        made.add(state, ())
    return due


@pytest.mark.parametrize(
    ("work", "begins"),
    [
        (Work(side_by_side.ALONE - 1, side_by_side.TRIED), False),
        (Work(side_by_side.ALONE, side_by_side.TRIED - 1), False),
        (Work(side_by_side.ALONE, side_by_side.TRIED), True),
    ],
)
def test_a_short_run_and_one_of_few_joins_are_the_joining_sides_alone(work: Work, begins: bool) -> None:
    made = sides([work])
    assert bool(started(made)) == begins
    assert len(made) == (2 if begins else 1)
    assert not made.due()


def test_either_side_that_has_nothing_left_ends_the_run() -> None:
    made = sides([Work(side_by_side.ALONE, side_by_side.TRIED)])
    started(made)
    assert len(list(made)) == 2
    made.pick()
    assert not made
    assert len(list(made)) == 1


def test_the_plain_side_gets_most_of_the_work() -> None:
    begun = side_by_side.ALONE
    made = sides([Work(begun + step, side_by_side.TRIED) for step in range(0, 400_000, 100)])
    started(made)
    plain = 0
    for _ in range(1_000):
        ticket, state = made.pick()
        plain += made.is_plain
        made.add(state, (ticket,))
    assert 780 < plain < 820


def test_neither_side_loses_its_last_state_when_memory_is_short() -> None:
    made = sides([Work(side_by_side.ALONE, side_by_side.TRIED)])
    for state in started(made):
        made.add(state.fork(), ())
    assert len(list(made.drop(5))) == 1
    assert len(made) == 2
