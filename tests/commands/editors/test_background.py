"""Children of the servers: a task that is cancelled leaves none, and one that takes too long is ended."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from unfork.commands.editors.background import ReadyChild, run, unfork
from unfork.program.llvm.subprocesses import Finished, TooSlow

ENDLESS = "import os, pathlib, time; pathlib.Path('pid').write_text(f'{os.getpid()}.'); time.sleep(10_000)"


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_cancelled_task_ends_its_child(tmp_path: Path) -> None:
    async def play() -> int:
        task = asyncio.create_task(run([sys.executable, "-c", ENDLESS], tmp_path, 1000.0))
        noted = tmp_path / "pid"
        while not (noted.exists() and noted.read_text().endswith(".")):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(noted.read_text().rstrip("."))

    process = asyncio.run(play())  # which waits for its threads
    while is_there(process):
        time.sleep(0.01)


def test_a_child_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(TooSlow):
        asyncio.run(run([sys.executable, "-c", ENDLESS], tmp_path, 0.1))


def test_modules_of_the_workspace_do_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("unfork", "json", "click"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(99)\n")
    monkeypatch.chdir(tmp_path)

    async def in_ready_child() -> Finished:
        child = ReadyChild()
        child.prepare()
        return await child.unfork(["--version"], tmp_path, 100.0)

    for done in (asyncio.run(unfork(["--version"], tmp_path, 100.0)), asyncio.run(in_ready_child())):
        assert (done.status, done.output.split()[:1]) == (0, [b"unfork"])


def test_a_ready_child_works_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")

    async def play() -> Finished:
        child = ReadyChild()
        child.prepare()
        return await child.unfork(["run", "a.c", "--no-progress"], tmp_path, 100.0)

    done = asyncio.run(play())
    assert (done.status, b"verdict: safe" in done.output + done.errors) == (0, True)
