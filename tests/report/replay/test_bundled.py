"""Native programs of the bundled clang, and what is compiled for them once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from unfork.commands.assemble.building import silent_progress
from unfork.program.llvm import subprocesses
from unfork.report.replay import native_replay

DEEP = """#include <pthread.h>
#include <string.h>
static void *deep(void *p) { volatile char room[1 << 20]; memset((void *)room, 1, sizeof room); return p; }
static void over(volatile char *text, int size) { for (int i = 0; i < size; i++) text[i] = 1; }
int main(int argc, char **argv) {
  pthread_t thread;
  char text[8];
  (void)argv;
  pthread_create(&thread, 0, deep, 0);
  pthread_join(thread, 0);
  over(text, argc > 1 ? 64 : 8);
  return 0;
}
"""


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_the_bundled_clang_makes_programs_that_run_anywhere(suffix: str, tmp_path: Path) -> None:
    """They are static, and their threads have room; what is written behind an array on the stack shows."""
    source = tmp_path / f"a{suffix}"
    source.write_text(DEEP)
    (toolchain,) = native_replay.bundled([str(source)], silent_progress)
    program = tmp_path / "program"
    call = native_replay.compiling_in(tmp_path)
    call([*toolchain.compiling(source), *toolchain.flags, "-c", str(source), "-o", f"{program}.o"])
    call([*toolchain.words, *toolchain.flags, f"{program}.o", "-lm", "-o", str(program)])
    assert subprocesses.run([str(program)]).status == 0
    assert subprocesses.run([str(program), "more"]).status < 0


def test_a_framework_of_tests_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, called = tmp_path / "framework.c", []
    (tmp_path / "of.h").write_text("#define VALUE 1\n")
    source.write_text('#include "of.h"\nint value = VALUE;\n')
    (toolchain,) = native_replay.bundled([str(source)], silent_progress)
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))

    def call(words: Sequence[str]) -> None:
        called.append(words)
        native_replay.compiling_in(tmp_path)(words)

    first = native_replay.framework_object(toolchain, (source, ("-DX",)), tmp_path, call).read_bytes()
    assert native_replay.framework_object(toolchain, (source, ("-DX",)), tmp_path, call).read_bytes() == first
    assert len(called) == 1
    (tmp_path / "of.h").write_text("#define VALUE 2\n")
    assert native_replay.framework_object(toolchain, (source, ("-DX",)), tmp_path, call).read_bytes() != first
    assert len(called) == 2
