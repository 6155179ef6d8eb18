"""What does the default cost against the best strategy? Seconds of each strategy and of the default on 63 programs.

``python -m bench.race --out FILE.json`` runs what is not in that file yet and writes it after every run;
``python -m bench.race --table FILE.json`` prints it. Runs follow each other, since their times are compared: nothing
else should run on the machine. Each is a whole command in a process of its own, as a user would start it.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from bench import processors
from bench.measure import EXAMPLES, PROGRAMS
from tests.support.corpus import read

STRATEGIES: dict[str, tuple[str, ...]] = {
    **{name: ("--strategy", name, "--cores", "1") for name in ("plain", "join", "learn", "count", "match")},
    "default": (),
}
"""Each strategy's options: alone, it has one process."""
DEFAULT = "default"
"""The strategy that the others are measured against."""

SECONDS = 30.0
GRACE = 30.0
"""Seconds after its time in which a run must have written what it found; then it is killed."""
FAILED = "failed"
"""The verdict of a run that left no summary."""
UNKNOWN = "unknown"

OPTIONS: dict[str, tuple[str, ...]] = {
    "programs/array_partition": ("--function", "partition"),
    "programs/binary_search": ("-D", "K=40"),
    "programs/insertion_sort": ("-D", "K=6"),
    "programs/list_partition": ("--function", "partition"),
    "programs/mcdc": ("-D", "N=12"),
    "programs/nested_locks": ("-D", "LOCKS=10"),
    "programs/popcount": ("-D", "BITS=14"),
    "programs/selection_sort": ("-D", "K=5"),
    "programs/state_chart": ("-D", "STEPS=6"),
    "examples/bubble_sort": ("-D", "K=6"),
    "examples/malloc_diamond": ("-D", "MAX=20", "-D", "OTHER=2"),
    "examples/midpoint": ("--check", "memory,div,shift,unreachable,overflow"),
    "examples/regexp": ("-D", "SIZE=7"),
    "examples/regexp_safe": ("-D", "SIZE=7"),
}
"""What programs need to be run at all, or to be of a size at which there is something to win."""


def programs() -> dict[str, Path]:
    """The file of each program, by the names of folder and file."""
    folders = (PROGRAMS, EXAMPLES, PROGRAMS / "race")
    return {f"{path.parent.name}/{path.stem}": path for folder in folders for path in sorted(folder.glob("*.c"))}


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run took and said. ``errors`` are kind:line; ``cpu`` is of the whole tree of processes, in seconds.

    ``ended`` says that everything was explored, with an answer. ``problem`` is what the run complains of, if anything.
    """

    wall: float
    cpu: float
    verdict: str
    errors: tuple[str, ...]
    ended: bool
    stopped_by: str | None
    covered: int
    edges: int
    problem: str

    @property
    def answer(self) -> str:
        """The verdict with the errors."""
        return " ".join((self.verdict, *self.errors))


Runs = dict[str, dict[str, Ran]]
"""By program, then by strategy."""


def run(program: str, path: Path, strategy: str, seconds: float) -> Ran:
    """One run, which is asked to stop after so many seconds."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        options = (*OPTIONS.get(program, ()), *STRATEGIES[strategy])
        quiet = ("--out", str(out), "--quiet", "--no-progress", "--max-time", f"{seconds:g}")
        command = [sys.executable, "-m", "unfork", "run", str(path), *options, *quiet]
        done = processors.run(command, Path.cwd(), os.environ, seconds + GRACE)
        wall, cpu = round(done.wall, 3), round(done.cpu, 3)
        if not (out / "summary.json").exists():
            problem = done.stderr.strip().splitlines()[-1:] or ["killed"]
            return Ran(wall, cpu, FAILED, (), False, None, 0, 0, problem[0])
        return _read(out, wall, cpu)


