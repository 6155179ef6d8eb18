"""What bench/summaries.py counts as saved at most: all but one of the paths that leave a small callee alike."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bench.summaries import Profile, callers, explore, small_functions
from unfork.commands.assemble.building import build_for_run, given
from unfork.options.options import Options

PROGRAM = """
static int kind(int x) {{
  int known = 1;
  if (x < 0) known = {negative};
  return known;
}}

static int sum(int *from, int count) {{
  int all = 0;
  for (int i = 0; i < count; i++) all += from[i];
  return all;
}}

int ask(int a, int b, int c) {{ return kind(a) + 2 * kind(b) + 4 * kind(c) + sum(&a, 1); }}
"""
ASKED = argparse.Namespace(seconds=5.0, instructions=80)


@pytest.mark.parametrize(("negative", "saved"), [("x < -9 ? 1 : 1", 7), ("2", 0)])
def test_paths_that_leave_alike_are_saved(negative: str, saved: int, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM.format(negative=negative))
    sources = given([str(source)])
    program = build_for_run(Options(), sources)
    small = small_functions(program, ASKED.instructions)
    assert small == {"kind"}
    assert callers(program, small, 5) == ["ask"]
    profile = Profile()
    explore(program, sources.names, "ask", ASKED, profile)
    assert (profile.paths.saved, profile.paths.whole) == (saved, 8)
    assert profile.calls >= 3
