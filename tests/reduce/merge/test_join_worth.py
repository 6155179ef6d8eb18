"""Places whose joins are undone at once stop joining, and are tried again ever less often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.reduce.merge.small_states import Enumeration, X, Y, less, state_of
from tests.support.runs import explore, written
from unfork.commands.run.run import Result
from unfork.engine.protocols.events import Dropped, Ended, Forked, Joined
from unfork.engine.protocols.outcome import Halted, Running
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.reduce.merge.join_worth import EVIDENCE, UNDONE, JoinWorth, WorthSimilarity
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.merge.similarity import Always

NODES = count(1000)
GUARD, OTHER = less(X, 8), less(Y, 8)


def node(conditions: Sequence[Value]) -> State:
    """A state with a node of its own; a chain of its own gives it the same models whatever ran before."""
    state, chain = state_of([0, 0, 0], []), Chain(Enumeration())
    for condition in conditions:
        path = chain.assume(state.path, condition)
        assert isinstance(path, PathCondition)
        state.path = path
    state.node = next(NODES)
    return state


def join(worth: JoinWorth, guard: Value = GUARD) -> State:
    """A state that was just joined under a guard."""
    sides = node([guard]), node([build.negate(guard)])
    joined = node([])
    joined.joined_under = guard
    worth.tell(Joined(sides, joined))
    return joined


def fork(worth: JoinWorth, state: State, condition: Value) -> tuple[State, State]:
    """Both outcomes of a fork on a condition."""
    before = state.path.constraints()
    first, second = node([*before, condition]), node([*before, build.negate(condition)])
    worth.tell(Forked(state.node, (Running(first), Running(second))))
    return first, second


@pytest.fixture
def counts() -> MergeCounts:
    return MergeCounts()


@pytest.fixture
def worth(counts: MergeCounts) -> JoinWorth:
    return JoinWorth(Chain(Enumeration()), Enumeration(), counts, lambda state: "f.c:1")


def test_a_place_whose_joins_are_undone_at_once_stops(worth: JoinWorth, counts: MergeCounts) -> None:
    for _ in range(EVIDENCE):
        assert worth.may_join(node([]))
        fork(worth, join(worth), GUARD)
    assert not worth.may_join(node([]))
    assert counts.undone == EVIDENCE
    assert counts.stopped == {"f.c:1": 1}


def test_a_fork_that_implies_the_guard_undoes_the_join(worth: JoinWorth, counts: MergeCounts) -> None:
    """One side is below 4 and so below 8, the other has been above 8 since before."""
    joined = join(worth)
    sides = node([less(X, 4)]), node([build.negate(less(X, 9))])
    worth.tell(Forked(joined.node, tuple([Running(side) for side in sides])))
    assert counts.undone == 1


def test_other_forks_that_come_first_are_a_gain(worth: JoinWorth, counts: MergeCounts) -> None:
    for _ in range(2 * EVIDENCE):
        for side in fork(worth, join(worth), OTHER):
            fork(worth, side, GUARD)
    assert counts.undone == 4 * EVIDENCE
    assert worth.may_join(node([]))


def test_a_fork_that_tells_the_sides_apart_in_part_changes_nothing(worth: JoinWorth, counts: MergeCounts) -> None:
    """From 12 on only the second side is left; below 12 both are, until the fork at 8 tells them apart."""
    for number in range(EVIDENCE):
        both, _ = fork(worth, join(worth), less(X, 12))
        assert counts.undone == number
        fork(worth, both, GUARD)
    assert counts.undone == EVIDENCE
    assert not worth.may_join(node([]))


def test_a_joined_path_that_ends_as_one_is_a_gain(worth: JoinWorth, counts: MergeCounts) -> None:
    for _ in range(2 * EVIDENCE):
        worth.tell(Ended(Halted(join(worth), "exit", 0)))
    assert counts.undone == 0
    assert worth.may_join(node([]))


def test_what_is_dropped_says_nothing(worth: JoinWorth) -> None:
    for _ in range(EVIDENCE - 1):
        fork(worth, join(worth), GUARD)
    dropped = join(worth)
    worth.tell(Dropped(dropped))
    fork(worth, dropped, GUARD)
    assert worth.may_join(node([]))


def test_joins_of_joined_states_are_followed_one_by_one(worth: JoinWorth, counts: MergeCounts) -> None:
    inner = join(worth)
    outer = node([])
    outer.joined_under = OTHER
    worth.tell(Joined((inner, node([])), outer))
    for side in fork(worth, outer, OTHER):
        fork(worth, side, GUARD)
    assert counts.undone == 3  # the outer one, then the inner one on both sides


def test_a_stopped_place_is_tried_again_ever_less_often(worth: JoinWorth) -> None:
    for _ in range(EVIDENCE):
        fork(worth, join(worth), GUARD)
    tried = [number for number in range(1, 40) if worth.may_join(node([]))]
    assert tried == [2, 4, 8, 16, 32]


def test_a_place_whose_joins_have_become_worth_it_goes_on(worth: JoinWorth) -> None:
    for _ in range(EVIDENCE):
        fork(worth, join(worth), GUARD)
    assert not worth.may_join(node([]))
    for _ in range(EVIDENCE):
        worth.tell(Ended(Halted(join(worth), "exit", 0)))
    assert all(worth.may_join(node([])) for _ in range(5))


def test_a_similarity_asks_once_for_each_arriving_state(worth: JoinWorth, counts: MergeCounts) -> None:
    similar = WorthSimilarity(Always(), worth)
    for _ in range(EVIDENCE):
        fork(worth, join(worth), GUARD)
    arriving = node([])
    assert [similar.differs(node([]), arriving) for _ in range(3)] == [UNDONE] * 3
    assert counts.stopped == {"f.c:1": 1}
    assert similar.differs(node([]), node([])) is None  # the second that comes is tried


UNDONE_AT_ONCE = """
#include "unfork.h"
int total;
int main(void) {
  unsigned char word[6];
  unfork_symbolic(word, sizeof word, "word");
  for (int i = 0; i < 6; ++i) {
    int flag;
    if (word[i] > 100) flag = 3;
    else flag = 2;
    if (flag == 3) total += 1;
    else total *= 2;
  }
  return total;
}
"""


def ran(folder: Path, source: str, *words: str) -> Result:
    file = written(source, folder)
    mode = ("--merge", "static", "--qce", "0.9", "0.5", "10", "1", "--libc", "none")
    return explore(file, folder / "out", *mode, *words)


def test_a_run_says_where_it_has_stopped(tmp_path: Path) -> None:
    merges = ran(tmp_path, UNDONE_AT_ONCE).summary["merges"]
    assert merges["undone"] >= EVIDENCE
    assert merges["refused"][UNDONE.reason] > 0
    assert [place.rpartition("/")[2] for place in merges["stopped"]] == ["program.c:11"]
