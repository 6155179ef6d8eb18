"""How large the page of a run is, and how long a browser takes until all of it is drawn.

With a regular run of examples/regexp.c, and with a run directory whose run.db is made up: 100,000 states that ended in
every way, with joins, covers and places all over the source. Wants Chromium.

    python -m bench.page [--states N]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tests.report.page.chromium import MISSING, Browser, program
from unfork import Options, run
from unfork.commands.afterwards.page import page

EXAMPLE = Path(__file__).parents[1] / "examples" / "regexp.c"
TRIES = 3
ENDS = (("exit", 60), ("error", 4), ("covered", 20), ("joined", 12), ("left", 3), ("unsupported", 1))


def made_up(folder: Path, states: int) -> Path:
    """A run directory with so many states in run.db."""
    root = folder / "made-up"
    run(EXAMPLE, Options(define=("SIZE=3",), out=str(root), quiet=True, no_progress=True, strategy=("plain",)))
    rng = random.Random(1)
    with sqlite3.connect(root / "run.db") as database:
        for table in ("states", "forks", "joins", "prunes", "learnt", "tests", "taken"):
            database.execute(f"DELETE FROM {table}")
        fill(database, states, rng)
    return root


def fill(database: sqlite3.Connection, states: int, rng: random.Random) -> None:
    """Fork states at random until so many have ended; recent ones more often, so that the graph is deep."""
    waiting, ended, number = [0], 0, 0
    names, weights = zip(*ENDS, strict=True)
    while ended < states:
        at = len(waiting) - 1 - min(int(rng.expovariate(0.002)), len(waiting) - 1)
        node = waiting.pop(at)
        if waiting and rng.random() < 0.5 - 2 / (2 + len(waiting)):
            end = rng.choices(names, weights)[0]
            place = (str(EXAMPLE), rng.randrange(18, 72), "matches_here")
            detail = f"something of kind {rng.randrange(50)}" if end not in ("exit", "joined") else None
            row = (node, end, detail, *place, rng.randrange(10_000), rng.randrange(99), rng.randrange(1, 1 << 40), None)
            database.execute("INSERT INTO states VALUES (?,?,?,?,?,?,?,?,?,?)", row)
            ended += 1
            if end == "covered":
                learnt = rng.randrange(1000)
                row = (node, f"state {node // 2} covers it", node // 2, "", learnt)
                database.execute("INSERT INTO prunes VALUES (?,?,?,?,?)", row)
            if end == "joined" and waiting:
                number += 1
                for parent in (node, waiting.pop()):
                    database.execute("INSERT INTO joins VALUES (?,?,?,?,?)", (parent, number, *place))
                waiting.append(number)
            continue
        for _ in range(2):
            number += 1
            place = (str(EXAMPLE), rng.randrange(18, 72), "matches_here")
            database.execute("INSERT INTO forks VALUES (?,?,?,?,?)", (node, number, *place))
            waiting.append(number)
    for learnt in range(1000):
        rows = [(learnt, learnt, f"(eq pattern[{byte}:1] {rng.randrange(256):#x})") for byte in range(4)]
        database.executemany("INSERT INTO learnt VALUES (?,?,?)", rows)


def measured(name: str, root: Path, browser: Browser) -> None:
    """A line about one page."""
    began = perf_counter()
    written = page(root)
    took = perf_counter() - began
    target = root / "report.html"
    target.write_bytes(written)
    opened = min(browser.open(target) for _ in range(TRIES))
    drawn = browser.value("document.getElementById('canvas').dataset.drawn")
    zoomed = browser.value(
        "new Promise((done) => { const from = performance.now(); document.getElementById('zoom-in').click();"
        "requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from))); })"
    )
    print(
        f"{name:20} {len(written) / 1e6:6.2f} MB, written in {took:5.2f} s, open and drawn in {opened / 1000:5.2f} s "
        f"({drawn} shapes), zoomed in {zoomed:4.0f} ms"
    )


def main() -> None:
    """Measure both pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=100_000)
    states = parser.parse_args().states
    if program() is None:
        sys.exit(f"bench.page: {MISSING}")
    with tempfile.TemporaryDirectory(prefix="unfork-bench-page-") as name, Browser() as browser:
        folder = Path(name)
        regexp = folder / "regexp"
        run(EXAMPLE, Options(out=str(regexp), quiet=True, no_progress=True, strategy=("plain",)))
        measured("examples/regexp.c", regexp, browser)
        measured(f"{states:,} states", made_up(folder, states), browser)
        print("console:", browser.said or "nothing", "- requests:", sorted({url[:8] for url in browser.asked}))


if __name__ == "__main__":
    main()
