from __future__ import annotations

import re

import pytest

from unfork.cli import main, parse
from unfork.cli.manual import options_page
from unfork.errors import InputError
from unfork.options.option_rules import check, from_dict
from unfork.options.options import DEFAULTS, DESCRIPTIONS, VERSION, Options, as_dict, flag_of


def options_of(*words: str) -> Options:
    return parse(words)[1]


def test_an_option_takes_the_next_word_whatever_it_begins_with() -> None:
    assert options_of("--cflags", "-DMAX=30").cflags == "-DMAX=30"
    assert options_of("--cflags", "").cflags == ""
    assert options_of("--cflags", "--").cflags == "--"
    assert options_of("--cflags=-O1 -g").cflags == "-O1 -g"


def test_everything_after_two_dashes_is_the_programs() -> None:
    files, options, arguments = parse(["a.c", "--seed", "3", "--", "-n", "--seed", "4", "--"])
    assert (files, options.seed, arguments) == (["a.c"], 3, ["-n", "--seed", "4", "--"])


def test_options_that_repeat_add_up() -> None:
    options = options_of("-I", "a", "-Ib", "-DX=1", "-D", "Y")
    assert options.include == ("a", "b")
    assert options.define == ("X=1", "Y")


def test_what_was_given_is_known_even_if_it_is_the_default() -> None:
    assert options_of("--max-size", "4096").is_given("max_size")
    assert not options_of().is_given("max_size")


def test_a_number_may_be_left_out() -> None:
    for words, port, files in (
        ("a.c --serve", 0, ["a.c"]),
        ("--serve 8080 a.c", 8080, ["a.c"]),
        ("--serve a.c", 0, ["a.c"]),
    ):
        given = parse(words.split())
        assert (given[0], given[1].serve) == (files, port)
    assert parse(["--serve", "--", "--serve", "a"])[2] == ["--serve", "a"]
    with pytest.raises(InputError, match="--serve"):
        parse(["--serve", "70000"])


def test_lists() -> None:
    assert options_of("--search", "dfs, bfs,target:a:b.c:7").search == ("dfs", "bfs", "target:a:b.c:7")
    assert options_of("--check", "").check == ()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--sed 1", "--seed"),
        ("-x", "-x"),
        ("--seed", "'--seed' requires an argument"),
        ("--seed x", "'x' is not a whole number"),
        ("--seed -1", "must be at least 0"),
        ("--seed 1.5", "not a whole number"),
        ("--max-time nan", "must be a positive number of seconds"),
        ("--max-time inf", "must be a positive number of seconds"),
        ("--max-time 0", "must be a positive number of seconds"),
        ("--max-time -3", "must be a positive number of seconds"),
        ("--max-memory 0", "must be at least 50"),
        ("--max-forks 0", "must be at least 1"),
        ("--max-instructions -5", "must be at least 1"),
        ("--max-tests 0", "must be at least 1"),
        ("--max-size 0", "must be at least 1"),
        ("--search fastest", "'fastest' is none of"),
        ("--search ,", "'' is none of"),
        ("--search target:a.c", "none of"),
        ("--search target:a.c:0", "none of"),
        ("--check memory,typos", "'typos' is none of"),
        ("--formats json,doc", "'doc' is none of"),
        ("--solver yices", "'yices' is none of"),
        ("--quiet=1", "'--quiet' does not take a value"),
        ("--sym-args 1 2", "'--sym-args' requires 3 arguments"),
        ("--max-tme 3", "--max-time"),
        ("--max_time 3", "--max-time"),
        ("--search dfss", "(did you mean dfs?)"),
        ("--search random", "(did you mean random-path?)"),
        ("--check memory,overfow", "(did you mean overflow?)"),
        ("--merge Dynamic", "(did you mean dynamic?)"),
        ("--join sumary", "(did you mean summary?)"),
        ("--abstract lists", "(did you mean list?)"),
        ("--max-time soon", "'soon' is not a number, as 90, 90s or 2min is"),
        ("--max-time 10x", "'10x' is not a number"),
        ("--max-time s", "'s' is not a number"),
        ("--max-time -2min", "must be a positive number of seconds"),
        ("--max-memory much", "'much' is not a number, as 64MB or 4GB is"),
        ("--max-memory 1KB", "must be at least 50"),
    ],
)
def test_words_that_make_no_sense(words: str, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(words.split(" "))
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("word", "seconds"),
    [("10", 10), ("10s", 10), ("1.5s", 1.5), ("2min", 120), ("2m", 120), ("1h", 3600), ("500ms", 0.5), ("1e2", 100)],
)
def test_times_may_have_a_unit(word: str, seconds: float) -> None:
    assert options_of("--max-time", word).max_time == seconds
    assert options_of("--solver-timeout", word.upper()).solver_timeout == seconds


