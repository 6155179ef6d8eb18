"""Edges are pending on each state that took them, until one of these settles them."""

from __future__ import annotations

from unfork.engine.state.memory import Memory
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage, Onlooker


def _states(coverage: BranchCoverage, count: int) -> list[State]:
    """So many states; the first three goals have numbers."""
    for goal in range(3):
        coverage.reach(State.begin(Memory()), goal)
    coverage.forget((0, 1, 2))
    return [State.begin(Memory()) for _ in range(count)]


def _taken(coverage: BranchCoverage, state: State, *edges: int) -> None:
    """The state runs, and takes these edges as compiled code does."""
    coverage.turn_to(state)
    for edge in edges:
        if not coverage.passed[edge]:
            coverage.hit(state, edge)


def test_each_state_notes_what_it_took_by_itself() -> None:
    """Two that take turns, and one that forked off: who is lost takes nothing from the others."""
    coverage = BranchCoverage()
    first, second = _states(coverage, 2)
    _taken(coverage, first, 0, 1)
    _taken(coverage, second, 1, 2)
    _taken(coverage, first, 1, 0)
    child = first.fork()
    _taken(coverage, child, 2, 0)
    assert (first.pending, second.pending, child.pending) == ((0, 1), (1, 2), (0, 1, 2))
    coverage.forget(first.pending)
    assert list(coverage.covered) == [0, 0, 1]
    coverage.settle(second.pending)
    assert list(coverage.covered) == list(coverage.settled) == [0, 1, 1]
    assert coverage.unsettled(child.pending) == (0,)


def test_nobody_notes_what_is_settled() -> None:
    """Neither who runs, nor who runs later."""
    coverage = BranchCoverage()
    first, second = _states(coverage, 2)
    _taken(coverage, first, 0)
    coverage.settle((0, 1))
    _taken(coverage, first, 1)
    _taken(coverage, second, 0, 1, 2)
    assert (first.pending, second.pending) == ((0,), (2,))
    coverage.forget((0, 1, 2))
    assert list(coverage.covered) == [1, 1, 0]


def test_who_looks_on_waits_for_the_run_to_settle() -> None:
    """What is only pending in the run may be opened again."""
    run = BranchCoverage()
    aside = Onlooker(run)
    mine, other = _states(run, 1)[0], _states(aside, 1)[0]
    _taken(run, mine, 0, 1)
    run.settle((0,))
    aside.renew()
    _taken(aside, other, 0, 1)
    assert other.pending == (1,)
