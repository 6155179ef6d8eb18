from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.power import some
from unfork.cli import main
from unfork.program.llvm import compiler

BUGGY = """#include <unfork.h>
#include <assert.h>
int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(x != 42);
  return 0;
}
"""
UNFORK = f"{sys.executable} -m unfork"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "buggy.c").write_text(BUGGY)
    return tmp_path


def shell(command: str) -> tuple[int, str]:
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("redirection", some([">&-", "2>&-", "<&- >&- 2>&-"], "closed"))
def test_a_closed_stream_changes_no_exit_status(redirection: str) -> None:
    assert shell(f"{UNFORK} run buggy.c {redirection}") == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(("command", "status"), [("run buggy.c", 1), ("run buggy.c --json -", 1), ("--help", 2)])
def test_output_that_cannot_be_written_is_one_line(command: str, status: int) -> None:
    found, text = shell(f"{UNFORK} {command} >/dev/full")
    assert found == status
    assert text.splitlines()[-1] == "unfork: cannot write standard output: the disk is full"
    assert "Traceback" not in text


@pytest.mark.skipif(not os.path.exists("/dev/stderr"), reason="needs /dev/stderr")
def test_a_device_for_the_summary_is_written_to_and_not_replaced() -> None:
    status, text = shell(f"{UNFORK} run buggy.c --quiet --json /dev/stderr")
    assert status == 1
    assert text.startswith("{")


@pytest.mark.parametrize("name", ["no\nsuch.c", "no\x1b[31msuch.c", "no\udcffsuch.c", "no\tsuch.c"])
def test_a_refusal_is_one_line_whatever_it_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", name]) == 2
    text = capsys.readouterr().err
    assert text.startswith("unfork: no")
    assert text.count("\n") == 1
    assert text.rstrip("\n").isprintable()


def test_a_source_named_in_another_way_replays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("-dash.c").write_text(BUGGY)
    assert main(["run", "./-dash.c", "--out", "run", "--quiet"]) == 1
    assert main(["replay", "run"]) == 0
    assert "DIFFERENT" not in capsys.readouterr().out


def test_a_global_beyond_capacity_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("big.c").write_text("static char big[1L << 40]; int main(void) { return big[5]; }\n")
    assert main(["run", "big.c"]) == 2
    assert "big" in capsys.readouterr().err


def test_an_interrupt_in_the_compiler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiler, "run", interrupted)
    Path("interrupted.c").write_text("int main(void) { return 130; }\n")  # no cache has what was never compiled
    assert main(["run", "interrupted.c"]) == 130
    assert capsys.readouterr().err == "unfork: interrupted\n"
