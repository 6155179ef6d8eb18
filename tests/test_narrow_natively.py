"""The safe programs for 32 bits end without a failed assertion natively, on any input that the stand-ins give them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs
from tests.support.power import IS_FULL
from unfork.program.llvm.compiler import INCLUDE, NARROW_PROCESSOR, compiler_home

STUBS = Path(__file__).parent / "native" / "stubs.c"
SAFE = [each for each in programs() if each.path.parent.name == "narrow" and each.verdict == "safe"]

pytestmark = pytest.mark.skipif(not IS_FULL, reason="zig compiles musl for i386 first, which takes a minute")


@pytest.mark.parametrize("program", SAFE, ids=[program.name for program in SAFE])
def test_a_safe_program_is_safe_natively(program: Expected, tmp_path: Path) -> None:
    binary = tmp_path / "program"
    words = [str(compiler_home() / "zig"), "cc", "-target", "x86-linux-musl", NARROW_PROCESSOR, "-static", "-w"]
    words += ["-fno-sanitize=all", "-D__int128=int", f"-I{INCLUDE}", "-o", str(binary), str(program.path), str(STUBS)]
    subprocess.run(words, check=True)
    for seed in range(6):
        given = {**os.environ, "CORPUS_SEED": str(seed)}
        try:
            done = subprocess.run([str(binary), "alpha", "b"], env=given, input=b"ab", capture_output=True, check=False)
        except OSError:
            pytest.skip("this machine does not run programs for i386")
        assert done.returncode == 0, done.stderr
