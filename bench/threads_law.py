"""Do source sets and sleep sets come to all that brute force comes to? Prints the random programs that differ.

`--first NUMBER` looks at a program again, `--show` prints it. `--stdio`: programs with thread-local variables,
compare-exchanges and streams. `--waits`: programs with loops that wait, compared with a search of all states in which
no loop waits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.generated_threads import PRELUDE, PRELUDE_OF_STDIO, Program, generate, generate_with_stdio
from tests.support.generated_waits import generate as waits
from tests.support.interleavings import WITH_RACES, WITHOUT_RACES, Programs, is_racy

GROUP = 50
"""Programs that are compiled together."""
STEPS = 40_000
"""After which brute force gives up."""


def main() -> int:
    """Exit status 1 if any program differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further group after so much CPU time")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--waits", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    last = options.first + options.programs
    with tempfile.TemporaryDirectory() as folder:
        for first in range(options.first, last, GROUP):
            if time.process_time() > options.seconds:
                break
            numbers = range(first, min(first + GROUP, last))
            if options.waits:
                counts += _compare_waits(numbers, Path(folder), options.steps, options.show)
            else:
                make, prelude = (generate_with_stdio, PRELUDE_OF_STDIO) if options.stdio else (generate, PRELUDE)
                programs = [make(number) for number in numbers]
                counts += _compare(programs, Path(folder), options.steps, prelude, options.show)
            print(first + GROUP, dict(counts), f"{time.process_time():.0f} s", flush=True)
    return 1 if counts["different"] else 0


def _compare(programs: list[Program], folder: Path, steps: int, prelude: str, show: bool) -> Counter[str]:
    plain = Programs(programs, folder, *WITHOUT_RACES, prelude=prelude)
    racing = Programs(programs, folder, *WITH_RACES, prelude=prelude)
    counts: Counter[str] = Counter()
    for program in programs:
        if show:
            print(program.text)
        every = plain.by_brute_force(program.entry, steps)
        if not every.is_all:
            counts["too many"] += 1
            continue
        reduced = plain.by_schedules(program.entry, steps)
        counts["paths by brute force"] += every.paths
        counts["paths by schedules"] += reduced.paths
        racy = is_racy(racing.by_brute_force(program.entry, steps))
        counts["racy"] += racy
        differences = {
            "missing": every.ends - reduced.ends,
            "too much": reduced.ends - every.ends,
            "a race": racy != is_racy(racing.by_schedules(program.entry, steps)),
        }
        differs = any(differences.values())
        if differs:
            print(program.entry, differences)
        counts["different" if differs else "alike"] += 1
        for kind in {end[:2] for end in every.ends}:
            counts[" ".join(map(str, kind))] += 1
    return counts


def _compare_waits(numbers: range, folder: Path, steps: int, show: bool) -> Counter[str]:
    programs = [waits(number) for number in numbers]
    plain = Programs(programs, folder, *WITHOUT_RACES)
    racing = Programs(programs, folder, *WITH_RACES)
    counts: Counter[str] = Counter()
    for program in programs:
        if show:
            print(program.text)
        every, is_stuck = plain.by_states(program.entry, steps)
        reduced = plain.by_schedules(program.entry, steps)
        racy = is_racy(racing.by_states(program.entry, steps)[0])
        if not (every.is_all and reduced.is_all):
            counts["too many"] += 1
            continue
        dead = [{end for end in seen.ends if end[:2] == ("failed", "deadlock")} for seen in (every, reduced)]
        differences = {
            "missing": every.ends - reduced.ends - dead[0],
            "too much": reduced.ends - every.ends - dead[1],
            "a race": racy != is_racy(racing.by_schedules(program.entry, steps)),
            "a deadlock": bool(dead[1]) != (is_stuck or bool(dead[0])),
        }
        differs = any(differences.values())
        if differs:
            print(program.entry, differences)
        counts["different" if differs else "alike"] += 1
        counts["paths by states"] += every.paths
        counts["paths by schedules"] += reduced.paths
        counts["racy"] += racy
        counts["deadlock"] += bool(dead[1])
    return counts


if __name__ == "__main__":
    sys.exit(main())
