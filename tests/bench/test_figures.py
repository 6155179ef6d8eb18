"""The figures run tools, keep what they ran, and print tables; a run ends once its seconds are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import figure3, figure4, figure7, growing
from bench.figures.runs import SCHEDULES, TOOLS, TUNING_SET, Runner
from bench.figures.tuning import ALPHAS, Climb, QceChoice
from unfork.commands.assemble import starting
from unfork.options.options import Options
from unfork.program.llvm import compiler

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


TWICE = TOOL.replace("return count;", "if (argc > 1 && argv[1][0] == 'a') count++; return count;")
"""It asks about the first argument again."""
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


def test_a_figure_over_a_folder_of_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(TOOL, tmp_path / "tool")
    words = ["--programs", str(tmp_path), "--tools", "tool", "--time", "60", "--kept", str(tmp_path / "kept")]
    assert figure4.main(words) == 0
    first = capsys.readouterr()
    assert first.err.count("tool --merge") == 2
    (row,) = [line for line in first.out.splitlines() if line.startswith("| tool | ") and "---" not in line][1:]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1] == str(PATHS)
    assert cells[4:6] == ["10^+0.0", str(PATHS)]  # the paths of joined states are as many, in eight samples
    assert figure4.main(words) == 0
    again = capsys.readouterr()
    assert not again.err  # nothing ran again
    assert again.out == first.out


def test_a_table_says_how_far_multiplicity_errs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(TWICE, tmp_path / "tool")
    assert figure3.main(["--programs", str(tmp_path), "--tools", "tool", "--time", "60"]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| tool | ")][1:]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert int(cells[1].replace(",", "")) > PATHS == int(cells[2])
    assert float(cells[4].removeprefix("10^")) > 0


def test_runs_without_and_with_joins_count_paths_alike(tmp_path: Path) -> None:
    build(TOOL, tmp_path / "tool")
    runner = Runner(tmp_path, None)
    options = (SCHEDULES["none"], (*SCHEDULES["dynamic"], "--path-sample", "64"))
    plain, joined = [runner.run("tool", 60, each, ("--sym-args", "0", "3", "2")) for each in options]
    assert (plain.joins, joined.spread, joined.lost) == (0, 0, 0)
    assert joined.joins > 0
    assert plain.explored == joined.explored == plain.ended == joined.ended == PATHS


def test_a_run_ends_when_its_seconds_of_the_processor_are_over(tmp_path: Path) -> None:
    build(ENDLESS, tmp_path / "endless")
    ran = Runner(tmp_path, None).run("endless", 1, SCHEDULES["none"], ("--sym-arg", "2"))
    assert not ran.exhausted
    assert ran.completed == 0
    assert ran.seconds >= 1


def test_a_climb_ends_where_no_neighbour_is_better() -> None:
    """A hill over alpha alone: it is climbed step by step, and nothing is scored twice."""
    scored: list[QceChoice] = []

    def score(choice: QceChoice) -> float:
        scored.append(choice)
        return -abs(ALPHAS.index(choice.alpha) - ALPHAS.index(1e-2))

    best = Climb(score).best(QceChoice(1e-4, 0.5, 10))
    assert best == QceChoice(1e-2, 0.5, 10)
    assert len(scored) == len(set(scored))


def test_no_figure_shows_the_tools_of_the_tuning() -> None:
    assert not set(TUNING_SET) & {*TOOLS, *figure7.TOOLS, *growing.TOOLS}
