"""Which programs without a bound in sight does the default decide, and which only by ``prove``? Counts by kind.

``python -m bench.proving [--kinds NAMES] [--time SECONDS] [--alone]`` asks ``unfork svcomp`` about each program in
bench/programs/proving, whose first line says what must come out. What is decided is then asked of the race without
``prove``, unless ``--alone`` is given.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench import processors
from bench.competition import PROPERTIES, judged
from bench.measure import PROGRAMS
from unfork.commands.assemble.raced_strategies import RACE
from unfork.options.strategies import is_exact

FOLDER = PROGRAMS / "proving"
SECONDS = 40.0
GRACE = 30.0
"""Seconds after its time in which a command must have ended; then it is killed."""
ANSWERS = {"safe": "true", "unsafe": "false(unreach-call)"}
EXPECTED = re.compile(r"/\* expect: (\w+) \*/")


def programs(kinds: list[str]) -> list[tuple[str, Path, str]]:
    """The kind, the file and the right answer of each program."""
    files = sorted(FOLDER.glob("*.c"))
    known = [(file.stem.partition("_")[0], file, _answer(file)) for file in files]
    return [each for each in known if not kinds or each[0] in kinds]


def _answer(file: Path) -> str:
    stated = EXPECTED.match(file.read_text())
    assert stated is not None, file
    return ANSWERS[stated[1]]


def ran(words: list[str], file: Path, seconds: float) -> processors.Done:
    """A command of unfork on a program, of so many seconds."""
    with tempfile.TemporaryDirectory() as place:
        limits = ["--max-time", f"{seconds:g}", "--out", f"{place}/out"]
        command = [sys.executable, "-m", "unfork", *words, str(file), *limits]
        return processors.run(command, Path.cwd(), os.environ, seconds + GRACE)


def answer(file: Path, seconds: float) -> tuple[str, float]:
    """What the default says of a program as a task of SV-COMP, and the seconds of processors that it took."""
    words = ["svcomp", "--property", str(PROPERTIES / "unreach-call.prp"), "--data-model", "LP64"]
    done = ran(words, file, seconds)
    return done.stdout.strip() or f"exit {done.status}", done.cpu


def is_decided_without(file: Path, seconds: float) -> bool:
    """Whether the race of exact strategies decides a program."""
    exact = ",".join([name for name in RACE if is_exact(name)])
    return ran(["run", "--strategy", exact, "--tests", "errors", "--quiet"], file, seconds).status in (0, 1)


def main() -> int:
    """Print a line for each program as it is answered, and the counts by kind; fail if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default="", help="numbers, arrays, locks, lists, recursion")
    parser.add_argument("--time", type=float, default=SECONDS)
    parser.add_argument("--alone", action="store_true", help="without the race of exact strategies")
    chosen = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for kind, file, expected in programs([each for each in chosen.kinds.split(",") if each]):
        said, cpu = answer(file, chosen.time)
        verdict = judged(said, expected)
        is_new = verdict == "right" and not chosen.alone and not is_decided_without(file, chosen.time)
        counts[kind, verdict] += 1
        counts[kind, "new"] += is_new
        print(f"{file.stem}: {said}, {verdict}{', new' * is_new}, {cpu:.1f} s", flush=True)
    words = ("right", "unknown", "wrong", "new")
    print(f"\n| kind | {' | '.join(words)} |\n| --- |{' ---: |' * len(words)}")
    for kind in dict.fromkeys([kind for kind, _ in counts]):
        print(f"| {kind} | {' | '.join([str(counts[kind, word]) for word in words])} |")
    return 1 if any(word == "wrong" and count for (_, word), count in counts.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