def _read(out: Path, wall: float, cpu: float) -> Ran:
    summary = json.loads((out / "summary.json").read_text())
    with closing(sqlite3.connect(f"file:{out / 'run.db'}?mode=ro", uri=True)) as database:
        covered, edges = database.execute("SELECT coalesce(sum(covered), 0), count(*) FROM coverage").fetchone()
    problems = (*summary["unsupported"], *(alarm["message"] for alarm in summary["alarms"]), summary["internal_error"])
    verdict = summary["verdict"]
    return Ran(
        wall,
        cpu,
        verdict,
        tuple(sorted(f"{error['kind']}:{error['line']}" for error in summary["errors"])),
        summary["exhausted"] and not summary["states"]["left"] and verdict != UNKNOWN,
        summary["stopped_by"],
        covered,
        edges,
        "; ".join(str(problem) for problem in problems if problem),
    )


def race(names: Sequence[str], strategies: Sequence[str], seconds: float, file: Path) -> None:
    """Every program under every strategy, except for what the file has already. Raises SystemExit."""
    runs: Runs = {}
    if file.exists():
        before, runs = load(file)
        if before != seconds:
            raise SystemExit(f"{file} has runs of {before:g} seconds, not {seconds:g}")
    paths = programs()
    for name in names:
        for strategy in strategies:
            by_strategy = runs.setdefault(name, {})
            if strategy in by_strategy:
                continue
            ran = by_strategy[strategy] = run(name, paths[name], strategy, seconds)
            _store(file, seconds, runs)
            how = "" if ran.ended else f", stopped by {ran.stopped_by or 'itself'}"
            said = f" ({ran.problem})" if ran.problem else ""
            print(f"{name}\t{strategy}\t{ran.wall:.2f} s, {ran.cpu:.2f} CPU s, {ran.answer}{how}{said}", flush=True)


def load(file: Path) -> tuple[float, Runs]:
    """The time limit and the runs of a file."""
    kept = json.loads(file.read_text())
    runs = {
        program: {name: Ran(**{**ran, "errors": tuple(ran["errors"])}) for name, ran in by_strategy.items()}
        for program, by_strategy in kept["runs"].items()
    }
    return kept["seconds"], runs


def _store(file: Path, seconds: float, runs: Runs) -> None:
    kept = {
        program: {strategy: asdict(ran) for strategy, ran in by_strategy.items()}
        for program, by_strategy in runs.items()
    }
    part = file.with_name(f"{file.name}.part")
    part.write_text(json.dumps({"seconds": seconds, "runs": kept}, indent=1) + "\n")
    part.replace(file)


# --- the table -------------------------------------------------------------------------------------------------------


def best(by_strategy: Mapping[str, Ran]) -> float | None:
    """The least time of a run that ended; None if none did."""
    return min((ran.wall for ran in by_strategy.values() if ran.ended), default=None)


def ratio(by_strategy: Mapping[str, Ran]) -> float | None:
    """How many times as long as the best the default takes; None if it did not end."""
    ran, least = by_strategy.get(DEFAULT), best(by_strategy)
    return ran.wall / least if ran is not None and ran.ended and least is not None else None


def table(runs: Runs) -> Iterator[str]:
    """A row for each program: seconds of each strategy, a dash where it did not end."""
    names = [name for name in STRATEGIES if any(name in by_strategy for by_strategy in runs.values())]
    head = ["program", *names, "default / best"]
    yield f"| {' | '.join(head)} |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for program, by_strategy in runs.items():
        times = ratio(by_strategy)
        cells = [program, *(_cell(by_strategy.get(name)) for name in names), "-" if times is None else f"{times:.2f}"]
        yield f"| {' | '.join(cells)} |"


def _cell(ran: Ran | None) -> str:
    if ran is None:
        return ""
    return f"{ran.wall:.2f}" if ran.ended else "-"


