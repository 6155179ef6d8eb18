"""What is still to be covered: goals move away from those who miss them, and all functions come up alike."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.engine.explore.fakes import FakeState, fake
from unfork.engine.explore.distance import FAR, BlockId, CallStack, Distances
from unfork.engine.explore.goals import Goals
from unfork.engine.explore.guided import NearUncovered
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import Effort
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program

TWO = """
static int left(int x) { if (x == 1) return 5; return 6; }
static int right(int x) { if (x == 2) return 7; return 8; }
static int (*chosen)(int) = right;
void fail(int x) { while (x) x--; for (;;) ; }
int main(int argc, char **argv) {
  if (argc == 3) fail(argc);
  if (argc == 4) return chosen(argc);
  return left(argc);
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "two.c").write_text(TWO)
    return build([tmp_path / "two.c"], CompileOptions())


def at(program: Program, *frames: tuple[str, int]) -> State:
    """A state whose frames are in these blocks, the outermost first."""
    state = FakeState()
    state.frames = [SimpleNamespace(function=program.function(name), block=block) for name, block in frames]
    return cast(State, state)


def goals_of(program: Program) -> tuple[Goals, BranchCoverage]:
    coverage = BranchCoverage()
    for name in ("main", "left", "right", "fail"):
        for block in program.function(name).blocks:
            for successor in range(2):
                coverage.number(program.function(name), block.index, successor)
    goals = Goals(Distances(program, "main"), coverage)
    goals.refresh()
    return goals, coverage


def test_a_goal_moves_away_from_those_who_miss_it_until_its_function_has_news(program: Program) -> None:
    goals, coverage = goals_of(program)
    state = at(program, ("main", 0), ("left", 0))
    near, goal = goals.nearest(goals.stack(state))
    assert goal == ("left", 0)
    goals.charge(goal, 5_000)
    assert goals.refresh()
    assert goals.nearest(goals.stack(state))[1] not in (goal, None)
    coverage.covered[coverage.number(program.function("main"), 0, 0)] = 1
    assert goals.refresh()
    assert goals.nearest(goals.stack(state))[1] not in (goal, None)
    coverage.covered[coverage.number(program.function("left"), 0, 0)] = 1
    assert goals.refresh()
    assert goals.nearest(goals.stack(state)) == (near, goal)
    assert not goals.refresh()


def test_a_goal_counts_only_where_the_call_stack_can_reach_it(program: Program) -> None:
    """``fail`` never returns: what its caller would do next is no goal of it."""
    goals, coverage = goals_of(program)
    for block in program.function("fail").blocks:
        for successor in range(2):
            coverage.covered[coverage.number(program.function("fail"), block.index, successor)] = 1
    goals.refresh()
    assert goals.nearest(goals.stack(at(program, ("main", 0), ("fail", 0)))) == (FAR, None)
    assert goals.nearest(goals.stack(at(program, ("main", 0))))[0] < FAR


def test_calls_through_pointers_lead_to_what_may_be_called(program: Program) -> None:
    goals, coverage = goals_of(program)
    for name in ("main", "left", "fail"):
        for block in program.function(name).blocks:
            for successor in range(2):
                coverage.covered[coverage.number(program.function(name), block.index, successor)] = 1
    goals.refresh()
    distance, goal = goals.nearest(goals.stack(at(program, ("main", 0))))
    assert goal == ("right", 0)
    assert 0 < distance < FAR


class Crowded:
    """Goals that know of the function and the block of each state, and of none nearer than another."""

    def block(self, state: State) -> BlockId:
        path = cast(FakeState, state).path_taken
        return path[0], ord(path[-1])

    def stack(self, state: State) -> CallStack:
        return (self.block(state),)

    def nearest(self, stack: CallStack) -> tuple[int, None]:
        return 0, None

    def charge(self, goal: Any, cost: int) -> None:
        raise AssertionError

    def refresh(self) -> bool:
        return False


def chosen_in_turns(order: NearUncovered, effort: Effort, waiting: dict[int, str], picks: int) -> Counter[str]:
    """How often states of each kind are chosen, if all do as much and then wait as before; ``waiting`` has them."""
    counts: Counter[str] = Counter()
    for number in range(picks):
        ticket = order.choose()
        order.remove(ticket)
        effort.ticks += 1
        kind = waiting.pop(ticket)
        waiting[1000 + number] = kind
        counts[kind] += 1
        order.add(1000 + number, fake(kind), (ticket,))
    return counts


def test_all_functions_come_up_alike_however_many_states_they_make() -> None:
    effort = Effort()
    order = NearUncovered(cast(Goals, Crowded()), BranchCoverage(), effort, random.Random(1))
    waiting = dict.fromkeys(range(300), "a") | {300: "b"}
    for ticket, kind in waiting.items():
        order.add(ticket, fake(kind), ())
    assert 270 < chosen_in_turns(order, effort, waiting, 600)["b"] < 330


def test_what_comes_from_a_rare_block_is_followed_among_many_of_the_same_function() -> None:
    effort = Effort()
    order = NearUncovered(cast(Goals, Crowded()), BranchCoverage(), effort, random.Random(1))
    for ticket in range(300):
        order.add(ticket, fake("a"), ())
    order.add(300, fake("ab"), ())
    order.remove(7)
    order.add(301, fake("ac"), (7,))  # the first at its block
    order.remove(301)
    order.add(302, fake("aca"), (301,))  # where all are, but it comes from there
    waiting = {**dict.fromkeys(range(300), "a"), 300: "ab", 302: "aca"}
    del waiting[7]
    counts = chosen_in_turns(order, effort, waiting, 600)
    assert 130 < counts["aca"] < 170, "as the other rare one: together half of all, since the function does the rest"
    assert 130 < counts["ab"] < 170


def test_shallow_states_come_up_more_often_in_every_other_turn() -> None:
    order = NearUncovered(cast(Goals, Crowded()), BranchCoverage(), Effort(), random.Random(1))
    order.add(0, fake("a"), ())
    order.add(1, fake("a" * 20), ())
    chosen = [order.choose() for _ in range(1000)]
    assert {*chosen[::2]} == {0}
    assert 200 < sum(chosen[1::2]) < 300


class Moving(Crowded):
    """Goals that move away from one stack at each refresh, and count the looks for the nearest."""

    def __init__(self) -> None:
        self.distance = self.looks = 0

    def stack(self, state: State) -> CallStack:
        return ((cast(FakeState, state).path_taken, 0),)

    def nearest(self, stack: CallStack) -> tuple[int, None]:
        self.looks += 1
        return self.distance * (stack[0][0] == "a"), None

    def refresh(self) -> bool:
        self.distance += 1000
        return True


def test_one_look_serves_all_states_of_one_stack_and_moves_their_weights() -> None:
    goals = Moving()
    order = NearUncovered(cast(Goals, goals), BranchCoverage(), Effort(), random.Random(1))
    for ticket in range(300):
        order.add(ticket, fake("a"), ())
    order.add(300, fake("aba"), ())
    goals.looks = 0
    chosen = [order.choose() for _ in range(400)]
    refreshed = goals.distance // 1000 - 1  # the first was before any state waited
    assert goals.looks == 2 * refreshed
    near = chosen[101::2]  # every other choice is by nearness
    assert near.count(300) > 0.9 * len(near)
