from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.errors import InputError
from unfork.world.inputs.command import (
    PLAIN,
    CommandLine,
    EnvironmentVariable,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    Word,
    check,
    check_names,
    concrete,
    klee_words,
    read,
    seed_files,
    variable,
    with_files,
    with_variables,
)
from unfork.world.inputs.file_of_test import from_json, to_json
from unfork.world.inputs.testcase import of_inputs

words = st.one_of(
    st.sampled_from(["", "-n", "x", "sym-arg", "---sym-arg"]),
    st.builds(SymbolicArgument, st.integers(0, 9)),
    st.builds(lambda least, more, length: SymbolicArguments(least, least + more, length), *[st.integers(0, 3)] * 3),
)
commands = st.builds(
    CommandLine,
    st.lists(words, max_size=3).map(tuple),
    st.one_of(st.none(), st.integers(0, 9)),
    files=st.tuples(st.integers(1, 3), st.integers(0, 9)),
    symbolic_stdout=st.booleans(),
    failures=st.integers(0, 3),
    environment=st.lists(
        st.builds(SymbolicVariable, st.sampled_from(["A", "TOWN", "a b", "\udcff"]), st.integers(0, 9)),
        unique_by=lambda each: each.name,
    ).map(tuple),
    named=st.dictionaries(st.sampled_from(["etc/town", "/etc/x", "\udcff"]), st.integers(0, 9)).map(
        lambda sizes: tuple(sizes.items())
    ),
)


def test_words_keep_their_order_in_either_spelling() -> None:
    made = read(["-n", "--sym-args", "0", "2", "3", "x", "-sym-arg", "1", "--", "--sym-stdout"], PLAIN)
    assert made.words == ("-n", SymbolicArguments(0, 2, 3), "x", SymbolicArgument(1), "--")
    assert made.symbolic_stdout


def test_klees_other_words() -> None:
    made = read("--sym-files 2 8 -sym-stdin 4 --max-fail 3".split(), PLAIN)
    assert made == CommandLine((), 4, files=(2, 8), failures=3)
    assert made.file_names() == ["A", "B"]
    assert read(["-fd-fail"], PLAIN).failures == 1


@given(commands)
def test_klees_words_say_the_same_command(command: CommandLine) -> None:
    assert read(klee_words(command), PLAIN) == command


