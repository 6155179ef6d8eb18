"""Whoever comes further with its work gets more of the next round, and everybody gets something."""

from __future__ import annotations

from dataclasses import replace

from unfork.race.messages import Standing
from unfork.race.race import LEAST, MOST, Quotas

BASE = 100_000
PLAIN, JOIN, LEARN, MATCH = NAMES = ("plain", "join", "learn", "match")
BEGUN = [Standing("plain", 1, 400_000, paths=7, edges_first=20), *[Standing(name, 1) for name in NAMES[1:]]]
WORKED = [replace(each, work=each.work + BASE) for each in BEGUN]


def after_a_round(*standings: Standing) -> dict[str, int]:
    """The quotas of the round that follows one which came to ``standings``."""
    quotas = Quotas()
    quotas.next(BEGUN, BASE)
    return quotas.next(standings, BASE)


def test_what_came_before_the_first_round_is_no_success() -> None:
    assert Quotas().next(BEGUN, BASE) == dict.fromkeys(NAMES, BASE)


def test_where_nobody_has_success_all_get_the_same() -> None:
    assert after_a_round(*WORKED) == dict.fromkeys(NAMES, BASE)


def test_who_covers_finds_or_ends_gets_more_and_nobody_gets_nothing() -> None:
    plain, join, *others = WORKED
    for better in (
        replace(join, edges_first=1),
        replace(join, errors_first=1),
        replace(join, paths=2**100),
    ):
        quotas = after_a_round(plain, better, *others)
        assert quotas == {"plain": BASE * LEAST, "join": BASE * MOST, "learn": BASE * LEAST, "match": BASE * LEAST}


def test_success_is_for_the_work_that_it_took() -> None:
    plain, join, learn, match = WORKED
    quick, slow = replace(learn, edges_first=13), replace(match, edges_first=18, work=2 * match.work)
    ours = replace(plain, edges_first=plain.edges_first + 10)
    quotas = after_a_round(ours, replace(join, edges_first=10), quick, slow)
    assert quotas["learn"] > quotas["plain"] == quotas["join"] > quotas["match"] > BASE * LEAST


def test_each_kind_of_success_counts_the_same() -> None:
    plain, join, *others = WORKED
    quotas = after_a_round(replace(plain, edges_first=plain.edges_first + 100), replace(join, errors_first=1), *others)
    assert quotas["plain"] == quotas["join"]


def test_paths_count_by_how_often_their_number_doubles() -> None:
    plain, join, *others = WORKED
    quotas = after_a_round(replace(plain, paths=15), replace(join, paths=1), *others)
    assert quotas["plain"] == quotas["join"]  # from 8 to 16 and from 1 to 2


def test_who_has_left_has_no_share() -> None:
    assert [*after_a_round(WORKED[0], WORKED[2])] == ["plain", "learn"]
