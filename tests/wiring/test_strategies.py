"""Which strategies a run races: by name, by default, and none where an option is a strategy of its own."""

from __future__ import annotations

import pytest

from unfork.cli import main, parse
from unfork.errors import InputError
from unfork.option_rules import check
from unfork.options import STRATEGIES
from unfork.wiring.strategies import BUNDLES, RACE, as_strategy, strategies


def raced(*words: str) -> list[str]:
    return [name for name, _ in strategies(parse(["a.c", *words])[1])]


def test_every_bundle_is_a_choice_of_options_that_goes_together() -> None:
    assert tuple(BUNDLES) == STRATEGIES
    for name in STRATEGIES:
        options = as_strategy(parse(["a.c"])[1], name)
        check(options)
        assert all(options.is_given(field) for field in BUNDLES[name].options)


def test_nothing_said_is_a_race() -> None:
    assert tuple(raced()) == RACE
    assert tuple(raced("--max-time", "5", "--sym-stdin", "3")) == RACE
    assert raced("--strategy", "join,learn") == ["join", "learn"]
    assert raced("--strategy", "count") == ["count"]


@pytest.mark.parametrize(
    "words",
    [
        ("--merge", "dynamic"),
        ("--search", "dfs"),
        ("--prune", "subsume"),
        ("--similar", "always"),
        ("--count-paths",),
        ("--tests", "paths"),
        ("--all-errors",),
    ],
)
def test_what_chooses_a_strategy_is_taken_as_it_is(words: tuple[str, ...]) -> None:
    assert raced(*words) == [""]


def test_a_strategy_that_does_not_go_with_other_options_stays_away() -> None:
    assert raced("--check", "memory,nontermination") == ["plain", "join"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--strategy", "fast"), "'fast' is none of"),
        (("--strategy", "auto,join"), "auto stands alone"),
        (("--strategy", "join,join"), "twice"),
        (("--strategy", "join", "--merge", "none"), "--merge"),
        (("--strategy", "join,plain", "--audit"), "only one goes with --audit"),
        (("--strategy", "join,plain", "--tests", "paths"), "only one goes with --tests"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check(parse(["a.c", *words])[1])


def test_the_command_lists_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{name}\n" in printed for name in STRATEGIES)
