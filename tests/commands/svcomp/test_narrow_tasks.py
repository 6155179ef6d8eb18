"""Tasks of the kinds that need pointers of 32 bits in memory get the answers in their headers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.svcomp_tasks import property_file
from unfork.cli import main

TASKS = sorted(Path(__file__).with_name("narrow").glob("*.c"))
_HEADER = re.compile(r"/\* .*\n   property: (\S+)\n   answer: (\S+) \*/\n")


@pytest.mark.parametrize("task", TASKS, ids=[task.stem for task in TASKS])
def test_a_task_gets_its_answer(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = _HEADER.match(task.read_text())
    assert header is not None
    name, answer = header.groups()
    words = ["--property", str(property_file(tmp_path, name)), "--data-model", "ILP32", str(task)]
    main(["svcomp", *words, "--out", str(tmp_path / "out")])
    told = capsys.readouterr()
    assert told.out == f"{answer}\n", told.err
