"""unfork show --why: where states multiply, and advice that says the numbers that it stands on."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.cli import main
from unfork.commands.afterwards.export import open_exploration
from unfork.errors import InputError
from unfork.report.record import why
from unfork.report.record.why import Why, why_lines

QUEUE = Path("examples/queue.c")
CHECKED = """
#include <unfork.h>
static int check(const char *s, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (s[i] > 'm')
            sum += i;
    return sum;
}
int main(void) {
    char s[14];
    unfork_symbolic(s, sizeof s, "s");
    return check(s, sizeof s);
}
"""
HARD = """
#include <unfork.h>
int main(void) {
    unsigned long long x, y;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    if (x > 1 && y > 1 && x < 999 && y < 999 && x * y == 899)
        return 1;
    for (;;) {
        unsigned char step;
        unfork_symbolic(&step, 1, "step");
        if (step == 1)
            x++;
    }
}
"""
WORDS = """
volatile int count;
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        for (char *p = argv[i]; *p; p++)
            if (*p == 'x')
                count++;
    return count;
}
"""


def advised(found: Why) -> list[str]:
    return [each.options for each in found.advice]


def explained(root: Path) -> Why:
    return why.why(open_exploration(root))


def of_run(program: Path, out: Path, *words: str) -> Why:
    explore(program, out, *words)
    return explained(out)


def test_the_first_advice_ends_a_run_without_end(tmp_path: Path) -> None:
    found = of_run(QUEUE, tmp_path / "run", "--strategy", "plain", "--max-forks", "700")
    assert found.summary["stopped_by"] == "max-forks"
    first = found.advice[0]
    number = re.fullmatch(r"--unwind (\d+)", first.options)
    assert number is not None
    assert "700 of 700 new states" in first.because
    assert f"forks there, by turn: {', '.join(map(str, found.spots.forks[0].levels[:3]))}" in first.because.lower()
    after = explore(QUEUE, tmp_path / "after", "--strategy", "plain", "--max-forks", "700", *first.options.split())
    assert after.verdict == "bounded"
    assert after.summary["stopped_by"] is None


def test_forks_are_counted_along_paths(tmp_path: Path) -> None:
    result = explore(written(CHECKED.replace("14", "5"), tmp_path), tmp_path / "run", "--strategy", "plain")
    (fork,) = explained(tmp_path / "run").spots.forks
    assert (fork.at.line, fork.loop.line, fork.forks) == (6, 5, result.summary["forks"])
    assert fork.levels == (1, 2, 4, 8, 16)
    assert explained(tmp_path / "run").advice == ()


def test_behind_a_join_the_longest_path_counts(tmp_path: Path) -> None:
    found = of_run(written(CHECKED.replace("14", "5"), tmp_path), tmp_path / "run", "--strategy", "join")
    (fork,) = found.spots.forks
    assert fork.levels == (1, 1, 1, 1, 1)
    assert fork.multiplicity == 1 + 2 + 4 + 8 + 16


def test_states_that_wait_at_one_place_could_be_joined(tmp_path: Path) -> None:
    found = of_run(written(CHECKED, tmp_path), tmp_path / "run", "--strategy", "plain", "--max-forks", "300")
    assert "--strategy join" in advised(found)
    most = found.spots.waiting[0]
    (joining,) = [each for each in found.advice if each.options == "--strategy join"]
    assert f"{most.states:,} of {found.summary['states']['left']:,} waiting states" in joining.because
    assert "unfork verify --function check" in advised(found)


def test_a_smaller_input_is_the_one_that_is_largest(tmp_path: Path) -> None:
    program = written(WORDS, tmp_path)
    found = of_run(program, tmp_path / "run", "--strategy", "plain", "--max-forks", "40", "--sym-args", "1", "3", "5")
    assert "--sym-args 1 2 5 for --sym-args 1 3 5" in advised(found)
    (smaller,) = [each for each in found.advice if each.options.startswith("--sym-args")]
    assert "15 of 15 symbolic bytes" in smaller.because


def test_refused_joins_say_their_reason(tmp_path: Path) -> None:
    words = ("--merge", "static", "--similar", "live", "--max-forks", "60")
    found = of_run(written(CHECKED, tmp_path), tmp_path / "run", *words)
    reasons = {each.reason for each in found.spots.refused}
    assert reasons == set(found.summary["merges"]["refused"])
    assert sum(each.times for each in found.spots.refused) == sum(found.summary["merges"]["refused"].values())
    (joining,) = [each for each in found.advice if each.options == "--similar always"]
    count = found.summary["merges"]["refused"]["live variable"]
    assert (
        f'{count:,} joins were refused ({found.summary["merges"]["done"]:,} done): "live variable"' in joining.because
    )
    after = explore(tmp_path / "program.c", tmp_path / "after", "--merge", "static", "--similar", "always")
    assert after.verdict == "safe"


def test_queries_that_take_long_name_their_place(tmp_path: Path) -> None:
    explore(written(HARD, tmp_path), tmp_path / "run", "--strategy", "plain", "--max-forks", "12")
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as database:
        database.execute("UPDATE query_places SET seconds = 400 WHERE line = 7")
        database.commit()
    found = explained(tmp_path / "run")
    assert found.spots.queries[0].at.line == 7
    assert advised(found)[0] == "--solver z3"
    assert f"400.0 of {found.summary['seconds']:.1f} s" in found.advice[0].because


def test_a_run_without_counts_by_place_says_so(tmp_path: Path) -> None:
    explore(written(CHECKED.replace("14", "3"), tmp_path), tmp_path / "run", "--strategy", "plain")
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as database:
        database.execute("DROP TABLE fork_places")
        database.commit()
    with pytest.raises(InputError, match="earlier version"):
        explained(tmp_path / "run")


def test_it_is_plain_data_and_shown_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "odd\x1b[31mname"
    folder.mkdir()
    found = of_run(written(CHECKED, folder), tmp_path / "run", "--strategy", "plain", "--max-forks", "50")
    assert asdict(found.advice[0])["options"] == found.advice[0].options
    assert main(["show", str(tmp_path / "run"), "--why"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines() == why_lines(found)
    assert "\x1b" not in text
    for part in ("1. try ", "where states multiply", "loops, with all that they call", "where states wait"):
        assert part in text
    shutil.rmtree(tmp_path / "run")
    assert main(["show", str(tmp_path / "run"), "--why"]) == 2
