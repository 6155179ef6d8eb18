"""unfork show --states: the states that come to each statement, with C names and guarded values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.cli import main
from unfork.commands.run import show_states as statement_states
from unfork.commands.run.show_states import states
from unfork.errors import InputError

TWICE = """#include <unfork.h>
int total;
static int twice(int k) {
    int i;
    if (k > 0)
        i = 2 * k;
    else
        i = 42;
    total += i;
    return i;
}
int main(void) {
    int k;
    unfork_symbolic(&k, sizeof k, "k");
    return twice(k);
}
"""
LOOP = """#include <unfork.h>
int main(void) {
    unsigned char n;
    unfork_symbolic(&n, 1, "n");
    int sum = 0;
    for (unsigned i = 0; i < n && i < 2; i++)
        sum += 5;
    return sum;
}
"""
ENDED = "all states of this exploration are here"


def shown(tmp_path: Path, text: str, place: str | None, strategy: str | None, *words: str) -> list[str]:
    explore(written(text, tmp_path), tmp_path / "run", *words)
    return [line.replace(f"{tmp_path}/", "") for line in states(tmp_path / "run", place, strategy)]


def test_each_path_has_its_state(tmp_path: Path) -> None:
    assert shown(tmp_path, TWICE, "program.c:9", None) == [
        "program.c:9 in twice: 2 states",
        "  ({k < 1}, [i -> 42])",
        "  ({k >= 1}, [i -> k << 1])",
        "",
        ENDED,
    ]


def test_a_joined_state_has_guarded_values(tmp_path: Path) -> None:
    lines = shown(tmp_path, TWICE, "program.c:10", "join")
    assert lines[0] == "program.c:10 in twice: 1 state"
    value = "{(42 | k < 1), (k << 1 | k >= 1)}"
    assert lines[1] == f"  ({{}}, [i -> {value}, total -> {value}])  of 2 paths"


def test_a_run_that_joins_is_explored_so_again(tmp_path: Path) -> None:
    lines = shown(tmp_path, TWICE, "program.c:9", None, "--strategy", "join")
    assert lines[1] == "  ({}, [i -> {(42 | k < 1), (k << 1 | k >= 1)}])  of 2 paths"


def test_all_statements_come_by_line(tmp_path: Path) -> None:
    lines = shown(tmp_path, TWICE, None, None, "--optimize", "0")
    heads = [line.partition(":")[2].partition(":")[0] for line in lines if line.startswith("program.c")]
    assert heads == ["5 in twice", "6 in twice", "8 in twice", "9 in twice", "10 in twice", "14 in main", "15 in main"]
    assert "  ({k < 1}, [k -> k])" in lines


def test_each_turn_of_a_loop_comes_to_its_statements(tmp_path: Path) -> None:
    lines = shown(tmp_path, LOOP, "program.c:7", None, "--optimize", "0", "--loops", "run")
    assert lines[0] == "program.c:7 in main: 2 states"
    assert [line.partition("[")[2] for line in lines[1:3]] == [
        "i -> 0, n -> n, sum -> 0])",
        "i -> 1, n -> n, sum -> 5])",
    ]


def test_a_joined_state_keeps_what_its_parents_share(tmp_path: Path) -> None:
    text = """#include <unfork.h>
int main(void) {
    int i, j = 0;
    unfork_symbolic(&i, sizeof i, "i");
    unfork_assume(i < 100);
    if (i > 0)
        j = i - 1;
    else
        j = i;
    return j;
}
"""
    lines = shown(tmp_path, text, "program.c:10", "join", "--optimize", "0")
    assert lines[1].startswith("  ({i < 100}, [i -> i, j -> {(i | i < 1), (i - 1 | i >= 1)}])")


def test_what_a_run_was_started_with_is_used_again(tmp_path: Path) -> None:
    text = "int main(int c, char **v) {\n    int n = v[1][0];\n    return n == 'x';\n}\n"
    lines = shown(tmp_path, text, "program.c:3", None, "--optimize", "0", "--sym-arg", "1")
    assert lines[0] == "program.c:3 in main: 1 state"
    assert "n -> sext32(arg00[0])" in lines[1]


def test_there_are_not_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statement_states, "MOST_STATES", 3)
    monkeypatch.setattr(statement_states, "MOST_SHOWN", 1)
    lines = shown(tmp_path, TWICE, None, None, "--optimize", "0")
    assert sum(int(line.rpartition(": ")[2].split()[0]) for line in lines if line.startswith("program.c")) == 3
    assert "states are here; FILE:LINE" in lines[-1]


def test_a_limit_of_the_run_holds_here_too(tmp_path: Path) -> None:
    lines = shown(tmp_path, LOOP.replace("i < 2", "i < 200"), None, None, "--max-forks", "3", "--loops", "run")
    assert lines[-1] == "max-forks has ended this exploration: there may be more states"


def test_the_command_takes_a_place_behind_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown(tmp_path, TWICE, None, None)
    run = str(tmp_path / "run")
    assert main(["show", run, "--states", "program.c:9"]) == 0
    at_line = capsys.readouterr().out
    assert at_line.splitlines()[1] == "  ({k < 1}, [i -> 42])"
    assert main(["show", "--states", run]) == 0
    assert "program.c:15 in main" in capsys.readouterr().out
    assert main(["show", "--states", run, "program.c:9"]) == 0
    assert capsys.readouterr().out == at_line
    assert main(["show", run, "--states", "program.c"]) == 2
    assert main(["show", run, "--states", "program.c:9", "--strategy", "none"]) == 2


def test_a_line_without_statements_says_so(tmp_path: Path) -> None:
    assert shown(tmp_path, TWICE, "program.c:2", None)[0] == "no state came to a statement at program.c:2"


def test_an_earlier_run_is_refused(tmp_path: Path) -> None:
    shown(tmp_path, TWICE, None, None)
    summary = tmp_path / "run" / "summary.json"
    summary.write_text(summary.read_text().replace('"arguments"', '"argument"'))
    with pytest.raises(InputError, match="earlier version"):
        states(tmp_path / "run", None, None)


def test_the_example_of_the_first_paper(tmp_path: Path) -> None:
    """Pluggabl prints ({}, [l2 -> {(mulInt(l1,l1) | !((l1)==(42))), (17 | (l1)==(42))}])."""
    text = """#include <unfork.h>
int main(void) {
    int l1, l2;
    unfork_symbolic(&l1, sizeof l1, "l1");
    if (l1 == 42)
        l2 = 17;
    else
        l2 = l1 * l1;
    return l2;
}
"""
    lines = shown(tmp_path, text, "program.c:9", "join")
    assert lines[1] == "  ({}, [l2 -> {(17 | l1 == 42), (l1 * l1 | l1 != 42)}])  of 2 paths"
