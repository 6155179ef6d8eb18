"""Which strategies a run races: by name, by default, and none where an option is a strategy of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unfork.cli import main, parse
from unfork.commands.assemble.raced_strategies import RACE, as_strategy, strategies
from unfork.errors import InputError
from unfork.options.option_rules import check, complete, from_dict
from unfork.options.options import ABSTRACTIONS, DESCRIPTIONS, INFERRED, SEARCHERS, STRATEGIES, Options, as_dict
from unfork.options.strategies import BUNDLES, JOINING, PRUNING, presets


def raced(*words: str) -> list[str]:
    return [name for name, _ in strategies(parse(["a.c", *words])[1])]


def alone(*words: str) -> dict[str, object]:
    """The parts of the one strategy that ``words`` come to."""
    options = parse(["a.c", *words])[1]
    check(options)
    ((_, chosen),) = strategies(options)
    return parts_of(chosen)


def parts_of(options: Options) -> dict[str, object]:
    return {part: getattr(options, part) for part in (*PRUNING, *JOINING, "abstract", "hard")}


def test_every_bundle_is_a_choice_of_options_that_goes_together() -> None:
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


JOINED = {"similar": "qce", "join": "summary"}
PLAIN = {"search": ("coverage",), "prune": "none", "merge": "none", "abstract": "none", "hard": "wait", **JOINED}
DYNAMIC = PLAIN | {"merge": "dynamic"}
STATIC = PLAIN | {"merge": "static", "similar": "always"}
LEARN = PLAIN | {"search": ("dfs",), "prune": "interpolate"}
MATCH = PLAIN | {"search": ("dfs",), "prune": "subsume"}
NAMED: dict[str, dict[str, object]] = {
    "--prune interpolate": LEARN,
    "--prune subsume": MATCH,
    "--prune none": PLAIN,
    "--merge static": STATIC,
    "--merge dynamic": DYNAMIC,
    "--similar always": STATIC,
    "--similar qce": DYNAMIC,
    "--similar live": DYNAMIC | {"similar": "live"},
    **{f"--merge {schedule}": PLAIN | {"merge": schedule} for schedule in ("none", "all", "marked", "function")},
    **{f"--join {how}": DYNAMIC | {"join": how} for how in ("summary", "ite", "havoc", "abstract:sign", INFERRED)},
    **{f"--search {order}": PLAIN | {"search": (order,)} for order in SEARCHERS},
    **{f"--abstract {shape}": MATCH | {"abstract": shape} for shape in (*ABSTRACTIONS, "tree:3")},
    "--hard wait": PLAIN,
    "--hard sample": PLAIN | {"hard": "sample"},
    "--hard sample --search dfs": PLAIN | {"hard": "sample", "search": ("dfs",)},
    "--interpolants wp": LEARN,
    "--qce 0 1 1 1": DYNAMIC,
    "--delta 3": DYNAMIC,
    "--loops abstract": DYNAMIC,
    "--audit": DYNAMIC,
    "--prune interpolate --audit": LEARN,
    "--prune interpolate --search bfs": LEARN | {"search": ("bfs",)},
    "--prune interpolate --merge dynamic": LEARN | {"merge": "dynamic"},
    "--prune interpolate --merge static": LEARN | {"merge": "static", "similar": "always"},
    "--prune subsume --similar always": MATCH | {"merge": "static", "similar": "always"},
    "--prune subsume --join ite": MATCH | {"merge": "dynamic", "join": "ite"},
    "--merge dynamic --similar always": DYNAMIC | {"similar": "always"},
    "--merge static --qce 0 1 1 1": STATIC | {"similar": "qce"},
    "--merge none --similar always": PLAIN | {"similar": "always"},
    "--search dfs --merge static": STATIC | {"search": ("dfs",)},
    "--search dfs --audit": PLAIN | {"search": ("dfs",)},
}
"""What the parts of a strategy come to when some are named."""


WITH_VALUE = {
    "--interpolants": "--interpolants wp",
    "--abstract": "--abstract list",
    "--search": "--search bfs",
    "--qce": "--qce 0 1 1 1",
    "--delta": "--delta 3",
    "any other value of --merge, --similar or --join": "--join ite",
}
"""Options of the table of presets that stand there without a value."""


@pytest.mark.parametrize("words", NAMED)
def test_named_options_choose_a_preset_and_override_it(words: str) -> None:
    assert alone(*words.split()) == NAMED[words]


@pytest.mark.parametrize("words", NAMED)
def test_options_that_were_completed_and_kept_come_to_the_same(words: str) -> None:
    options = parse(["a.c", *words.split()])[1]
    chosen = complete(options)
    again = complete(replace(from_dict(as_dict(chosen)), given=options.given))
    assert parts_of(again) == parts_of(chosen)


def test_every_value_that_can_be_named_is_looked_at() -> None:
    for part in ("search", "merge", "similar", "prune", "hard"):
        values = DESCRIPTIONS[part].kind.words[0].split("|")
        assert {f"--{part} {value}" for value in values if not value.startswith("target:")} <= NAMED.keys()


@pytest.mark.parametrize(("named", "strategy"), [(each, name) for names, name in presets() for each in names])
def test_an_option_that_is_named_alone_chooses_the_preset_that_the_manual_says(named: str, strategy: str) -> None:
    words = WITH_VALUE.get(named, named).split()
    overridden = {words[0].removeprefix("--")}
    bundle = BUNDLES[strategy].options
    assert {part: alone(*words)[part] for part in bundle.keys() - overridden} == {
        part: value for part, value in bundle.items() if part not in overridden
    }


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--interpolants wp --prune subsume", "needs --prune interpolate"),
        ("--abstract list --prune none", "needs --prune subsume"),
        ("--abstract list --interpolants wp", "needs --prune subsume"),
        ("--abstract list --check nontermination", "nontermination needs --prune none"),
        ("--prune interpolate --join havoc", "needs joins that are exact"),
    ],
)
def test_what_is_brought_must_go_with_what_is_named(words: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check(parse(["a.c", *words.split()])[1])


def test_a_strategy_that_does_not_go_with_other_options_stays_away() -> None:
    assert raced("--check", "memory,nontermination") == ["plain", "join", "sample"]
    assert raced("--loops", "run") == [name for name in RACE if name != "prove"]
    assert raced("--unwind", "3") == [name for name in RACE if name != "prove"]


OVERRIDDEN: dict[str, dict[str, object]] = {
    "--strategy learn --search bfs": LEARN | {"search": ("bfs",)},
    "--strategy learn --interpolants wp": LEARN,
    "--strategy match --abstract list": MATCH | {"abstract": "list"},
    "--strategy plain --merge static": PLAIN | {"merge": "static"},
    "--strategy join --similar qce": STATIC | {"similar": "qce"},
    "--strategy join --merge none": STATIC | {"merge": "none"},
    "--strategy plain --interpolants wp": PLAIN | {"prune": "interpolate"},
    "--strategy sample --hard wait": PLAIN,
}


@pytest.mark.parametrize("words", OVERRIDDEN)
def test_named_options_override_the_preset_of_a_named_strategy(words: str) -> None:
    assert alone(*words.split()) == OVERRIDDEN[words]


def test_named_options_override_each_strategy_of_a_race() -> None:
    chosen = dict(strategies(parse(["a.c", "--strategy", "join,learn", "--search", "random-path"])[1]))
    assert {name: options.search for name, options in chosen.items()} == {
        "join": ("random-path",),
        "learn": ("random-path",),
    }


def test_a_run_whose_options_override_a_strategy_is_read_back() -> None:
    options = parse(["a.c", "--strategy", "match", "--prune", "none", "--check", "memory,nontermination"])[1]
    check(options)
    assert from_dict(as_dict(options)).strategy == ("match",)


def test_a_strategy_that_is_not_exact_leads_no_race() -> None:
    assert raced("--strategy", "prove,plain") == ["plain", "prove"]
    assert raced("--strategy", "prove") == ["prove"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--strategy", "fast"), "'fast' is none of"),
        (("--strategy", "auto,join"), "auto stands alone"),
        (("--strategy", "join,join"), "twice"),
        (("--strategy", "auto", "--merge", "none"), "auto goes without --merge"),
        (("--strategy", "auto", "--interpolants", "wp"), "auto goes without --interpolants"),
        (("--strategy", "match", "--join", "havoc", "--merge", "static", "--prune", "interpolate"), "exact"),
        (("--strategy", "plain,sample", "--merge", "static"), "sample needs --merge none"),
        (("--strategy", "join,plain", "--audit"), "only one goes with --audit"),
        (("--strategy", "join,plain", "--tests", "paths"), "only one goes with --tests"),
        (("--strategy", "join,prove", "--loops", "run"), "prove goes without --loops"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check(parse(["a.c", *words])[1])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--strategy", "match", "--check", "memory,nontermination"), "nontermination needs --prune none"),
        (("--strategy", "plain,prove", "--unwind", "3"), "abstract goes without --unwind"),
    ],
)
def test_a_strategy_that_is_named_must_go_with_the_other_options(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        raced(*words)


def test_the_command_lists_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{name}\n" in printed for name in STRATEGIES)
