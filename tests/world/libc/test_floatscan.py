"""Our reader of floating-point numbers gives what musl's gives: value, characters used, errno, and what is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.power import some
from unfork.program.llvm.compiler import compiler_home
from unfork.world.libc.musl_build import OURS

DRIVER = Path(__file__).with_name("floatscan_agrees.c")
MUSL = compiler_home() / "lib" / "libc" / "musl"
FLAGS = (
    *("cc", "-O1", "-w", "-std=c99", "-D_XOPEN_SOURCE=700"),
    *(f"-I{MUSL / part}" for part in ("arch/x86_64", "arch/generic", "src/include", "src/internal")),
)


@pytest.fixture(scope="module")
def compare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("floatscan")

    def compiled(*words: str) -> None:
        command = [sys.executable, "-m", "unfork", *FLAGS, *words]
        subprocess.run(command, cwd=folder, check=True, env={**os.environ, "UNFORK_CC_OPTIMIZE": "keep"})

    compiled("-c", "-D__floatscan=theirs", str(MUSL / "src/internal/floatscan.c"), "-o", "theirs.o")
    ours = ("-D__floatscan=ours", "-D__floatscan_of_musl=theirs")
    compiled("-c", *ours, str(OURS / "src/floatscan.c"), "-o", "ours.o")
    compiled(str(DRIVER), "ours.o", "theirs.o", "-o", "compare")
    return folder / "compare"


@pytest.mark.parametrize(
    ("characters", "length", "random"),
    some([("07.e+- ", 4, 20_000), ("1.x0pf", 4, 0), ("naif(_)", 4, 0), ("59e", 5, 0)], "numbers"),
)
def test_numbers_are_read_as_musl_reads_them(compare: Path, characters: str, length: int, random: int) -> None:
    """All strings of up to ``length`` characters, from strings and from files in pieces; then random numbers."""
    done = subprocess.run([compare, characters, str(length), str(random)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith(", 0 differences\n")
