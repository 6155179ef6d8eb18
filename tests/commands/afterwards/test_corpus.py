"""unfork export RUN corpus: files by the names of libFuzzer, and crashes that shrink."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.runs import options_of, written
from unfork.cli import main
from unfork.commands.afterwards.corpus import shrunk
from unfork.commands.run.run import run

PROGRAM = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return -1;
  for (size_t i = 0; i + 1 < size; i++)
    if (data[i] == 'A' && data[i + 1] == 'B') return data[size];
  return data[0] == 'z';
}
"""


@pytest.fixture
def explored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    result = run(written(PROGRAM, tmp_path, "p.c"), options_of(tmp_path / "run", "--input-size", "5"))
    assert [error.kind for error in result.errors] == ["out-of-bounds"]
    return tmp_path


def test_inputs_have_the_names_of_libfuzzer(explored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "run", "corpus", "-o", "out"]) == 0
    files = sorted((explored / "out").iterdir())
    assert files and all(hashlib.sha1(file.read_bytes()).hexdigest() == file.name for file in files)
    assert b"" not in [file.read_bytes() for file in files]  # the target returns -1 for it
    assert f"{len(files)} new file" in capsys.readouterr().out
    assert main(["export", "run", "corpus", "-o", "out"]) == 0
    assert "0 new files" in capsys.readouterr().out
    assert sorted((explored / "out").iterdir()) == files


def test_a_crash_is_as_short_as_it_can_be(explored: Path) -> None:
    assert main(["export", "run", "corpus", "-o", "out", "--minimise"]) == 0
    crash, text = sorted((explored / "out-crashes").iterdir())
    assert crash.read_bytes() == b"AB"
    assert crash.name == f"crash-{hashlib.sha1(b'AB').hexdigest()}"
    assert "out-of-bounds" in text.read_text() and "p.c:7" in text.read_text()


def test_other_programs_and_formats_are_refused(explored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(written("int main(void) { return 0; }", explored, "q.c"), options_of(explored / "plain"))
    assert main(["export", "plain", "corpus", "-o", "out"]) == 2
    assert "takes no fuzzer's input" in capsys.readouterr().err
    assert main(["export", "run", "junit", "--minimise"]) == 2
    assert "--minimise is for corpus" in capsys.readouterr().err


@given(st.binary(max_size=40), st.sets(st.integers(0, 39), max_size=5))
def test_nothing_that_is_left_can_go(data: bytes, wanted: set[int]) -> None:
    """Law: the result still fails, and without any byte of it it would not."""
    needed = bytes([data[i] for i in sorted(wanted) if i < len(data)])

    def fails(shorter: bytes) -> bool:
        left = iter(shorter)
        return all(byte in left for byte in needed)

    assert shrunk(data, fails) == needed or len(shrunk(data, fails)) == len(needed)
