"""What each rule is worth that holds joins back under ``--strategy count``: CPU seconds with all, and without it.

A rule is switched off where parts are put together, as in ``bench.worth``, and runs are forks of one process in the
same way. A run that does not end counts with the seconds that it took. A program that ends neither with all rules nor
without any tells nothing. ``python -m bench.join_rules`` prints a line for each run, then the table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path
from statistics import median

from bench.agreement import ran
from bench.race import OPTIONS, programs
from bench.worth import LEAST, Case, Ran, built, forked
from unfork.merge import asked_again
from unfork.program.module import Program
from unfork.wiring import joins

SECONDS = 3
"""After which a run stops."""
COUNTING = ("--strategy", "count", "--libc", "none", "--native-check", "never")
_CUT = " (time)"

RULES: dict[str, Callable[[], None]] = {
    "asked again": lambda: setattr(joins, "AskedAgain", lambda *_, **__: asked_again.Optimism()),
    "breaks": lambda: setattr(asked_again, "_VAIN", inf),
    "giving in": lambda: setattr(asked_again, "_SHORT", inf),
}
"""How each is switched off."""
ALL = "all of them"


def run(case: Case, program: Program, without: tuple[str, ...]) -> Ran:
    """One run, without some of the rules."""

    def work() -> dict[str, object]:
        for rule in without:
            RULES[rule]()
        with tempfile.TemporaryDirectory() as scratch:
            result = ran(
                case.sources,
                [*case.options, "--max-time", str(SECONDS)],
                Path(scratch) / "out",
                program,
                case.arguments,
            )
        summary = result.summary
        cut = _CUT if summary["stopped_by"] == "max-time" else ""
        counts = {"queries": summary["solver"]["queries"], "solved": summary["merges"]["done"]}
        return {**counts, "instructions": summary["instructions"], "verdict": f"{result.verdict}{cut}"}

    done = forked(work)
    if done is None:
        raise SystemExit(f"{case.name}: a run broke down")
    return done


def main() -> int:
    """Prints each run, then the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only programs whose names have one of these in them (default: all)")
    given = parser.parse_args()
    measured: dict[str, list[tuple[Ran, Ran]]] = {rule: [] for rule in (*RULES, ALL)}
    silent = 0
    for name, path in programs().items():
        if given.names and not any(word in name for word in given.names):
            continue
        case = Case(name, (path,), (*OPTIONS.get(name, ()), *COUNTING))
        one = partial(run, case, built(case))
        full, bare = one(()), one(tuple(RULES))
        print(f"{name}\t{full}\t{ALL}: {bare}", flush=True)
        if full.verdict.endswith(_CUT) and bare.verdict.endswith(_CUT):
            silent += 1
            continue
        measured[ALL].append((full, bare))
        for rule in RULES:
            measured[rule].append((full, one((rule,))))
            print(f"\twithout {rule}: {measured[rule][-1][1]}", flush=True)
    print(f"\n{silent} programs end neither way.\n\n| without | CPU s with | without | sum | median | least | most |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for rule, pairs in measured.items():
        with_it, without = sum(full.seconds for full, _ in pairs), sum(bare.seconds for _, bare in pairs)
        ratios = [bare.seconds / full.seconds for full, bare in pairs if max(full.seconds, bare.seconds) >= LEAST]
        if ratios:
            cells = (with_it, without, without / with_it, median(ratios), min(ratios), max(ratios))
            print(f"| {rule} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
