"""A run that was stopped or killed comes to the same when it goes on as one that ran straight through."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import Expected, programs
from tests.support.power import IS_FULL, some
from tests.support.runs import edges_of, errors_of, explore, written
from tests.support.waiting import wait_until
from unfork.cli import main
from unfork.commands.run import race, saving
from unfork.commands.run.resume import resume
from unfork.commands.run.run import Result
from unfork.engine.state import packed
from unfork.errors import InputError
from unfork.logic.solve.path import PathCondition

STOPPED = [program for program in programs() if program.forks and not program.name.startswith(("libc", "threads/"))][
    2 :: 36 if IS_FULL else 144
]
WAYS = {
    "plain": ("--merge", "none"),
    "static": ("--merge", "static", "--similar", "always"),
    "interpolate": ("--merge", "none", "--prune", "interpolate", "--search", "dfs"),
    "subsume": ("--merge", "none", "--prune", "subsume", "--search", "dfs"),
}
FORKING = """
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"
static int depth(unsigned char *text, int at) { return text[at] == '(' ? 1 + depth(text, at + 1) : 0; }
int main(void) {
    unsigned char text[6];
    unfork_symbolic(text, sizeof text, "text");
    text[5] = 0;
    char *copy = malloc(6);
    int odd = 0;
    for (int i = 0; i < 5; i++) {
        copy[i] = text[i] & 1 ? 'o' : 'e';
        odd += text[i] & 1;
        printf("%c", copy[i]);
    }
    assert(depth(text, 0) + odd != 5 || copy[0] == 'o');
    free(copy);
    return odd;
}
"""
KILLED = """
import os, signal, sys
from unfork.commands.run import saving
from unfork.cli import main
from unfork.report.record.journal import Journal
saving.EACH = saving._REST = 0
save, saves = Journal.save, []
def killing(self, *given):
    save(self, *given)
    saves.append(1)
    if len(saves) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
