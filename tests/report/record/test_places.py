"""run.db says where states forked, which queries were asked where, and which joins were refused where."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import explore, written
from unfork.commands.run import race
from unfork.commands.run.resume import resume
from unfork.commands.run.run import Result

PROGRAM = """
#include <string.h>
#include <unfork.h>
static int is_long(const char *s) {
    return strlen(s) > 2;
}
int main(void) {
    char s[4];
    unsigned x, y;
    unfork_symbolic(s, sizeof s, "s");
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    s[3] = 0;
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (s[i] == 'a')
            count += 1;
    while (x > 7) {
        if (is_long(s))
            count++;
        x /= 16;
    }
    if (x * y == 35)
        count++;
    return count;
}
"""


def rows(result: Result, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(result.directory / "run.db")) as database:
        return database.execute(query).fetchall()


def sums_are_those_of_the_summary(result: Result, strategy: str) -> None:
    summary = result.summary
    of = f"WHERE strategy = '{strategy}'"
    assert rows(result, f"SELECT TOTAL(forks) FROM fork_places {of}") == [(summary["forks"],)]
    assert rows(result, f"SELECT TOTAL(queries) FROM query_places {of}") == [(summary["solver"]["queries"],)]
    ((seconds,),) = rows(result, f"SELECT TOTAL(seconds) FROM query_places {of}")
    assert seconds == pytest.approx(summary["solver"]["seconds"], abs=0.001)
    refused = dict(rows(result, f"SELECT reason, SUM(count) FROM refusals {of} GROUP BY reason"))
    assert refused == summary["merges"]["refused"]


def test_forks_are_counted_where_they_happen(tmp_path: Path) -> None:
    result = explore(written(PROGRAM, tmp_path), tmp_path / "run", "--strategy", "plain", "--libc", "musl")
    sums_are_those_of_the_summary(result, "plain")
    places = {
        (line, function, loop): (forks, born)
        for line, function, loop, forks, born in rows(
            result, "SELECT line, function, loop_line, forks, born FROM fork_places"
        )
    }
    assert places[16, "main", 15] == (7, 7)
    assert {place[0] for place in places} <= {5, 16, 18, 19, 23}
    assert (18, "main", 18) in places
    assert (23, "main", None) in places
    in_the_library = [place for place in places if place[0] in (5, 19)]
    assert in_the_library
    assert all(loop == 18 for _, _, loop in in_the_library)  # the loop is in the function that calls
    ((forks, multiplicity),) = rows(result, "SELECT COUNT(*), SUM(multiplicity) FROM forked")
    assert forks == multiplicity == result.summary["forks"]
    assert rows(result, "SELECT line, COUNT(*) FROM forked GROUP BY 1 ORDER BY 1") == rows(
        result, "SELECT line, SUM(forks) FROM fork_places GROUP BY 1 ORDER BY 1"
    )


def test_a_side_that_ends_at_once_is_no_state_more(tmp_path: Path) -> None:
    text = '#include <unfork.h>\nint main(void) {\nint x;\nunfork_symbolic(&x, 4, "x");\nreturn 8 / x;\n}\n'
    result = explore(written(text, tmp_path), tmp_path / "run", "--strategy", "plain")
    assert rows(result, "SELECT line, forks, born FROM fork_places") == [(5, 1, 0)]


def test_refused_joins_are_counted_by_place_and_reason(tmp_path: Path) -> None:
    text = PROGRAM.replace("return count;", "int a[8] = {0};\n    a[count] = 1;\n    return a[1] * s[count & 1];")
    result = explore(written(text, tmp_path), tmp_path / "run", "--merge", "static", "--similar", "live")
    sums_are_those_of_the_summary(result, "")
    refused = rows(result, "SELECT line, function, reason, count FROM refusals")
    assert refused
    assert {function for _, function, _, _ in refused} <= {"main", None}  # the C library goes on after main
    assert any(line == 16 for line, _, _, _ in refused)


def test_joined_states_count_all_their_paths(tmp_path: Path) -> None:
    result = explore(written(PROGRAM, tmp_path), tmp_path / "run", "--strategy", "join")
    sums_are_those_of_the_summary(result, "join")
    ((forks, multiplicity),) = rows(result, "SELECT SUM(forks), SUM(multiplicity) FROM fork_places")
    assert multiplicity > forks


def test_each_strategy_of_a_race_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)
    program = written(PROGRAM.replace("i < 3", "i < 3 && x != i * 77"), tmp_path)
    result = explore(program, tmp_path / "run", "--strategy", "plain,join", "--libc", "musl")
    standings = result.summary["strategies"]
    assert all(standing["rounds"] for standing in standings)
    counted = dict(rows(result, "SELECT strategy, SUM(forks) FROM fork_places GROUP BY strategy"))
    assert counted.keys() == {"plain", "join"}
    winner = standings[1]["name"] if standings[1]["ended"] and not standings[0]["ended"] else "plain"
    sums_are_those_of_the_summary(result, winner)


def test_several_processes_of_a_strategy_are_counted_together(tmp_path: Path) -> None:
    result = explore(written(PROGRAM, tmp_path), tmp_path / "run", "--strategy", "plain", "--cores", "2")
    sums_are_those_of_the_summary(result, "plain")


def test_a_run_that_goes_on_counts_on(tmp_path: Path) -> None:
    program = written(PROGRAM, tmp_path)
    before = explore(program, tmp_path / "run", "--strategy", "plain", "--max-forks", "4")
    sums_are_those_of_the_summary(before, "plain")
    after = resume(tmp_path / "run", {"max_forks": 1 << 40, "quiet": True})
    sums_are_those_of_the_summary(after, "plain")
    assert after.summary["forks"] > before.summary["forks"]
    assert rows(after, "SELECT COUNT(*) FROM forked") == [(after.summary["forks"],)]
