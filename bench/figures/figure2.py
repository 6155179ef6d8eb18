"""Figure 2 of Kuznetsov12: after how many instructions does each schedule cover what follows a costly loop?

Each schedule runs alone, in one process, with the paper's similarity.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.measure import PROGRAMS
from bench.tables import markdown
from unfork.commands.run.run import run
from unfork.options.options import Options

PROGRAM = PROGRAMS / "log_packet_hash.c"
LENGTH = 256
"""Bytes of a packet."""
FUNCTIONS = ("handle_packet", "handle_data")
PLENTY = 4_000
"""Instructions within which plain exploration covers all of FUNCTIONS."""
TIMES = {"dynamic": 2, "static": 20}
"""How many times as many as plain exploration needs each schedule gets."""
HEAD = ("schedule", "instructions until handle_packet is covered", "branches of it")

GIVEN = frozenset(("merge", "similar", "cores"))
"""Options that count as given, so that no strategy and no race chooses them."""
Edge = tuple[str, int, int]


def covered(merge: str, instructions: int) -> tuple[set[Edge], int]:
    """The branch edges of FUNCTIONS that a coverage search takes under a limit, and how many instructions it took."""
    with tempfile.TemporaryDirectory() as scratch:
        size = (f"LENGTH={LENGTH}",)
        limit = Options(max_instructions=instructions, out=f"{scratch}/run", define=size, libc="none", quiet=True)
        result = run([PROGRAM], replace(limit, merge=merge, similar="qce", cores=1, given=GIVEN))
        with sqlite3.connect(Path(scratch) / "run" / "run.db") as database:
            edges = database.execute("SELECT function, block, successor FROM coverage WHERE covered").fetchall()
        return {edge for edge in edges if edge[0] in FUNCTIONS}, result.summary["instructions"]


def needed(merge: str, wanted: set[Edge], most: int) -> int | None:
    """The least limit under which all of ``wanted`` is covered, None if that takes more than ``most``."""
    if covered(merge, most)[0] < wanted:
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if covered(merge, middle)[0] >= wanted else (middle, high)
    return high


def main(words: Sequence[str]) -> int:
    """The table; the status says whether the claims hold: dynamic within 2 times, static not within 20."""
    argparse.ArgumentParser(
        prog="bench.figures 2", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args(words)
    wanted, _ = covered("none", PLENTY)
    plain = needed("none", wanted, PLENTY)
    assert plain is not None
    rows = [("none", f"{plain:,}", f"{len(wanted)} of {len(wanted)}")]
    good = True
    for merge, times in TIMES.items():
        found = needed(merge, wanted, times * plain)
        edges, _ = covered(merge, times * plain if found is None else found)
        shown = f"over {times * plain:,}" if found is None else f"{found:,}"
        good = good and (found is None) == (merge == "static")
        rows.append((merge, shown, f"{len(edges)} of {len(wanted)}"))
    print(markdown(HEAD, rows))
    return not good
