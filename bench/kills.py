"""Runs that are killed at a random moment and resumed, against runs that nobody disturbed.

``python -m bench.kills [NAME...] --moments N --seed S`` kills each program's run N times with SIGKILL, and prints
whether the resumed run came to what the undisturbed one did: verdict, errors, covered edges. The journal is written
every EACH seconds here, so that runs of a few seconds have several entries.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench.race import OPTIONS, programs

EACH = 0.3
"""Seconds between two entries of the journal."""
SECONDS = 60.0
"""What a run may take; programs whose undisturbed run takes longer are left out."""
NAMES = (
    *("examples/regexp", "examples/regexp_safe", "examples/bubble_sort", "examples/malloc_diamond"),
    *("programs/selection_sort", "programs/insertion_sort", "programs/mcdc", "programs/popcount", "programs/gcd"),
    *("programs/nested_locks", "programs/state_chart", "programs/array_partition", "programs/list_partition"),
    *("race/base64", "race/device_lock", "race/scratch_bytes", "race/utf8", "race/crc8", "race/bisect", "race/isbn"),
)
_MAIN = """
import sys
from unfork.commands.run import saving
from unfork.cli import main
saving.EACH = {}
sys.exit(main(sys.argv[1:]))
"""


@dataclass(frozen=True, slots=True)
class End:
    """What a run came to, and the seconds that it took in all of its processes together."""

    verdict: str
    errors: tuple[str, ...]
    edges: frozenset[tuple[object, ...]]
    exhausted: bool
    seconds: float


def command(*words: str) -> list[str]:
    """The command line of unfork, with frequent entries in the journal."""
    return [sys.executable, "-c", _MAIN.format(EACH), *words, "--quiet", "--no-progress", "--max-time", f"{SECONDS:g}"]


def read(out: Path) -> End:
    """What a run directory says."""
    summary = json.loads((out / "summary.json").read_text())
    with closing(sqlite3.connect(f"file:{out / 'run.db'}?mode=ro", uri=True)) as database:
        edges = database.execute("SELECT function, block, successor FROM coverage WHERE covered = 1").fetchall()
    errors = tuple(sorted(f"{error['kind']}:{error['line']}" for error in summary["errors"]))
    return End(summary["verdict"], errors, frozenset(edges), summary["exhausted"], summary["seconds"])


def killed(words: list[str], out: Path, moment: float) -> bool:
    """Run, and kill the run ``moment`` seconds after it has begun to explore; whether it was still there."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (out / "journal.db").exists() and process.poll() is None:
        time.sleep(0.01)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def differences(straight: End, resumed: End) -> list[str]:
    """In what two runs differ; tests of states that were left may cover more."""
    found = [name for name in ("verdict", "errors", "exhausted") if getattr(straight, name) != getattr(resumed, name)]
    lost = straight.edges - resumed.edges
    return [*found, *[f"{len(lost)} edges"] * bool(lost)]


def main() -> int:
    """Kill and resume; the exit status says whether all came to the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    chance, files = random.Random(chosen.seed), programs()
    kills = equal = 0
    for name in chosen.names:
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch) / "straight"
            run = ("run", str(files[name]), *OPTIONS.get(name, ()), "--out")
            subprocess.run(command(*run, str(out)), stdout=subprocess.DEVNULL, check=False)
            straight = read(out)
            if not straight.exhausted:
                print(f"{name}\tnot ended in {SECONDS:g} s", flush=True)
                continue
            for number in range(chosen.moments):
                out = Path(scratch) / f"run{number}"
                moment = chance.uniform(0, straight.seconds)
                if not killed(command(*run, str(out)), out, moment):
                    continue
                subprocess.run(command("resume", str(out)), stdout=subprocess.DEVNULL, check=False)
                resumed = read(out)
                different = differences(straight, resumed)
                kills, equal = kills + 1, equal + (not different)
                said = f"differs in {', '.join(different)}" if different else "equal"
                print(f"{name}\tkilled at {moment:.2f} of {straight.seconds:.2f} s: {said}", flush=True)
    print(f"{kills} runs were killed and resumed, {equal} of them came to the same", flush=True)
    return kills != equal


if __name__ == "__main__":
    sys.exit(main())
