"""Whoever finds what is new gets more of the next round, and everybody gets something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.commands.run.messages import Standing, TreeProgress
from unfork.commands.run.prospects import TRIED, Prospects
from unfork.commands.run.race import FASTEST, LEAST, LEAST_OF_FIRST, PROMISED, QUIET, Quotas

BASE = 50_000
PLAIN, JOIN, LEARN, MATCH = NAMES = ("plain", "join", "learn", "match")
BEGUN = [Standing(PLAIN, 1, 100_000, paths=7, edges_first=20), *[Standing(name, 1) for name in NAMES[1:]]]
ALL = BASE * len(NAMES)


class Rounds:
    """A race of four whose rounds are told what each strategy came to for its quota."""

    def __init__(self) -> None:
        self.quotas = Quotas(Prospects())
        self.standings = {each.name: each for each in BEGUN}
        self.shares: Mapping[str, int] = self.quotas.next(BEGUN, BASE)

    def after(self, **found: Mapping[str, int]) -> Mapping[str, int]:
        """What everybody gets after a round in which these strategies found so much more."""
        for name, each in self.standings.items():
            more = {kind: getattr(each, kind) + number for kind, number in found.get(name, {}).items()}
            self.standings[name] = replace(each, work=each.work + self.shares[name], **more)
        self.shares = self.quotas.next(list(self.standings.values()), BASE)
        return self.shares


def test_what_came_before_the_first_round_is_no_success() -> None:
    assert Rounds().shares == dict.fromkeys(NAMES, BASE)


def test_where_nobody_has_success_all_get_the_same() -> None:
    rounds = Rounds()
    for _ in range(3):
        assert rounds.after() == dict.fromkeys(NAMES, BASE)


@pytest.mark.parametrize("kind", ["edges_first", "errors_first"])
def test_who_finds_more_gets_more_and_nobody_gets_nothing(kind: str) -> None:
    rounds = Rounds()
    for _ in range(5):
        shares = rounds.after(join={kind: 40})
        assert shares["join"] > BASE > shares["plain"] == shares["learn"] == shares["match"] >= LEAST * ALL
    assert shares["plain"] == int(LEAST * ALL)
    assert shares["join"] > 0.9 * ALL


def test_little_success_proves_little() -> None:
    shares = Rounds().after(join={"edges_first": 1})
    assert shares["join"] == 2 * shares["plain"]


def test_success_is_for_the_work_that_it_took() -> None:
    rounds = Rounds()
    rounds.shares = {**rounds.shares, "match": 2 * BASE}
    shares = rounds.after(plain={"edges_first": 10}, match={"edges_first": 10})
    assert shares["plain"] > shares["match"] > shares["join"] > shares["learn"] - 2


def test_who_had_no_success_returns_when_it_has_some() -> None:
    rounds = Rounds()
    for _ in range(5):
        rounds.after(join={"edges_first": 40})
    before = rounds.shares["learn"]
    for _ in range(3):
        rounds.after(learn={"edges_first": 4})
    assert rounds.shares["learn"] > max(rounds.shares["join"], 5 * before)


def test_where_nothing_new_comes_all_get_about_the_same_on_trial_and_more_whose_paths_end() -> None:
    rounds = Rounds()
    for _ in range(QUIET):
        rounds.after(match={"paths": 1000})
    assert all(each.work < TRIED for each in rounds.standings.values())
    others = dict.fromkeys(("plain", "join", "learn"), BASE * 4 * PROMISED)
    assert rounds.shares == {**others, "match": BASE * FASTEST}


def test_a_strategy_on_trial_takes_only_its_own_part() -> None:
    rounds = Rounds()
    for _ in range(12):
        rounds.after()
    late = [*rounds.standings.values(), Standing("prove", 1)]
    shares = rounds.quotas.next(late, BASE)
    assert shares["prove"] == BASE
    assert sum(shares.values()) == pytest.approx(5 * BASE, abs=5)


def test_what_the_first_strategy_finds_by_itself_is_no_merit_and_keeps_it_going() -> None:
    rounds = Rounds()
    for _ in range(3):
        assert rounds.after(plain={"edges_first": 40}) == dict.fromkeys(NAMES, BASE)
    for _ in range(9):
        shares = rounds.after(plain={"edges_first": 1})
    assert shares["plain"] > 0.8 * ALL


def test_the_strategy_that_nears_its_end_gets_most() -> None:
    rounds = Rounds()
    for _ in range(20):
        each = rounds.standings["match"]
        finished = min(each.work / 4_000_000, 1.0)
        rounds.standings["match"] = replace(each, progress=TreeProgress(finished, waiting=9))
        shares = rounds.after()
    assert shares["plain"] == int(LEAST_OF_FIRST * ALL)
    assert shares["match"] > 0.8 * (1 - LEAST_OF_FIRST) * ALL
    assert min(shares.values()) >= int(LEAST * ALL / 2)


def test_a_broad_search_whose_waiting_states_grow_more_slowly_is_expected_to_end() -> None:
    """In 10 s as many wait as in a parabola that comes back to none after 10 s."""
    prospects = Prospects()
    for tenths in range(1, 50):
        waiting = int(400 * (10 - tenths / 10) * (tenths / 10))
        finished = 0.5 + tenths / 1000  # large shares came first, so that their course sees no end
        progress = TreeProgress(finished, waiting, forks=1 + 4 * waiting)
        prospects.note([Standing(PLAIN, 1, tenths * 100_000, paths=waiting, progress=progress)])
        if tenths > 20:
            left = 10_000_000 - tenths * 100_000
            assert 0.9 * left < prospects.remaining(PLAIN) < 1.1 * left


def test_a_deep_search_is_not_judged_by_the_few_states_that_wait() -> None:
    prospects = Prospects()
    for tenths in range(1, 60):
        progress = TreeProgress(0.5, waiting=9, forks=200 * tenths)
        prospects.note([Standing(MATCH, 1, tenths * 100_000, progress=progress)])
    assert prospects.remaining(MATCH) > 50_000_000


COURSES = st.lists(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9999)), min_size=3, max_size=3), max_size=12)


@given(COURSES)
def test_the_first_strategy_keeps_its_part_whatever_the_others_promise(courses: list[list[tuple[float, int]]]) -> None:
    rounds = Rounds()
    while not all(each.work >= TRIED for each in rounds.standings.values()):
        rounds.after()
    for course in courses:
        for name, (finished, waiting) in zip(NAMES[1:], course, strict=True):
            each = rounds.standings[name]
            rounds.standings[name] = replace(each, progress=TreeProgress(finished, waiting))
        shares = rounds.after()
        assert shares[PLAIN] >= int(LEAST_OF_FIRST * ALL)
        assert sum(shares.values()) <= ALL + len(NAMES)


def test_paths_count_by_how_often_their_number_doubles() -> None:
    rounds = Rounds()
    for _ in range(QUIET):
        rounds.after()
    shares = rounds.after(plain={"paths": 8}, join={"paths": 1})
    assert shares["plain"] == shares["join"]  # from 8 to 16 and from 1 to 2


def test_each_kind_of_success_counts_the_same() -> None:
    shares = Rounds().after(plain={"edges_first": 10}, join={"errors_first": 10})
    assert shares["plain"] == shares["join"]


def test_who_has_left_has_no_share() -> None:
    rounds = Rounds()
    del rounds.standings["join"]
    assert [*rounds.after()] == ["plain", "learn", "match"]


def test_what_somebody_found_who_has_left_counts_no_more() -> None:
    shares = []
    for found in (0, 9):
        rounds = Rounds()
        rounds.after(match={"errors_first": found}, join={"edges_first": 4})
        del rounds.standings["match"]
        rounds.shares = dict.fromkeys(NAMES, BASE)
        shares.append(rounds.after(join={"edges_first": 4}))
    assert shares[0] == shares[1]