@pytest.mark.parametrize(
    ("word", "megabytes"),
    [("500", 500), ("500MB", 500), ("4GB", 4096), ("4g", 4096), ("1.5GiB", 1536), ("1tb", 1 << 20), ("51201KB", 51)],
)
def test_sizes_may_have_a_unit(word: str, megabytes: int) -> None:
    assert options_of("--max-memory", word).max_memory == megabytes
    assert options_of("--max-size", "64").max_size == 64
    assert options_of("--max-size", "64kB").max_size == 64 << 10


def test_help_has_each_section_once_and_says_what_its_notes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    sections = [line for line in lines if line.endswith(":") and not line.startswith(" ") and " " not in line[:-1]]
    assert "Limits:" in sections
    assert len(sections) == len(set(sections))
    for note in ("exact", "over", "under"):
        assert any(line.startswith(f"  {note}: ") for line in lines)


def test_near_misses_of_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for words, meant in (
        (["prog.c"], "unfork run prog.c"),
        (["reply"], "replay"),
        (["cache", "claer"], "clear"),
        (["replay", "run", "--nativ"], "'--native'"),
        (["report", "run", "--ope"], "'--open'"),
    ):
        assert main(words) == 2
        assert f"did you mean {meant}?" in capsys.readouterr().err.replace("Did", "did")


def test_parameters_of_query_count_estimation_have_bounds() -> None:
    check(options_of("--qce", "0.5", "0.6", "1", "1"))
    for words in ("-1 0.8 10 1", "1 1.5 10 1", "1 0.8 0 1", "1 0.8 10 0.5"):
        with pytest.raises(InputError, match="--qce"):
            check(options_of("--qce", *words.split()))


def test_values_given_by_scripts_are_checked_too() -> None:
    for bad in (Options(max_time=float("nan")), Options(seed=-1), Options(optimize=2), Options(max_forks=0)):
        with pytest.raises(InputError):
            check(bad)


def test_options_survive_the_summary() -> None:
    options = options_of("--search", "dfs,bfs", "-I", "x", "--max-time", "2", "--check", "div")
    again = from_dict(as_dict(options))
    assert again == Options(search=("dfs", "bfs"), include=("x",), max_time=2.0, check=("div",))


def test_help_and_documentation_name_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    text = capsys.readouterr().out
    together = "".join(text.split())
    for name, description in DESCRIPTIONS.items():
        assert flag_of(name) in text
        assert f"`{flag_of(name)}" in options_page()
        assert "".join(description.meaning.split()) in together
    assert set(DEFAULTS) == {*DESCRIPTIONS, "given"}


def test_version_and_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    first, commit, parts, _ = capsys.readouterr().out.splitlines()
    assert first == f"unfork {VERSION}"
    assert re.fullmatch(r"commit ([0-9a-f]{40,}|unknown)", commit)
    assert re.fullmatch(r"bitwuzla [\d.]+, z3-solver [\d.]+, llvmlite [\d.]+, ziglang [\d.]+", parts)
    assert main([]) == 2
    assert main(["--help"]) == 0
    assert main(["rnu"]) == 2
    assert "did you mean run?" in capsys.readouterr().err
    for command in ("replay", "show"):
        assert main([command, "--help"]) == 0