Journal.save = killing
main(sys.argv[2:])
"""


def as_told(result: Result) -> tuple[Any, ...]:
    """What two runs must have in common."""
    return result.verdict, errors_of(result), result.summary["assumptions"]


@pytest.mark.parametrize(
    ("program", "way"),
    [
        pytest.param(program, way, id=f"{program.name}-{way}")
        for program in STOPPED
        for way in some(list(WAYS), program.name)
    ],
)
def test_a_run_that_goes_on_comes_to_the_same(program: Expected, way: str, tmp_path: Path) -> None:
    chosen = ("--search", "--merge", "--prune", "--abstract", "--loops", "--max-")
    if any(word.startswith(chosen) for word in program.options):
        pytest.skip("the header chooses a way, or a limit")
    if "nontermination" in program.options and "--prune" in WAYS[way]:
        pytest.skip("what is covered need not end")
    straight = explore(program, tmp_path / "straight", *WAYS[way])
    stopped = explore(program, tmp_path / "run", *WAYS[way], "--max-forks", "2")
    if stopped.summary["stopped_by"] is None:
        pytest.skip("too few forks")
    went_on = resume(stopped.directory, {"max_forks": 1 << 40, "quiet": True})
    assert as_told(went_on) == as_told(straight)
    assert edges_of(went_on) >= edges_of(straight)  # a test of a state that was left may cover what nothing else does
    if way == "plain":
        for count in ("paths", "forks", "instructions"):
            assert went_on.summary[count] == straight.summary[count]


def test_a_run_can_be_stopped_and_go_on_many_times(tmp_path: Path) -> None:
    source = written(FORKING, tmp_path)
    straight = explore(source, tmp_path / "straight", *WAYS["plain"])
    result = explore(source, tmp_path / "run", *WAYS["plain"], "--max-forks", "1")
    forks = 1
    while result.summary["stopped_by"] is not None:
        assert result.summary["stopped_by"] == "max-forks"
        assert result.summary["forks"] == forks
        forks += 7
        result = resume(result.directory, {"max_forks": forks, "quiet": True})
    assert as_told(result) == as_told(straight)
    assert result.summary["paths"] == straight.summary["paths"]
    assert [test.name for test in result.tests] == sorted(file.name for file in (tmp_path / "run" / "tests").glob("*"))
    assert not list((tmp_path / "run").glob("journal.db*"))


@pytest.mark.parametrize("saves", some([1, 2, 20], "saves", count=2))
def test_a_run_that_was_killed_goes_on(saves: int, tmp_path: Path) -> None:
    source, out = written(FORKING, tmp_path), tmp_path / "run"
    straight = explore(source, tmp_path / "straight", *WAYS["plain"])
    words = ["run", str(source), "--quiet", "--out", str(out), *WAYS["plain"]]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(saves), *words], check=False)
    assert killed.returncode == -signal.SIGKILL
    result = resume(out, {"quiet": True})
    assert as_told(result) == as_told(straight)
    assert result.summary["paths"] == straight.summary["paths"]


def test_a_run_that_was_killed_before_it_wrote_anything_goes_on(tmp_path: Path) -> None:
    source, out = written(FORKING, tmp_path), tmp_path / "run"
    straight = explore(source, tmp_path / "straight", *WAYS["plain"])
    killed = KILLED.replace("save(self, *given)\n    saves", "saves")  # its journal exists, without an entry
    words = ["run", str(source), "--quiet", "--out", str(out), *WAYS["plain"]]
    subprocess.run([sys.executable, "-c", killed, "1", *words], check=False)
    (out / "run.db").write_bytes(b"")
    result = resume(out, {"quiet": True})
    assert as_told(result) == as_told(straight)
    assert result.summary["paths"] == straight.summary["paths"]


def test_what_was_written_after_the_last_entry_is_kept(tmp_path: Path) -> None:
    source, out = written(FORKING, tmp_path), tmp_path / "run"
    straight = explore(source, tmp_path / "straight", *WAYS["plain"])
    stopped = explore(source, out, *WAYS["plain"], "--max-forks", "4")
    late = straight.directory / "tests" / straight.errors[0].test.removeprefix("tests/")
    number = len(stopped.tests) + 1
    (out / "tests" / f"{number:06d}.json").write_bytes(late.read_bytes())
    (out / "tests" / f"{number + 1:06d}.json").write_bytes(stopped.tests[0].read_bytes())  # which shows nothing new
    result = resume(out, {"max_forks": 5, "quiet": True})
    assert errors_of(result) == errors_of(straight)
    assert {file.stem for file in (out / "errors").glob("*.txt")} == {Path(error.test).stem for error in result.errors}
    assert [out / test.relative_to(out) for test in result.tests] == sorted((out / "tests").glob("*.json"))


def test_a_race_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)
    monkeypatch.setattr(saving, "EACH", 0.0)
    source = written(FORKING, tmp_path)
    raced = ("--strategy", "plain,join,learn,match")
    straight = explore(source, tmp_path / "straight", *raced)
    stopped = explore(source, tmp_path / "run", *raced, "--max-forks", "6")
    assert stopped.summary["stopped_by"] == "max-forks"
    rounds = {standing["name"]: standing["rounds"] for standing in stopped.summary["strategies"]}
    result = resume(stopped.directory, {"max_forks": 1 << 40, "quiet": True})
    assert as_told(result) == as_told(straight)
    for standing in result.summary["strategies"]:
        assert standing["rounds"] >= rounds[standing["name"]]


def test_processes_of_strategies_die_with_the_run(tmp_path: Path) -> None:
    """Else an orphan would go on writing to the journal."""
    source, out = written(FORKING.replace("text[6]", "text[40]").replace("< 5", "< 39"), tmp_path), tmp_path / "run"
    words = [sys.executable, "-m", "unfork", "run", str(source), "--quiet", "--out", str(out), "--strategy"]
    reader, writer = os.pipe()
    with subprocess.Popen([*words, "plain,join,match"], pass_fds=[writer]) as run:
        os.close(writer)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        wait_until(lambda: bool(children.read_text().split()), run)
        run.kill()
    assert os.read(reader, 1) == b""  # everybody who had the other end is gone
    os.close(reader)


def test_a_run_that_goes_on_does_not_say_how_many_paths_there_were(tmp_path: Path) -> None:
    """It did not follow the paths of the process before it."""
    source = written(FORKING, tmp_path)
    stopped = explore(source, tmp_path / "run", "--merge", "static", "--cores", "1", "--max-forks", "3")
    assert stopped.summary["paths"]["estimated"]["explored"] > 0
    went_on = resume(stopped.directory, {"max_forks": 1 << 40, "quiet": True})
    assert went_on.summary["paths"]["estimated"] is None


def test_what_cannot_go_on_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(FORKING, tmp_path)
    ended = explore(source, tmp_path / "ended", *WAYS["plain"])
    stopped = explore(source, tmp_path / "stopped", *WAYS["plain"], "--max-forks", "4")
    counted = explore(source, tmp_path / "counted", "--count-paths", "--max-forks", "4")
    for directory, line in (
        (ended.directory, "the run has explored everything"),
        (stopped.directory, "the run was ended by --max-forks; say how far it may go on"),
        (tmp_path / "none", "no run directory"),
        (tmp_path, "has no journal.db"),
    ):
        assert main(["resume", str(directory)]) == 2
        assert line in capsys.readouterr().err
    assert main(["resume", str(counted.directory), "--max-forks", "9"]) == 2
    assert "has no journal.db" in capsys.readouterr().err
    assert main(["resume", str(stopped.directory), "--merge", "static"]) == 2
    assert "--merge stays as it was" in capsys.readouterr().err
    with pytest.raises(InputError, match="cannot be read"):
        (stopped.directory / "journal.db").write_bytes(b"SQLite format 3\0" + bytes(100))
        resume(stopped.directory, {"max_forks": 9})


def test_a_journal_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = explore(written(FORKING, tmp_path), tmp_path / "run", *WAYS["plain"], "--max-forks", "4")
    monkeypatch.setattr("unfork.commands.run.saving.VERSION", "0.0.0")
    with pytest.raises(InputError, match="was begun by unfork"):
        resume(stopped.directory, {"max_forks": 9})


def test_a_journal_of_other_records_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopped = explore(written(FORKING, tmp_path), tmp_path / "run", *WAYS["plain"], "--max-forks", "4")
    monkeypatch.setattr(packed, "layout", packed.layout.__wrapped__)  # which is else worked out once
    monkeypatch.setitem(PathCondition.__annotations__, "age", "int")  # which only what Snapshot and State hold has
    assert main(["resume", str(stopped.directory), "--max-forks", "9"]) == 2
    said = capsys.readouterr().err
    assert "was begun by unfork" in said
    assert said.count("\n") == 1
