"""Tests as C: what the program is started with is set up before main."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.world.inputs.harness_heap import forgetting

PROGRAM = """
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'q') return 3;
    return getchar() == 'z' ? 4 : 0;
}
"""


def test_arguments_and_standard_input_are_in_the_file(tmp_path: Path) -> None:
    source = written(PROGRAM, tmp_path)
    result = explore(source, tmp_path / "run", "--sym-arg", "1", "--sym-stdin", "1", "--formats", "json,c")
    texts = [test.with_suffix(".c").read_text() for test in result.tests]
    assert texts
    assert all("unfork_start" in text and "static const unsigned char unfork_stdin[]" in text for text in texts)
    assert any('"q"' in text for text in texts)


def test_a_leak_shows_though_dead_parts_of_the_stack_have_its_address(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    kept = "char *volatile held[400]; for (int i = 0; i < 400; i++) held[i] = i ? held[0] : malloc(7);"
    source = tmp_path / "leak.c"
    source.write_text("#include <stdlib.h>\n" + forgetting(f"int main(void) {{ {kept} return 0; }}\n"))
    subprocess.run(["gcc", "-g", "-fsanitize=address", str(source), "-o", str(tmp_path / "leak")], check=True)
    ran = subprocess.run([tmp_path / "leak"], capture_output=True, text=True, check=False)
    assert "7 byte(s)" in ran.stderr
