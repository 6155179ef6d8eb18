"""Soundness bugs, seeded on purpose in each part of the join: each is caught by counting out concrete states."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.reduce.merge.small_states import WIDTH, X, Y, concrete_states, is_valid, less, state_of, summary_join
from unfork.engine.state.inputs import InputObject, Inputs
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge import joined_memory, joined_paths, states
from unfork.reduce.merge.joined_paths import Residuals
from unfork.reduce.merge.value_choice import GuardedChoice, ValueChoice

BRANCH, INNER = less(X, 5), less(Y, 3)
OTHER = build.negate(BRANCH)


def pairs() -> list[tuple[State, State]]:
    """Pairs of states that between them need every part of a join."""
    x, y = (build.zext(one, WIDTH, 8) for one in (X, Y))
    return [
        (state_of([1, 2, 3], [], [x]), state_of([4, 5, 6], [], [y])),
        (state_of([1, 2, X], [BRANCH, INNER], [1, 2]), state_of([Y, 2, X], [OTHER], [1, 3])),
        (state_of([1, 2, X], [BRANCH], [1, 2]), state_of([Y, 2, X], [OTHER, INNER])),
        (state_of([1, 2, X], [BRANCH], [1, 2, 3]), state_of([1, 2, X], [OTHER], [4, y, 3])),
    ]


def is_exact() -> bool:
    """Whether every pair joins to exactly its concrete states, on a path with a model."""
    join = summary_join()
    for a, b in pairs():
        made = join.join(a, b)
        assert isinstance(made, State)
        if not is_valid(made) or concrete_states(made) != concrete_states(a) | concrete_states(b):
            return False
    return True


def guard_per_variable(patch: pytest.MonkeyPatch) -> None:
    """Each overlapping variable gets a choice of its own."""
    made: list[Term] = []

    def value(self: GuardedChoice, a: Value, b: Value, width: int) -> Value:
        made.append(symbol(f"own{len(made)}", 1))
        own = isinstance(self.first, Term) and self.first.op == "symbol"
        return build.ite(made[-1] if own else self.first, a, b, width)

    patch.setattr(GuardedChoice, "value", value)


def swapped_sides(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(GuardedChoice, "value", lambda self, a, b, width: build.ite(self.first, b, a, width))


def residuals_dropped(patch: pytest.MonkeyPatch) -> None:
    """Only what both assume is kept."""
    original = joined_paths.joined_path
    patch.setattr(states, "joined_path", lambda a, rest, conditions, origin: original(a, rest, {}, origin))


def residual_of_one_side(patch: pytest.MonkeyPatch) -> None:
    """What the second side says is lost."""

    def said(diagrams: object, chain: object, path: object, rest: Residuals) -> tuple[Value, dict[Term, None]] | None:
        guard = joined_paths.distinguishing(rest.first, rest.second)
        kept = Residuals(rest.common, rest.shared, rest.first, ())
        return None if guard is None else (guard, joined_paths.guarded_conditions(kept, guard))

    patch.setattr(states, "said_by_both", said)


def first_conjunct_as_guard(patch: pytest.MonkeyPatch) -> None:
    """A conjunct of the first side, which the second may satisfy too."""

    def said(diagrams: object, chain: object, path: object, rest: Residuals) -> tuple[Value, dict[Term, None]] | None:
        guard = rest.first[-1] if rest.first else 1
        return guard, joined_paths.guarded_conditions(rest, guard)

    patch.setattr(states, "said_by_both", said)


def liveness_without_guard(patch: pytest.MonkeyPatch) -> None:
    """A block of one side is there on both."""
    patch.setattr(MemoryObject, "vanish", lambda self, condition: None)


def bytes_of_the_first_side(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(joined_memory, "_join_bytes", lambda *rest: None)


def differences_missed(patch: pytest.MonkeyPatch) -> None:
    """Only concrete bytes are compared."""

    def differing(a: MemoryObject, b: MemoryObject, count: int) -> list[tuple[int, int]]:
        return [(i, i + 1) for i in range(count) if a.data[i] != b.data[i]]

    patch.setattr(joined_memory, "differing", differing)


SEEDED: list[Callable[[pytest.MonkeyPatch], None]] = [
    guard_per_variable,
    swapped_sides,
    residuals_dropped,
    residual_of_one_side,
    first_conjunct_as_guard,
    liveness_without_guard,
    bytes_of_the_first_side,
    differences_missed,
]


def test_the_joins_are_exact() -> None:
    assert is_exact()


@pytest.mark.parametrize("seed", SEEDED, ids=[seed.__name__ for seed in SEEDED])
def test_a_seeded_bug_is_caught(seed: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    seed(monkeypatch)
    assert not is_exact()


def test_inputs_of_one_side_stay_under_its_guard() -> None:
    """Without the guard, a test would list what its path never asks for, and shift the names of what it does."""
    choice: ValueChoice = GuardedChoice(BRANCH)
    one = InputObject("p", "symbolic", 1, ((symbol("p", 8), 1),))
    (made,) = states.joined_inputs(choice, Inputs((one,)), Inputs(), frozenset())
    assert made.guard is BRANCH
