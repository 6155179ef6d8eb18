"""What a run did not reach: the branch sides and functions, what stands before them, and since when nothing is new."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.report.page.pages import data_of
from tests.support.runs import explore, written
from unfork.cli import main
from unfork.commands.afterwards.export import open_exploration
from unfork.report.record import why
from unfork.report.record.unreached import Hindrance, Obstacle, Unreached

# x < 5 contradicts x > 10, and two branches of `behind` come after it; debug is never set;
# `callback` is in a table that nobody calls; nothing calls `unused`, which calls `deeper`.
CONTRADICTORY = """
#include <unfork.h>
static int behind(int y) { if (y == 7) return 3; if (y == 9) return 5; return 4; }
static int callback(int x) { return x > 3 ? 1 : 0; }
int (*table[1])(int) = { callback };
int debug;
static int deeper(int x) { return x > 1 ? 2 : 3; }
int unused(int x) { return deeper(x) + deeper(x + 1); }
int main(void) {
    unsigned x, y;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    if (x > 10) {
        if (x < 5)
            return behind(y);
    }
    if (debug)
        return 9;
    return 0;
}
"""
# A prime is no product, which no solver proves in a tenth of a second; a branch comes after it.
HARD = """
#include <unfork.h>
static volatile int sink;
int main(void) {
    unsigned long long x, y;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    if (x < 2 || y < 2 || x >> 32 || y >> 32)
        return 0;
    if (x * y == 9223372036854775783ULL) {
        if (y == 3)
            sink = 1;
        return 2;
    }
    return 3;
}
"""
# Every path stays in the loop of `stuck` as long as forks last, so none decides the branch after the call.
STUCK = """
#include <unfork.h>
static volatile int sink;
static __attribute__((noinline)) int stuck(void) {
    int sum = 0;
    for (int i = 0; i < 1000000; i++) {
        unsigned char c;
        unfork_symbolic(&c, 1, "c");
        if (c == 1)
            sum++;
    }
    return sum;
}
int main(void) {
    if (stuck() == 3) {
        if (sink)
            sink = 1;
    }
    return 0;
}
"""
# Every path stays in the loop: the sum is too small to leave it.
ENDLESS = """
#include <unfork.h>
int main(void) {
    int sum = 0;
    for (;;) {
        unsigned char c;
        unfork_symbolic(&c, 1, "c");
        if (c == 1)
            sum++;
        if (c == 2 && sum > 1000000)
            break;
    }
    return sum > 5;
}
"""


def of(text: str, folder: Path, *words: str) -> Unreached:
    explore(written(text, folder), folder / "run", "--strategy", "plain", *words)
    return why.why(open_exploration(folder / "run")).unreached


def at_line(found: Unreached, line: int) -> Obstacle:
    (obstacle,) = [each for each in found.obstacles if each.edge is not None and each.at.line == line]
    return obstacle


def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["show", str(folder / "run"), "--why"]) == 0
    return capsys.readouterr().out


def test_a_contradiction_names_all_behind_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = of(CONTRADICTORY, tmp_path)
    contradiction = at_line(found, 14)
    assert (contradiction.hindrance, contradiction.answers.infeasible, contradiction.line) == ("infeasible", 1, 15)
    assert contradiction.behind == 1 + 4
    assert found.obstacles[0] is contradiction
    assert at_line(found, 17).hindrance is Hindrance.CONSTANT
    text = said(tmp_path, capsys)
    assert "program.c:14 in main, to line 15: asked 1 time, always infeasible\n                if (x < 5)\n" in text
    assert "program.c:17 in main, to line 18: never asked, since the condition was a constant each time\n" in text


def test_functions_say_who_calls_them_and_what_is_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = of(CONTRADICTORY, tmp_path)
    functions = {each.function: (each.callers, found.obstacles[each.obstacle]) for each in found.functions}
    assert functions.keys() == {"behind", "callback", "unused", "deeper"}
    assert functions["behind"] == (("main",), at_line(found, 14))
    assert functions["callback"][1].hindrance is Hindrance.POINTER
    assert functions["unused"][1].hindrance is Hindrance.UNCALLED
    assert functions["deeper"] == (("unused",), functions["unused"][1])
    text = said(tmp_path, capsys)
    assert "program.c:8)\n                nothing calls it\n" in text
    assert "program.c:4)\n                called through pointers only, and never so far\n" in text
    assert "program.c:3), called by main\n                behind " in text


def test_an_address_that_no_path_took_stands_behind_what_stands_before_it(tmp_path: Path) -> None:
    call = "{ int (*volatile chosen)(int) = behind; return chosen(y); }"
    found = of(CONTRADICTORY.replace("return behind(y);", call), tmp_path)
    (behind,) = [each for each in found.functions if each.function == "behind"]
    assert (behind.callers, found.obstacles[behind.obstacle].edge) == ((), at_line(found, 14).edge)


def test_each_side_that_was_not_taken_has_one_obstacle(tmp_path: Path) -> None:
    found = of(CONTRADICTORY, tmp_path)
    counts = open_exploration(tmp_path / "run").summary["coverage"]["branches"]
    assert len(found.sides) == counts["total"] - counts["covered"]
    assert sum(each.behind for each in found.obstacles) == len(found.sides)


def test_an_answer_that_did_not_come_is_no_contradiction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = of(HARD, tmp_path, "--solver-timeout", "0.1")
    hard = at_line(found, 10)
    assert (hard.hindrance, hard.answers.unknown, hard.behind) == (Hindrance.UNKNOWN, 1, 3)
    assert "asked 1 time, 0 infeasible, 1 without an answer in time" in said(tmp_path, capsys)


def test_a_branch_that_no_path_came_to_is_never_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = of(STUCK, tmp_path, "--max-forks", "40", "--search", "bfs")
    after = [each for each in found.obstacles if each.at.line == 15]
    assert {each.hindrance for each in after} == {Hindrance.UNDECIDED}
    assert sum(each.behind for each in after) == 2 + 2
    leaving = at_line(found, 6)
    assert (leaving.hindrance, leaving.behind) == (Hindrance.CONSTANT, 1)
    assert leaving.waiting > 1
    text = said(tmp_path, capsys)
    assert "program.c:15 in main, to line 16: never tried, since no path got as far\n" in text
    assert f"the condition was a constant each time; {leaving.waiting} states wait in the function\n" in text


def test_a_run_that_learns_nothing_more_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of(ENDLESS, tmp_path, "--max-forks", "60")
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as database:
        database.execute("DELETE FROM growth")
        database.execute("INSERT INTO growth VALUES (0, 4)")
        database.commit()
    text = said(tmp_path, capsys)
    assert "the last new branch came after 0.0 s; the " in text
    assert "100% of the run, brought none" in text
    assert "try more symbolic input" in text
    assert "nothing new for 100% of the run" in text


def test_names_cannot_write_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    renamed = CONTRADICTORY.replace(
        "static int behind(int y) {", 'static int behind(int) __asm__("\\033[31m<b>");\nstatic int behind(int y) {'
    )
    found = of(renamed.replace("if (x < 5)", "if (x < 5) /* \x1b[31m */"), tmp_path)
    assert "\x1b[31m<b>" in {each.function for each in found.functions}
    text = said(tmp_path, capsys)
    assert "\x1b" not in text
    assert "<b>" in text
    rows = [row[0] for row in data_of(tmp_path / "run")["unreached"]["functions"]]
    assert any("<b>" in row for row in rows)
    assert not any("\x1b" in row for row in rows)


def test_the_page_says_it_beside_the_source(tmp_path: Path) -> None:
    found = of(CONTRADICTORY, tmp_path)
    data = data_of(tmp_path / "run")
    assert data["unreached"]["sides"] == len(found.sides)
    (lines,) = [lines for number, lines in data["lines"].items() if data["files"][int(number)]["name"].endswith(".c")]
    assert ["asked 1 time, always infeasible", 15] in [side[4:] for side in lines["14"]["sides"]]
    assert [side[4:] for side in lines["13"]["sides"]] == [["", 0], ["", 0]]


def test_a_run_without_its_program_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of(CONTRADICTORY, tmp_path)
    (tmp_path / "run" / "program.bc").write_bytes(b"damaged")
    assert "what was not reached cannot be told: " in said(tmp_path, capsys)
