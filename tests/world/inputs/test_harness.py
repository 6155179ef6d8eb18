"""Tests as C: what the program is started with is set up before main."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import explore, written

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
