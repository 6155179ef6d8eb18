"""An engine that fails keeps what it had found, says so, and leaves a run directory that can be read."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unfork.cli import main
from unfork.commands.run.run import run
from unfork.engine.explore.endings import Deadline
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.events import Ended, Event, Observer
from unfork.engine.protocols.outcome import Outcome
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.state import State
from unfork.options.options import Options
from unfork.program.llvm import compiler
from unfork.reduce.merge.states import ExactJoin
from unfork.report.record import coverage_measure

BRANCHES = """#include <unfork.h>
int main(void) {
  unsigned char x[4];
  int sum = 0;
  unfork_symbolic(x, sizeof x, "x");
  for (int i = 0; i < 4; i++)
    if (x[i] > 100) sum++;
  return sum;
}
"""
BUGGY = """#include <unfork.h>
int main(void) {
  int x, a[4] = {1, 2, 3, 4};
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 10) return 1;
  if (x < 0) return 2;
  return a[x];
}
"""
HUNGRY = """#include <stdlib.h>
#include <unfork.h>
int main(void) {
  unsigned char x;
  char *all = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 7) return 1;
  for (int i = 0; i < 100000; i++) {
    char *p = malloc(1 << 20);
    *(char **)p = all;
    all = p;
  }
  return all == 0;
}
"""
PLAIN = ("--merge", "none", "--search", "dfs")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("branches.c", BRANCHES), ("buggy.c", BUGGY), ("hungry.c", HUNGRY)):
        Path(name).write_text(text)


def summary() -> dict[str, Any]:
    data = json.loads(Path("out/summary.json").read_text())
    assert isinstance(data, dict)
    return data


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception, at: int) -> None:
    """From its step ``at`` on, the machine of a run fails."""
    step, count = Machine.step, iter(range(1_000_000))

    def broken(machine: Machine, state: State, yield_points: YieldPoints) -> list[Outcome]:
        if next(count) >= at:
            raise error
        return step(machine, state, yield_points)

    monkeypatch.setattr(Machine, "step", broken)


def assert_can_be_read(capsys: pytest.CaptureFixture[str]) -> str:
    """What show says of the run directory, which replay can read too."""
    assert main(["replay", "out"]) in (0, 1)
    capsys.readouterr()
    assert main(["show", "out"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "error",
    [
        IndexError("list index out of range"),
        RecursionError("maximum recursion depth exceeded"),
        UnicodeEncodeError("ascii", "\xfc", 0, 1, "ordinal not in range"),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_step_that_fails_keeps_the_results(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        failing(patched, error, 12)
        assert main(["run", "branches.c", "--out", "out", *PLAIN, "--no-progress"]) == 3
    captured = capsys.readouterr()
    name = type(error).__name__
    assert captured.err.startswith(f"unfork: internal error: {name} in ")
    assert captured.err.count("\n") == 1
    assert "out/crash.txt" in captured.err
    data = summary()
    assert (data["verdict"], data["internal_error"]["class"]) == ("unknown", name)
    assert data["unsupported"] == []
    assert name in data["internal_error"]["line"]
    assert "Traceback" in Path("out/crash.txt").read_text()
    assert data["tests"] == len(list(Path("out/tests").glob("*.json"))) > 0
    assert "internal error" in assert_can_be_read(capsys)


def test_errors_that_were_replayed_before_make_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def tell(self, event: Event) -> None:
            if isinstance(event, Ended):
                raise KeyError("of an observer")

    observer: Observer = Failing()
    result = run(["buggy.c"], Options(out="out"), observers=[observer])
    assert (result.verdict, result.exit_status, len(result.errors)) == ("unsafe", 1, 1)
    assert result.failure is not None
    assert result.failure.kind == "KeyError"
    assert summary()["internal_error"]["class"] == "KeyError"


def test_a_join_that_fails_costs_the_join(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(joining: ExactJoin, a: State, b: State) -> State:
        raise ZeroDivisionError

    monkeypatch.setattr(ExactJoin, "join", broken)
    result = run(["branches.c"], Options(out="out", merge="static", similar="always", given=frozenset(["merge"])))
    assert result.verdict == "unknown"
    assert result.summary["paths"]["completed"] == 16
    assert result.summary["internal_error"]["class"] == "ZeroDivisionError"


def test_a_summary_that_cannot_be_made_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise AttributeError("outline")

    monkeypatch.setattr(coverage_measure, "blocks_run", broken)
    result = run(["buggy.c"], Options(out="out"))
    assert result.verdict == "unsafe"
    assert summary()["coverage"] is None
    assert summary()["internal_error"]["class"] == "AttributeError"


def test_a_failure_before_the_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*given: object) -> None:
        raise LookupError("of metadata")

    with monkeypatch.context() as patched:
        patched.setattr(compiler, "read", broken)
        assert main(["run", "buggy.c", "--out", "out"]) == 3
    assert "internal error: LookupError in program/llvm/compiler.py" in capsys.readouterr().err
    assert summary()["internal_error"]["class"] == "LookupError"
    assert "Traceback" in Path("out/crash.txt").read_text()


def test_a_command_that_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*given: object) -> None:
        raise LookupError("of the cache")

    monkeypatch.setattr("unfork.cli.cache_command.kept.folder", broken)
    assert main(["cache", "where"]) == 3
    assert "please report it" in capsys.readouterr().err.splitlines()[-1]


KILLED = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore it
from unfork.cli import main
from unfork.report.record.directory import RunDirectory
write = RunDirectory.write
def counted(self, name, data):
    write(self, name, data)
    if name == "tests/000003.json":
        os.kill(os.getpid(), signal.Signals[sys.argv[1]])
RunDirectory.write = counted
sys.exit(main(sys.argv[2:]))
"""


