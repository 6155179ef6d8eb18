"""Figures 2 to 9 of Kuznetsov12, one after the other; first come the runs that they need, several at a time."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.figures import figure2, figure3, figure4, figure5, figure6, figure7, figure8, figure9, growing
from bench.figures.runs import TOOLS

FIGURES = {
    "2": (figure2.main, ()),
    "3": (figure3.main, TOOLS),
    "4": (figure4.main, TOOLS),
    "5": (figure5.main, growing.TOOLS),
    "6": (figure6.main, growing.TOOLS),
    "7": (figure7.main, figure7.TOOLS),
    "8": (figure8.main, TOOLS),
    "9": (figure9.main, growing.TOOLS),
}
"""What prints each figure, and the tools that it is about."""
ROOT = Path(__file__).resolve().parents[2]


def main(words: Sequence[str]) -> int:
    """All tables; a figure's runs are kept, so that others and a later call find them."""
    parser = argparse.ArgumentParser(prog="bench.figures all", description=__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="folder of PROGRAM.bc, or a built tree")
    parser.add_argument("--time", type=float, help="seconds of the processor, instead of each figure's own")
    parser.add_argument("--kept", type=Path, help="a folder that keeps runs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs at a time (one for each processor)")
    parser.add_argument("--figures", default=",".join(FIGURES), help="numbers, separated by commas")
    given = parser.parse_args(words)
    kept = given.kept or Path(tempfile.mkdtemp())
    shared = ["--programs", str(given.programs.resolve()), "--kept", str(kept.resolve())]
    shared += ["--time", f"{given.time:g}"] if given.time else []
    names = given.figures.split(",")

    def prepare(figure: str, tool: str) -> None:
        command = [sys.executable, "-m", "bench.figures", figure, *shared, "--tools", tool]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)

    tools = dict.fromkeys(tool for name in names for tool in FIGURES[name][1])
    with ThreadPoolExecutor(given.jobs) as pool:  # a tool's figures share runs, so they come one after the other
        for _ in pool.map(lambda tool: [prepare(name, tool) for name in names if tool in FIGURES[name][1]], tools):
            pass
    for name in names:
        print(f"\nFigure {name}\n", flush=True)
        print_figure, wanted = FIGURES[name]
        print_figure([*shared, "--tools", ",".join(wanted)] if wanted else [])
    return 0