def totals(runs: Runs) -> Iterator[str]:
    """How many programs each strategy ended, and how near to the best the default comes."""
    for strategy in STRATEGIES:
        tried = [by_strategy[strategy] for by_strategy in runs.values() if strategy in by_strategy]
        if tried:
            yield f"{strategy} ended {sum(ran.ended for ran in tried)} of {len(tried)}"
    compared = {program: ran for program, ran in runs.items() if DEFAULT in ran}
    if not compared:
        return
    feasible = [program for program, by_strategy in compared.items() if best(by_strategy) is not None]
    missed = [program for program in feasible if not compared[program][DEFAULT].ended]
    yield f"default ended {len(feasible) - len(missed)} of the {len(feasible)} that any strategy ended"
    if missed:
        yield f"default did not end {', '.join(missed)}"
    ratios = {program: times for program in feasible if (times := ratio(compared[program])) is not None}
    if ratios:
        worst = max(ratios, key=ratios.__getitem__)
        yield f"default / best: median {median(ratios.values()):.2f}, worst {ratios[worst]:.2f} ({worst})"
    cpu = {program: compared[program][DEFAULT].cpu / _least_cpu(compared[program]) for program in ratios}
    if cpu:
        worst = max(cpu, key=cpu.__getitem__)
        yield f"default / best in CPU seconds: median {median(cpu.values()):.2f}, worst {cpu[worst]:.2f} ({worst})"


def _least_cpu(by_strategy: Mapping[str, Ran]) -> float:
    return min(ran.cpu for ran in by_strategy.values() if ran.ended)


def contradictions(runs: Runs) -> Iterator[str]:
    """Wrong answers: runs that ended and say different things, or errors that a run which ended does not have."""
    paths = programs()
    for program, by_strategy in runs.items():
        ended = {strategy: ran for strategy, ran in by_strategy.items() if ran.ended}
        if len({ran.answer for ran in ended.values()}) > 1:
            yield f"{program}: " + "; ".join(f"{strategy} says {ran.answer}" for strategy, ran in ended.items())
        known = {error for ran in ended.values() for error in ran.errors}
        for strategy, ran in by_strategy.items():
            if ended and not known.issuperset(ran.errors):
                yield f"{program}: {strategy} did not end and says {ran.answer}, beyond those that ended"
        if program in paths:
            stated = _stated(paths[program], OPTIONS.get(program, ()))
            for strategy, ran in ended.items():
                if stated is not None and ran.answer != stated:
                    yield f"{program}: {strategy} says {ran.answer}, its header {stated}"


def _stated(path: Path, options: Sequence[str]) -> str | None:
    """The answer that a program's header states; None if it does so for other options."""
    expected = read(path)
    if expected.options and expected.options != tuple(options):
        return None
    return " ".join((expected.verdict, *sorted(f"{kind}:{line}" for kind, _, line in expected.errors)))


def report(file: Path) -> int:
    """Prints table, totals and contradictions; the exit status says whether there are any of the last."""
    seconds, runs = load(file)
    print(f"Seconds on the clock, at most {seconds:g} a run; a dash: not everything explored by then.\n")
    print("\n".join(table(runs)))
    print()
    print("\n".join(f"- {line}" for line in totals(runs)))
    wrong = list(contradictions(runs))
    if wrong:
        print("\nWRONG ANSWERS\n")
        print("\n".join(f"- !!! {line}" for line in wrong))
    return bool(wrong)


def main() -> int:
    """Runs, or prints what was run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, metavar="FILE", help="run, and keep the runs there (JSON)")
    what.add_argument("--table", type=Path, metavar="FILE", help="print the runs that are kept there")
    parser.add_argument("--programs", nargs="+", metavar="WORD", help="those whose names have one of the words in them")
    parser.add_argument("--strategies", nargs="+", default=[*STRATEGIES], choices=[*STRATEGIES], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"time of each run (default {SECONDS:g})")
    given = parser.parse_args()
    if given.table:
        return report(given.table)
    words = given.programs or [""]
    names = [name for name in programs() if any(word in name for word in words)]
    race(names, given.strategies, given.seconds, given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
