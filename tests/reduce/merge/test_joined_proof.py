"""What two paths of a proof know, as one."""

from __future__ import annotations

from tests.reduce.merge.small_states import X, less, state_of, summary_join
from unfork.engine.meaning.formula import Ground, Universal
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import (
    NOTHING,
    CellsOfSymbols,
    Cut,
    GuardedWrite,
    JoinedContents,
    ProofKnowledge,
    read,
)
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate

BRANCH = less(X, 5)
FIRST, SECOND = Model({X: 1}), Model({X: 9})
OBJECT = 5
ALWAYS = Universal((8,), lambda values: Ground(build.ult(values[0], 9, 8)))


class Turn(Cut):
    """A place at which a path was cut."""


def pair() -> tuple[State, State]:
    return state_of([1, 1, 1], [BRANCH], [7, 8]), state_of([1, 1, 1], [build.negate(BRANCH)], [7, 8])


def joined(a: State, b: State) -> ProofKnowledge:
    made = summary_join().join(a, b)
    assert isinstance(made, State), made
    return made.proof


def test_paths_that_prove_nothing_stay_so() -> None:
    assert joined(*pair()) is NOTHING


def test_contents_are_those_of_either_side() -> None:
    a, b = pair()
    unknown = CellsOfSymbols().unknown("a", 4)
    a.proof = ProofKnowledge({OBJECT: GuardedWrite(unknown, 0, 4, 1)}, (), {}, -1)
    b.proof = ProofKnowledge({OBJECT: GuardedWrite(unknown, 0, 4, 2)}, (), {}, -1)
    for made in (joined(a, b), joined(b, a)):
        assert isinstance(made.contents[OBJECT], JoinedContents)
        value = read(made.contents[OBJECT], 0, 4)
        assert (evaluate(value, FIRST), evaluate(value, SECOND)) == (1, 2)
    b.proof = ProofKnowledge(a.proof.contents, (ALWAYS,), {}, -1)
    assert joined(a, b).contents[OBJECT] is a.proof.contents[OBJECT]


def test_a_claim_of_one_side_holds_where_the_joined_path_is_that_side() -> None:
    a, b = pair()
    shared = Universal((8,), lambda values: Ground(1))
    a.proof, b.proof = ProofKnowledge({}, (shared, ALWAYS), {}, -1), ProofKnowledge({}, (shared,), {}, -1)
    for made in (joined(a, b), joined(b, a)):
        first, second = made.claims
        assert first is shared
        assert isinstance(second, Universal)
        assert (evaluate(second.guard, FIRST), evaluate(second.guard, SECOND)) == (1, 0)


def test_paths_in_different_turns_stay_apart() -> None:
    a, b = pair()
    turn = Turn()
    a.proof = ProofKnowledge({}, (), {(0, 0): turn}, -1)
    for cuts in ({}, {(0, 1): turn}, {(0, 0): Turn()}):
        b.proof = ProofKnowledge({}, (), cuts, -1)
        for order in ((a, b), (b, a)):
            assert summary_join().join(*order) == Refusal("different turns of a loop")
    b.proof = ProofKnowledge({}, (ALWAYS,), {(0, 0): turn}, -1)
    assert joined(a, b).cuts == {(0, 0): turn}


def test_a_path_that_was_looked_at_waits_for_none_that_was_not() -> None:
    a, b = pair()
    a.instructions, b.instructions = 4, 6
    a.proof, b.proof = ProofKnowledge({}, (), {}, 4), ProofKnowledge({}, (), {}, 5)
    assert summary_join().join(a, b) == Refusal("one side has been looked at")
    b.proof = ProofKnowledge({}, (), {}, 6)
    made = summary_join().join(a, b)
    assert isinstance(made, State)
    assert made.proof.handled == made.instructions == 6
