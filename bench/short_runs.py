"""What a race costs where there is nothing to win: CPU of the default against ``--strategy plain`` on the corpus.

``python -m bench.short_runs --each N`` runs every Nth program of the corpus both ways, one after the other, and prints
the ratio of the CPU seconds of all processes, compilation left out: programs that race, then all.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

from tests.support.corpus import Expected, programs
from unfork.cli import parse
from unfork.commands.run.run import explore, run

SECONDS = 10.0
"""What a run may take."""
TIMES = 3
"""So often each is run; the least counts, since whatever else the machine does can only add."""
CHOOSING = ("--search", "--merge", "--similar", "--join", "--prune", "--abstract", "--strategy", "--tests", "--max-")


def spent() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def measured(program: Expected, scratch: Path) -> tuple[float, float, bool]:
    """CPU seconds by default and of plain alone, and whether the default came to a race."""
    words = [*program.options, "--quiet", "--native-check", "never", "--max-time", f"{SECONDS:g}"]
    built = run(program.sources, replace(parse(words)[1], out=str(scratch / "built")), program.args).program
    least: dict[str, float] = {}
    has_raced = False
    for number in range(TIMES):
        for name, more in (("default", []), ("plain", ["--strategy", "plain", "--cores", "1"])):
            options = replace(parse([*words, *more])[1], out=str(scratch / f"{name}{number}"))
            before = spent()
            result = explore(program.sources, built, options, program.args)
            least[name] = min(least.get(name, SECONDS), spent() - before)
            has_raced |= name == "default" and any(each["rounds"] for each in result.summary["strategies"])
    return least["default"], least["plain"], has_raced


def main() -> None:
    """Print a line for each program, then the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=10, help="every so many programs")
    each = parser.parse_args().each
    ratios, raced = [], []
    chosen = [program for program in programs() if not any(word.startswith(CHOOSING) for word in program.options)]
    for program in chosen[::each]:
        with tempfile.TemporaryDirectory() as scratch:
            default, plain, has_raced = measured(program, Path(scratch))
        ratios.append(default / plain)
        raced += [default / plain] * has_raced
        print(f"{program.name}\t{default:.3f}\t{plain:.3f}\t{default / plain:.2f}{' raced' * has_raced}", flush=True)
    print(f"{len(ratios)} programs: median {median(ratios):.3f}, worst {max(ratios):.2f}; {len(raced)} of them raced")
    if raced:
        print(f"those that raced: median {median(raced):.2f}")


if __name__ == "__main__":
    main()
