"""The scripts of the figures run tools, keep what they ran, and put tables into the page of benchmarks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from unfork.commands.assemble import starting
from unfork.options.options import Options
from unfork.program.llvm import compiler

BENCH = Path(__file__).parents[2] / "bench"
TOOL = """
int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == 'a') count++;
  return count;
}
"""
PATHS = 1 + 2 + 4 + 8
"""Zero to three arguments, each with an a in front or without one."""


ENDLESS = """
int main(int argc, char **argv) {
  volatile unsigned turns = 0;
  for (;;) turns += argc > 1 && argv[1][turns % 2] == 'a';
}
"""


def build(text: str, output: Path) -> None:
    """PROGRAM.bc of C."""
    source = output.with_suffix(".c")
    source.write_text(text)
    options = Options(libc="none")
    made = compiler.build([source], starting.compile_options(options), (), starting.libraries(options, lambda *_: None))
    output.with_suffix(".bc").write_bytes(made.bitcode)


@pytest.fixture
def figure4(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("figure4")


def test_a_figure_over_a_folder_of_programs(
    figure4: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    build(TOOL, tmp_path / "tool")
    page.write_text("before\n<!-- figure4: begin -->\nold\n<!-- figure4: end -->\nafter\n")
    words = [
        "figure4",
        "--programs",
        str(tmp_path),
        "--tools",
        "tool",
        "--time",
        "60",
        "--kept",
        str(tmp_path / "kept"),
    ]
    monkeypatch.setattr(sys, "argv", [*words, "--output", str(page)])
    assert figure4.main() == 0
    assert capsys.readouterr().err.count("tool --merge") == 3
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    (row,) = [line for line in text.splitlines() if line.startswith("| tool | ") and "---" not in line][1:]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1] == str(PATHS)
    assert cells[5] == str(PATHS)
    assert figure4.main() == 0
    assert not capsys.readouterr().err  # nothing ran again
    assert page.read_text() == text


def test_a_run_ends_when_its_seconds_of_the_processor_are_over(figure4: ModuleType, tmp_path: Path) -> None:
    build(ENDLESS, tmp_path / "endless")
    runner = importlib.import_module("figures").Runner(tmp_path, None)
    ran = runner.run("endless", 2, figure4.SCHEDULES["none"], ("--sym-arg", "2"))
    assert not ran.exhausted
    assert ran.completed == 0
    assert ran.seconds >= 2