def stopped(signal_name: str) -> subprocess.CompletedProcess[str]:
    """A run that a signal meets after its third test."""
    words = [sys.executable, "-c", KILLED, signal_name, "run", "branches.c", "--out", "out", "--tests", "paths", *PLAIN]
    return subprocess.run([*words, "--no-progress"], capture_output=True, text=True, check=False)


def test_what_kill_9_leaves_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert stopped("SIGKILL").returncode == -9
    assert (summary()["verdict"], summary()["stopped_by"]) == ("unknown", "killed")
    said = assert_can_be_read(capsys)
    assert "cut off" in said
    assert main(["show", "out", "tests/000003"]) == 0
    Path("out/summary.json").unlink()
    assert "3 tests in out/tests" in assert_can_be_read(capsys)
    Path("out/run.db").unlink()
    assert "3 tests in out/tests" in assert_can_be_read(capsys)


def test_hanging_up_is_an_interrupt() -> None:
    done = stopped("SIGHUP")
    assert done.returncode == 130
    assert "stopped by interrupt" in done.stdout
    assert summary()["stopped_by"] == "interrupt"


def _little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))


def started(
    words: list[str], before: Callable[[], None] | None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unfork", "run", *words, "--out", "out", "--no-progress"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=before,
        env={**os.environ, **environment},
    )


def test_no_more_memory(capsys: pytest.CaptureFixture[str]) -> None:
    done = started(["hungry.c"], _little_memory)
    assert done.returncode == 3
    assert "internal error: MemoryError in " in done.stderr
    assert "Traceback" not in done.stderr
    assert (summary()["verdict"], summary()["internal_error"]["class"]) == ("unknown", "MemoryError")
    assert_can_be_read(capsys)


def test_a_locale_that_cannot_say_it() -> None:
    name = "gr\u00f6\u00dfe.c"
    Path(name).write_text(BUGGY.replace("x", "\u00e4").replace("e\u00e4it", "exit"), "utf-8")
    done = started([name], None, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="")
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    assert "verdict: unsafe" in done.stdout
    assert done.stdout.isascii()
    assert summary()["internal_error"] is None


def test_tests_that_there_is_no_time_for_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deadline, "is_over", lambda self: True)
    monkeypatch.setattr(Deadline, "is_short", lambda self: True)
    result = run(["buggy.c"], Options(out="out", given=frozenset(), merge="none"))
    assert result.summary["tests_unwritten"] > 0
    assert [path.name for path in result.tests] == ["000001.json"]  # of the error
    assert result.verdict == "unsafe"
    assert "not written" in Path("out/warnings.txt").read_text()
