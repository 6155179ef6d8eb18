"""Path agreement: however states are joined, a run finds the same errors and covers no branch edge less."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, Expected, read
from tests.support.power import LONG, some
from tests.support.runs import errors_of, explore
from unfork.commands.run.run import Result, run
from unfork.options.options import Options

EXAMPLES = PROGRAMS.parent.parent / "examples"
BENCH = PROGRAMS.parent.parent / "bench" / "programs" / "race"
CHOSEN = (
    "computed_goto/loop_state_machine",
    "control/loop_symbolic_bound",
    "control/switch_fallthrough_bug",
    "function_pointers/data_call_bug",
    "heap/lost_at_symbolic_index_bug",
    "setjmp/symbolic_error_code",
    "strings/compare_password_bug",
    "structs/small_by_value",
    "symbolic_offsets/counting_occurrences",
    "uninitialised/check_branch_bug",
)
MODES = tuple(
    ("--merge", schedule, "--join", how, "--similar", similar)
    for schedule in ("static", "dynamic", "all", "function")
    for how in ("ite", "summary")
    for similar in ("qce", "live", "always")
)
SEARCHES = ("dfs", "bfs", "random-path", "random-state", "coverage", "cover")


PROGRAMS_CHOSEN = [read(PROGRAMS / f"{name}.c") for name in CHOSEN]


def edges(result: Result) -> int:
    covered: int = result.summary["coverage"]["branches"]["covered"]
    return covered


@pytest.mark.parametrize("program", some(PROGRAMS_CHOSEN, "every mode", count=2), ids=lambda program: program.name)
def test_every_mode_agrees(program: Expected, tmp_path: Path) -> None:
    plain = explore(program, tmp_path / "plain", "--merge", "none")
    for number, mode in enumerate(MODES):
        merged = explore(program, tmp_path / str(number), *mode)
        assert errors_of(merged) == errors_of(plain), mode
        assert not merged.alarms, mode
        assert merged.verdict == plain.verdict, mode
        assert edges(merged) >= edges(plain), mode


@pytest.mark.parametrize("search", SEARCHES)
def test_every_searcher_agrees_when_states_catch_up(search: str, tmp_path: Path) -> None:
    for program in PROGRAMS_CHOSEN[:3]:
        merged = explore(program, tmp_path / program.path.stem, "--merge", "dynamic", "--search", search)
        assert errors_of(merged) == program.errors
        assert merged.verdict == program.verdict


def echo(tmp_path: Path, *, merge: str, count: int) -> Result:
    size = (f"N={count}", f"L={count}")
    return explore(EXAMPLES / "echo.c", tmp_path / f"{merge}{count}", merge=merge, define=size, libc="none")


@pytest.mark.parametrize("name", ["bug", "fixed"])
@pytest.mark.parametrize("merge", ["static", "dynamic"])
def test_paths_that_left_files_differently_are_joined(merge: str, name: str, tmp_path: Path) -> None:
    """Until a call looks at what differs: then each part finds its own, and all are joined behind it again."""
    program = read(PROGRAMS / "kernel_symbolic" / f"joined_descriptors_{name}.c")
    result = explore(program, tmp_path, merge=merge, similar="always", audit=True)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    merges, audit = result.summary["merges"], result.summary["audit"]
    assert not merges["refused"]
    assert audit["joins"] == merges["done"] >= (8 if merge == "static" else 5)
    assert audit["failed"] == audit["unknown"] == 0
    if merge == "static":
        assert result.summary["paths"]["completed"] == 1 + len(program.errors)


@pytest.mark.parametrize("merge", ["static", pytest.param("dynamic", marks=LONG)])
def test_echo_grows_with_its_input_and_not_with_its_paths(merge: str, tmp_path: Path) -> None:
    """States are linear in N times L, where paths are 3 L (L + 1)^(N - 1). A search that goes ahead makes more, but few
    beside the paths.
    """
    small, large = (echo(tmp_path, merge=merge, count=count) for count in (3, 6))
    assert large.verdict == small.verdict == "safe"
    assert edges(large) == edges(small)
    assert large.summary["paths"]["represented"] > 100_000
    created = large.summary["states"]["created"]
    if merge == "static":
        assert created < 10 * small.summary["states"]["created"]
    else:
        assert created < large.summary["paths"]["represented"] / 10
    assert large.summary["merges"]["done"] > 20
    counts = large.summary["merges"]
    assert counts["forwarded"] >= counts["forwarded_merged"]
    assert (counts["forwarded"] > 0) == (merge == "dynamic")


@pytest.mark.parametrize(("name", "define"), [("scratch_bytes", ("BITS=16",))])
def test_who_catches_up_is_joined_as_in_topological_order(name: str, define: tuple[str, ...], tmp_path: Path) -> None:
    """A turn that the state ahead has behind it makes it no laggard, and another arm of a branch no stranger."""
    static, dynamic = (
        explore(BENCH / f"{name}.c", tmp_path / merge, merge=merge, similar="always", define=define, libc="none")
        for merge in ("static", "dynamic")
    )
    assert dynamic.verdict == static.verdict
    assert errors_of(dynamic) == errors_of(static)
    assert dynamic.summary["instructions"] <= 1.2 * static.summary["instructions"]
    assert dynamic.summary["states"]["created"] <= 1.2 * static.summary["states"]["created"]


def test_marks_say_where_states_are_joined(tmp_path: Path) -> None:
    source = tmp_path / "marked.c"
    source.write_text(
        """
        #include "unfork.h"
        int main(void) {
          int x, y = 0, z = 0;
          unfork_symbolic(&x, sizeof x, "x");
          unfork_merge_begin();
          if (x > 5) y = 1; else if (x > 3) y = 2; else if (x > 1) y = 3;
          unfork_merge_end();
          if (x & 1) z = y; else z = 7;
          return z;
        }
        """
    )
    options = Options(merge="marked", similar="always", libc="none", quiet=True, out=str(tmp_path / "run"))
    assert run([source], options).summary["merges"]["done"] == 3


def test_a_join_is_preceded_by_the_tests_of_both_sides(tmp_path: Path) -> None:
    """An edge that one side covered first has a test of that side, which runs on without symbols."""
    result = echo(tmp_path, merge="static", count=3)
    texts = [path.read_text() for path in result.tests]
    assert len(texts) > 1
    assert not any('"expect": null' in text for text in texts)
    covered = {name for text in texts for name in json.loads(text)["branches"]}
    assert len(covered) >= edges(result)
