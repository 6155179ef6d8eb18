"""Nothing is joined where the program asks again for what it knew before."""

from __future__ import annotations

from pathlib import Path

from tests.merge.small_states import FUNCTION, X, Y, less, state_of
from tests.runs import explore
from unfork.api.run import Result
from unfork.contracts.experience import Past
from unfork.logic.term import Term
from unfork.merge.asked_again import AskedAgain, extended, spot_of
from unfork.state.state import State

EXAMPLES = Path(__file__).parents[2] / "examples"


def met(past: Past, *conditions: Term) -> AskedAgain:
    """Experience of a state with ``past`` that meets ``conditions``."""
    asked: list[Term] = []
    experience = AskedAgain(asked, gives_in=True)
    experience.sets_out(past)
    asked += conditions
    experience.look()
    assert not asked
    return experience


def rested(constraints: list[Term]) -> tuple[State, Past]:
    state = state_of([0, 0, 0], constraints)
    return state, extended((), state)


def test_what_was_known_before_a_place_and_is_asked_behind_it_counts() -> None:
    state, past = rested([less(X, 9)])
    spot = spot_of(state)
    again, new = [less(X, n) for n in range(1, 6)], [less(Y, n) for n in range(1, 6)]
    assert met(past, *again[:3]).pays(spot)  # too little to go by
    assert not met(past, *again).pays(spot)
    assert met(past, *new).pays(spot)
    assert met(past, *again[:3], *new[:3]).pays(spot)
    assert not met(past, *again[:4], *new[:3]).pays(spot)


def test_a_place_of_which_nothing_is_known_is_taken_to_be_like_the_others() -> None:
    _, past = rested([less(X, 9)])
    elsewhere = FUNCTION, 7, 0
    assert not met(past, *[less(X, n) for n in range(1, 6)]).pays(elsewhere)
    assert met(past, *[less(Y, n) for n in range(1, 6)]).pays(elsewhere)


def test_places_long_past_do_not_count() -> None:
    state, past = rested([less(X, 9)])
    for _ in range(20):
        past = extended(past, state_of([0, 0, 0], []))
    assert met(past, *[less(X, n) for n in range(1, 6)]).pays(spot_of(state))


def test_where_no_place_pays_states_do_not_rest_for_a_while() -> None:
    state, past = rested([less(X, 9)])
    experience = met(past, *[less(X, n) for n in range(1, 6)])
    looks = 0
    for _ in range(4000):
        if experience.is_worth_while():
            looks += 1
            assert not experience.pays(spot_of(state))
    assert 64 < looks < 200


def test_a_long_exploration_is_joined_everywhere() -> None:
    state, past = rested([less(X, 9)])
    experience = met(past, *[less(X, n) for n in range(1, 6)])
    for _ in range(5000):
        if experience.is_worth_while():
            experience.pays(spot_of(state))
    assert all(experience.is_worth_while() and experience.pays(spot_of(state)) for _ in range(100))


def caught_up(tmp_path: Path, example: str, *define: str) -> Result:
    return explore(EXAMPLES / example, tmp_path / example, merge="dynamic", define=define, libc="none")


def test_a_matcher_that_looks_back_is_hardly_joined(tmp_path: Path) -> None:
    merges = caught_up(tmp_path, "regexp_safe.c", "SIZE=4").summary["merges"]
    assert merges["refused"]["asked again"] > 10 * merges["done"]


def test_a_program_that_reads_on_is_joined_throughout(tmp_path: Path) -> None:
    summary = caught_up(tmp_path, "echo.c", "N=3", "L=3").summary
    assert summary["merges"]["done"] >= 15
    assert summary["paths"]["completed"] < 10
