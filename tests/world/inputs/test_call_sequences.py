"""Call sequences: what cannot be called is refused, and each test is a sequence of calls in C."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.runs import explore
from unfork.cli import main

CALLS = PROGRAMS / "heap_calls"


def test_a_test_is_a_sequence_in_c(tmp_path: Path) -> None:
    result = explore(read(CALLS / "stack_bug.c"), tmp_path / "run", "--formats", "c")
    text = (result.directory / result.errors[0].test).with_suffix(".c").read_text()
    _, _, body = text.rpartition("int main(void) {")
    assert body.count("push(container, (signed int)") == 3
    assert "pop(" not in body
    assert "void *container = storage;" in body


def test_sequences_are_a_bound_and_an_assumption(tmp_path: Path) -> None:
    result = explore(read(CALLS / "stack_bug.c"), tmp_path / "run", "--max-calls", "2")
    assert result.verdict == "bounded"
    assert result.summary["bounds_hit"] == ["max-calls"]
    assert result.summary["assumptions"] == [
        "only sequences of up to 2 calls of push, pop are made, on one container of zeros at first"
    ]


@pytest.mark.parametrize("program", ["stack_bug", "set_bug"])
def test_sequences_replay_on_the_engine_and_natively(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    explore(read(CALLS / f"{program}.c"), out, "--max-tests", "4")
    assert main(["replay", str(out)]) == 0
    if shutil.which("gcc") is not None:
        assert main(["replay", str(out), "--native", "--unenclosed"]) == 0
        assert "as expected" in capsys.readouterr().out


SOURCE = """
struct hidden;
int open_one(struct hidden *h, int x) { return x; }
int with_text(int *c, const char *s) { return *c; }
int many(int *c, ...) { return *c; }
int fine(int *c) { return *c; }
"""


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--calls", "nothing", "--max-calls", "2"], "defines no such function"),
        (["--calls", "open_one", "--max-calls", "2"], "the size of struct hidden is not known"),
        (["--calls", "with_text", "--max-calls", "2"], "its argument s of type char * is not built"),
        (["--calls", "many", "--max-calls", "2"], "any number of arguments"),
        (["--calls", "fine"], "need each other"),
        (["--max-calls", "2"], "need each other"),
        (["--calls", "fine", "--max-calls", "2", "--requires", "fine"], "no heap to ask about"),
    ],
)
def test_what_is_refused(words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "f.c"
    source.write_text(SOURCE)
    assert main(["run", str(source), *words, "--libc", "none", "--out", str(tmp_path / "o")]) == 2
    assert reason in capsys.readouterr().err