@given(commands)
def test_a_tests_file_says_the_same_command(command: CommandLine) -> None:
    test = of_inputs(("a.c",), (), None, (), command, None)
    assert from_json(to_json(test), "t").command == command


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("--sym-arg", "--sym-arg needs LEN"),
        ("--sym-args 0 1", "--sym-args needs MIN MAX LEN"),
        ("-sym-files 1", "-sym-files needs COUNT SIZE"),
        ("--sym-arg -1", "'-1' is not a number that is at least 0"),
        ("--sym-arg x", "'x' is not a number"),
        ("--sym-arg 1.5", "'1.5' is not a number"),
        ("--sym-arg 99999999999999999999", "is too large"),
        ("--sym-arg 70000", "at most 65536 bytes"),
        ("--sym-args 3 2 1", "MIN is 3, more than MAX, which is 2"),
        ("--sym-args 0 101 1", "at most 100 symbolic arguments"),
        ("--sym-args 0 40 1 --sym-args 0 40 1", "1681 combinations"),
        ("--sym-files 27 1", "at most 26 symbolic files"),
        ("--sym-files 1 9999999", "at most 1048576 bytes"),
        ("--sym-stdin 9999999", "at most 1048576 bytes"),
        ("--sym-stdin 1 --sym-stdin 2", "--sym-stdin is given twice"),
        ("--max-fail 2 --fd-fail", "--fd-fail is given twice"),
        ("--max-fail 5000", "at most 1000 failures"),
        ("--sym-streams 1 2", "is not supported"),
        ("--sym-env A", "--sym-env needs NAME LEN"),
        ("--sym-env A x", "'x' is not a number"),
        ("--sym-env A=B 1", "no name of a variable"),
        ("--sym-env A 1 --sym-env A 2", "the variable A is given twice"),
        ("--sym-env A 70000", "at most 65536 bytes"),
        (" ".join(f"--sym-env V{number} 1" for number in range(33)), "at most 32 symbolic variables"),
        ("--sym-file etc/ 1", "no name of a file"),
        ("--sym-file x 1 --sym-file ./x 1", "the file x is given twice"),
        ("--sym-file x 9999999", "at most 1048576 bytes"),
    ],
)
def test_words_that_make_no_sense(given: str, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        read(given.split(), PLAIN)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_becomes_of_the_words() -> None:
    made: tuple[Word, ...] = ("a", SymbolicArguments(0, 2, 2), "b", SymbolicArgument(1), SymbolicArguments(1, 1, 1))
    values = [b"\1\0\0\0", b"x\0\0", b"\xff\0", b"y\7"]
    assert concrete(made, values) == ("a", "x", "b", "\udcff", "y")
    assert concrete(made, [b"\2\0\0\0", b"xyz", b"\0zz", b"\0\0", b"q\0"]) == ("a", "xy", "", "b", "", "q")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("seed", "say HOST_PATH=GUEST_PATH"),
        ("=x", "say HOST_PATH=GUEST_PATH"),
        ("seed=", "say HOST_PATH=GUEST_PATH"),
        ("none=x", "none: No such file or directory"),
        (".=x", ". is a directory"),
        ("seed=a/", "is no name of a file"),
        ("seed=..", "is no name of a file"),
        ("seed=a/../b", "is no name of a file"),
        ("seed=.", "is no name of a file"),
        ("seed=" + "n" * 256, "is no name of a file"),
        ("seed=/dev/null", "the modelled devices alone"),
    ],
)
def test_seed_files_that_cannot_be(given: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seed").write_bytes(b"data")
    with pytest.raises(InputError) as refused:
        seed_files([given], PLAIN)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_seed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "a=b").write_bytes(b"\0\1")
    made = seed_files([f"{tmp_path}/a=b=./dir//name"], PLAIN)
    assert made.seeds == (("dir/name", b"\0\1"),)
    with pytest.raises(InputError, match="given twice"):
        seed_files([f"{tmp_path}/a=b=x", f"{tmp_path}/a=b=./x"], PLAIN)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["A"], "a symbolic file too"),
        (["/home/user/A"], "a symbolic file too"),
        (["a", "a/b"], "a directory too"),
        (["/home"], "a directory too"),
        (["/tmp"], "a directory too"),
    ],
)
def test_files_in_each_others_way(names: list[str], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check_names(CommandLine(files=(1, 1), seeds=tuple((name, b"") for name in names)))


def test_commands_of_scripts_are_checked_too() -> None:
    with pytest.raises(InputError, match="--sym-args"):
        check(CommandLine((SymbolicArguments(2, 1, 1),)), "--sym-args")


def test_variables_with_values() -> None:
    made = with_variables(PLAIN, [variable("A=b=c"), variable("B=")])
    assert made.environment == (EnvironmentVariable("A", b"b=c"), EnvironmentVariable("B", b""))
    assert read(klee_words(made), PLAIN).environment == (SymbolicVariable("A", 3), SymbolicVariable("B", 0))
    for word, reason in (("A", "say NAME=VALUE"), ("=x", "no name of a variable"), ("A=\0", "ends at a null byte")):
        with pytest.raises(InputError, match=reason):
            with_variables(PLAIN, [variable(word)])


@pytest.mark.parametrize("name", ["A", "home", "/tmp", "etc/town/more"])
def test_named_files_in_the_way(name: str) -> None:
    command = with_files(CommandLine(files=(1, 1), seeds=(("etc/town", b""), ("home/x", b""))), [(name, 1)])
    with pytest.raises(InputError, match=r"is one of --sym-files too|is a directory too"):
        check_names(command)
