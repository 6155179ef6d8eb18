"""Tests as source (``--formats c``), built by the command in their first line and run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from unfork.program.llvm import subprocesses
from unfork.program.llvm.compiler import INCLUDE
from unfork.report.replay.account import NativeEnding, ReplayRow, run_natively
from unfork.world.inputs.testcase import TestCase

SECONDS = 60.0


def row_of(name: str, test: TestCase, source: Path, folder: Path) -> ReplayRow:
    """How the file ``source``, which is made of ``test``, ends without arguments, input and settings."""
    command = source.read_text("utf-8", "surrogateescape").partition("/* ")[2].partition(" && ./a.out")[0]
    command = command.replace("FILE.c", str(source.with_suffix(".c"))).replace("FILE.o", f"{source.stem}.o")
    return run_natively(name, test, _built(command, folder), has_sanitizers="-fsanitize" in command)


def _built(command: str, folder: Path) -> Callable[[TestCase], NativeEnding | None]:
    """What runs the program that a command builds."""
    program = folder / "a.out"
    words = f"{command} -w -I{INCLUDE} -o {program}"
    subprocess.run(words, shell=True, cwd=folder, check=True)

    def run(test: TestCase) -> NativeEnding | None:
        try:
            done = subprocesses.run([str(program)], folder=folder, seconds=SECONDS)
        except subprocesses.TooSlow:
            return None
        return NativeEnding(done.status, done.complaint, done.output)

    return run
