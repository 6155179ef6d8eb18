"""Anand06's table: how many states does matching cover in programs on heaps? Counts beside the paper's.

A check is one arrival of a state at a mark (unfork_subsume). A step is a fork along the path to an error: the paper
does not define its steps. Where the paper has one reference field for each variable of the class, we have the live
registers of the function; a list is any that the precondition lets through, an array has up to 64 elements. Counts
depend on the order, since earlier states cover later ones: the paper's is depth first.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import PROGRAMS
from bench.tables import table

HEAD = ("program", "mode", "checks", "covered", "stored", "paper", "error", "steps", "paper", "verdict", "seconds")
MATCHED = ("--prune", "subsume")
FOLDED = (*MATCHED, "--abstract", "list")
SORTED = (*MATCHED, "--abstract", "array")
HUNG = (*MATCHED, "--abstract", "tree:1")


@dataclass(frozen=True, slots=True)
class Row:
    """A program under a mode, with the paper's numbers (checks / covered / stored, steps) where it has any."""

    name: str
    mode: tuple[str, ...]
    words: tuple[str, ...]
    counts: str
    steps: str
    verdict: str
    search: str = "bfs"


LIST = (str(PROGRAMS / "list_partition.c"), "--function", "partition", "--requires", "acyclic")
PLAIN = ("--merge", "none")
ARRAY = (str(PROGRAMS / "array_partition.c"), "--function", "partition", *PLAIN)
UP_TO_64 = ("--max-size", "256")
SHAPES = PROGRAMS.parents[1] / "tests" / "reduce" / "prune" / "abstractions"
DEEP = ("--max-depth", "12")
ROWS = (
    Row("list partition, buggy", FOLDED, (*LIST, "-D", "BUG"), "", "10", "unsafe"),
    Row("list partition, fixed", FOLDED, LIST, "23 / 11 / 12", "", "bounded"),
    Row("the same, at most 3 objects", MATCHED, (*LIST, "--max-objects", "3"), "", "", "bounded"),
    Row("the same, at most 5 objects", MATCHED, (*LIST, "--max-objects", "5"), "", "", "bounded"),
    Row("array partition, buggy", SORTED, (*ARRAY, *UP_TO_64, "-D", "BUG"), "", "30", "unsafe"),
    Row("array partition, buggy", SORTED, (*ARRAY, *UP_TO_64, "-D", "BUG"), "", "30", "unsafe", "dfs"),
    Row("array partition, fixed", SORTED, (*ARRAY, *UP_TO_64), "30 / 17 / 13", "", "bounded"),
    Row("array partition, fixed", SORTED, (*ARRAY, *UP_TO_64), "30 / 17 / 13", "", "bounded", "dfs"),
    Row("the same, at most 4 elements", MATCHED, (*ARRAY, "--max-size", "16"), "", "", "bounded"),
    Row("the same, at most 6 elements", MATCHED, (*ARRAY, "--max-size", "24"), "", "", "bounded"),
    Row("the same, at most 8 elements", MATCHED, (*ARRAY, "--max-size", "32"), "", "", "bounded"),
    Row("queue, doubly linked", FOLDED, (str(SHAPES / "deque_fixed.c"), *PLAIN), "", "", "bounded"),
    Row("the same, at most 12 forks", MATCHED, (str(SHAPES / "deque_fixed.c"), *PLAIN, *DEEP), "", "", "bounded"),
    Row("search tree", HUNG, (str(SHAPES / "tree_fixed.c"), *PLAIN), "", "", "bounded"),
    Row("the same, at most 12 forks", MATCHED, (str(SHAPES / "tree_fixed.c"), *PLAIN, *DEEP), "", "", "bounded"),
)


def cells(row: Row, words: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The row as measured, and whether its verdict is the right one."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = [sys.executable, "-m", "unfork", "run", "--cores", "1", *row.words, *row.mode, "--libc", "none"]
        command += ["--search", row.search]
        subprocess.run([*command, *words, "--out", str(out), "--quiet"], check=False, timeout=600)
        summary = json.loads((out / "summary.json").read_text())
        with sqlite3.connect(out / "run.db") as database:
            steps = database.execute("SELECT MIN(depth) FROM states WHERE ended = 'error'").fetchone()[0]
    counts = summary["prunes"]
    error = ", ".join(f"{one['kind']} line {one['line']}" for one in summary["errors"])
    numbers = [str(counts[name]) for name in ("checks", "hits", "stored")]
    shown = "" if steps is None else str(steps)
    mode = " ".join(word for word in row.mode if not word.startswith("--"))
    verdict = summary["verdict"]
    seconds = f"{summary['seconds']:.2f}"
    mode = f"{mode} {row.search}"
    return (row.name, mode, *numbers, row.counts, error, shown, row.steps, verdict, seconds), verdict == row.verdict


def main(words: Sequence[str]) -> int:
    """Print the table; the number of wrong verdicts."""
    parser = argparse.ArgumentParser(
        prog="bench.figures heap", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", help="further options of unfork run, after --")
    more = parser.parse_args(words).words
    return table("State matching on heaps (Anand06)", HEAD, (cells(row, more) for row in ROWS))
