"""Do all ways of joining, pruning and searching find the same errors and branch edges? A row for each, of the corpus.

``python -m bench.agreement [--audit] ...`` runs each program of tests/programs that has inputs, and each in which
pruners act, in each mode. All are compared with ``turns``, which is `--merge none --search dfs --loops run`; the others
take loops that scan in one step. ``race`` is a race of all strategies in rounds so small that they meet often.

A run that a limit or a bound cut says nothing and is counted apart. So are edges beyond the plain run's where an
assumption of the program ends paths: a state that is joined or covered, or has taken a loop in one step, shows its
edges before it comes to the assumption.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import multiprocessing
import os
import sqlite3
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product, repeat
from pathlib import Path
from time import monotonic

from tests.support.corpus import PROGRAMS, Expected, programs, read
from unfork.cli import parse
from unfork.commands.assemble import raced_strategies
from unfork.commands.run import race
from unfork.commands.run.race import FIRST, STUCK
from unfork.commands.run.run import Result, explore, run
from unfork.errors import OutOfTime
from unfork.options.option_rules import ALONE
from unfork.options.options import BUNDLED
from unfork.program.llvm.module import Program

SEARCHERS = ("dfs", "bfs", "random-path", "random-state", "coverage", "cover")
JOINS = ("ite", "summary")
SIMILARITIES = ("qce", "live", "always")
IN_ORDER = ("static", "all", "function", "marked")
"""Schedules with an order of their own, which no searcher changes."""
SECONDS = 20.0
"""After which a run stops, and says nothing."""
BUDGET = 600.0
"""Seconds for all modes of one program: those that come later say nothing."""

PRUNERS = ("subsume", "interpolate")
"""With each, every schedule and searcher, but of joins only those that look for most to join, and the default ones."""

Mode = tuple[str, ...]
PLAIN: Mode = ("turns", "", "", "", "")
RACE: Mode = ("race", "", "", "", "")
ROUND = 100
"""Work of the first strategy until the others begin, in RACE: so that small programs are raced too."""


def modes() -> list[Mode]:
    """Every mode (schedule, join, similarity, searcher, pruner), PLAIN first; empty where a part has no say.

    RACE is none of them: it is of several, and cannot be audited.
    """
    found: list[Mode] = [PLAIN, *[("none", "", "", search, "") for search in SEARCHERS]]
    found += product(IN_ORDER, JOINS, SIMILARITIES, ("",), ("",))
    found += product(("dynamic",), JOINS, SIMILARITIES, SEARCHERS, ("",))
    for pruner in PRUNERS:
        found += product(("none",), ("",), ("",), SEARCHERS, (pruner,))
        found += product(IN_ORDER, ("summary",), ("always",), ("",), (pruner,))
        found += product(("dynamic",), ("summary",), ("qce", "always"), SEARCHERS, (pruner,))
    return found


def name_of(mode: Mode) -> str:
    """The words of a mode."""
    return " ".join(word for word in mode if word)


def options_of(mode: Mode) -> list[str]:
    """The command line of a mode."""
    if mode == RACE:
        return ["--strategy", ",".join(raced_strategies.RACE)]
    if mode == PLAIN:
        return ["--merge", "none", "--search", "dfs", "--loops", "run"]
    names = ("--merge", "--join", "--similar", "--search", "--prune")
    return [word for name, value in zip(names, mode, strict=True) if value for word in (name, value)]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a run found. ``errors`` are (kind, file name, line), ``edges`` the covered (function, block, successor)."""

    verdict: str
    errors: frozenset[tuple[str, str, int]]
    alarms: frozenset[tuple[str, str, int]]
    edges: frozenset[tuple[str, int, int]]
    joins: int
    hits: int
    """States that were covered."""
    is_cut: bool
    """A limit, a bound or the solver's patience ended some path."""
    assumes: bool
    """An assumption ended some path."""
    raced: bool
    """Several strategies met at least once."""
    audit: tuple[int, int, int]
    """Obligations proved, failed and unknown."""


def seen(result: Result) -> Seen:
    """What a run says, from its directory."""
    data = result.summary
    database = sqlite3.connect(result.directory / "run.db")
    rows = database.execute("SELECT function, block, successor FROM coverage WHERE covered")
    edges = frozenset((str(function), int(block), int(successor)) for function, block, successor in rows)
    database.close()
    given_up = {one["reason"] for one in data["given_up"]}
    is_cut = bool(data["stopped_by"] or data["bounds_hit"] or data["states"]["dropped"] or data["solver"]["unknown"])
    audit = data.get("audit") or {}
    return Seen(
        result.verdict,
        frozenset((one.kind, Path(one.file or "").name, one.line or 0) for one in result.errors),
        frozenset((one.kind, Path(one.file or "").name, one.line or 0) for one in result.alarms),
        edges,
        data["merges"]["done"],
        data["prunes"]["hits"],
        is_cut or "solver-unknown" in given_up,
        data["paths"]["silent"] > 0,
        any(strategy["rounds"] for strategy in data["strategies"]),
        (audit.get("proved", 0), audit.get("failed", 0), audit.get("unknown", 0)),
    )


def assumed_away(plain: Seen, other: Seen) -> frozenset[tuple[str, int, int]]:
    """Edges that may be covered beyond the plain run's: an assumption ends all paths that take them.

    States that are joined or covered, or have taken a loop in one step, show their edges before they come to it.
    """
    return other.edges - plain.edges if plain.assumes else frozenset()


def differences(plain: Seen, other: Seen) -> list[str]:
    """Where a run says something else than the plain one."""
    found = []
    assumed = assumed_away(plain, other)
    for what, mine, theirs in (
        ("errors", plain.errors, other.errors),
        ("alarms", plain.alarms, other.alarms),
        ("edges", plain.edges, other.edges - assumed),
    ):
        if mine != theirs:
            found.append(f"{what}: without {sorted(mine - theirs)}, beyond {sorted(theirs - mine)}")
    if plain.verdict != other.verdict:
        found.append(f"verdict {other.verdict}, not {plain.verdict}")
    return found


def look(program: Expected, built: Program | None, mode: Mode, more: Sequence[str], out: Path) -> Result:
    """One run of a program under a mode; ``built`` is what an earlier run has compiled it to."""
    race.FIRST, race.STUCK = (ROUND, -1) if mode == RACE else (FIRST, STUCK)
    return ran(program.sources, [*program.options, *options_of(mode), *more], out, built, program.args)


def ran(
    sources: Sequence[Path], options: Sequence[str], out: Path, built: Program | None, arguments: Sequence[str] = ()
) -> Result:
    """One run of a program under the options of a command line; of a strategy alone, in one process."""
    alone = () if "--strategy" in options else ("--cores", "1")
    _, chosen, _ = parse([*alone, *options, "--quiet", "--no-progress", "--out", str(out)])
    result = run(sources, chosen, arguments) if built is None else explore(sources, built, chosen, arguments)
    if result.summary["stopped_by"] == "interrupt":
        raise KeyboardInterrupt
    return result


@dataclass(frozen=True, slots=True)
class Agreement:
    """A program under a mode: what was wrong, or that it says nothing."""

    program: str
    mode: Mode
    joins: int
    hits: int
    is_cut: bool
    assumed: bool
    """It covers edges that only paths take which an assumption ends."""
    wrong: tuple[str, ...]
    audit: tuple[int, int, int]
    raced: bool = False


def agreements(
    program: Expected, chosen: Sequence[Mode], more: Sequence[str], budget: float = BUDGET
) -> list[Agreement]:
    """The program under each of the modes, compared with the plain run."""
    found = []
    until = monotonic() + budget
    with tempfile.TemporaryDirectory() as scratch:
        try:
            first = look(program, None, PLAIN, more, Path(scratch) / "plain")
        except OutOfTime:  # before the program was loaded
            return [Agreement(program.name, mode, 0, 0, True, False, (), (0, 0, 0)) for mode in chosen]
        plain, built = seen(first), first.program
        for number, mode in enumerate(chosen):
            if monotonic() > until or (mode == RACE and _chooses(program)):
                found.append(Agreement(program.name, mode, 0, 0, True, False, (), (0, 0, 0)))
                continue
            try:
                other = plain if mode == PLAIN else seen(look(program, built, mode, more, Path(scratch) / str(number)))
            except Exception:
                trouble = traceback.format_exc().strip().splitlines()[-3:]
                found.append(Agreement(program.name, mode, 0, 0, False, False, (" | ".join(trouble),), (0, 0, 0)))
                continue
            is_cut = plain.is_cut or other.is_cut
            wrong = [] if is_cut else differences(plain, other)
            if other.audit[1]:
                wrong.append(f"audit: {other.audit[1]} obligations failed")
            assumed = not is_cut and plain.assumes and other.edges > plain.edges
            counts = other.joins, other.hits
            found.append(
                Agreement(program.name, mode, *counts, is_cut, assumed, tuple(wrong), other.audit, other.raced)
            )
    return found


def _chooses(program: Expected) -> bool:
    """Whether the header of a program chooses one strategy."""
    _, options, _ = parse(program.options)
    return options.tests == "paths" or any(options.is_given(name) for name in (*BUNDLED, *ALONE))


def corpus(*patterns: str) -> list[Expected]:
    """The programs that have inputs and whose names (topic/name) match one of the patterns."""
    return [one for one in programs() if one.forks and any(fnmatch.fnmatch(one.name, p) for p in patterns)]


def covered(*patterns: str) -> list[Expected]:
    """The programs in which states are covered (the pruners' own tests), by the same patterns."""
    prune = PROGRAMS.parent / "reduce" / "prune"
    found = [read(path) for path in sorted([*prune.glob("programs/*.c"), *prune.glob("interpolation/programs/*.c")])]
    return [one for one in found if any(fnmatch.fnmatch(one.name, p) for p in patterns)]


def _all(
    chosen: Sequence[Expected], under: Sequence[Mode], more: Sequence[str], budget: float, jobs: int
) -> Iterator[list[Agreement]]:
    if jobs == 1:
        for program in chosen:
            yield agreements(program, under, more, budget)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(agreements, chosen, repeat(under), repeat(more), repeat(budget))


HEAD = ("mode", "programs", "with joins", "joins", "with covers", "covers", "cut", "assumed away", "disagree")


def table(found: Sequence[Agreement], *, audited: bool) -> str:
    """The table in Markdown, a row per mode."""
    head = (*HEAD, "proved", "failed", "unknown") if audited else HEAD
    rows = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    by_mode: dict[Mode, list[Agreement]] = {}
    for one in found:
        by_mode.setdefault(one.mode, []).append(one)
    for mode, here in by_mode.items():
        cells = [
            name_of(mode),
            len(here),
            sum(one.joins > 0 for one in here),
            sum(one.joins for one in here),
            sum(one.hits > 0 for one in here),
            sum(one.hits for one in here),
            sum(one.is_cut for one in here),
            sum(one.assumed for one in here),
            sum(bool(one.wrong) for one in here),
        ]
        if audited:
            cells += [sum(one.audit[i] for one in here) for i in range(3)]
        rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(rows)


def main() -> int:
    """Prints disagreements as they come, then the table; the exit status says whether there were any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--programs", nargs="+", default=["*"], metavar="GLOB", help="topic/name (default: all with inputs)"
    )
    parser.add_argument(
        "--modes", nargs="+", default=["*"], metavar="GLOB", help='as in the table: "dynamic * qce *" (default: all)'
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--limit", type=float, default=SECONDS, help=f"seconds of a run (default {SECONDS:g})")
    parser.add_argument(
        "--budget", type=float, default=BUDGET, help=f"seconds for all modes of one program (default {BUDGET:g})"
    )
    parser.add_argument("--audit", action="store_true", help="prove each join and cover again with the other solver")
    given = parser.parse_args()
    known = modes() if given.audit else [*modes(), RACE]
    under = [mode for mode in known if any(fnmatch.fnmatch(name_of(mode), one) for one in given.modes)]
    more = ["--max-time", str(given.limit), *(["--audit"] if given.audit else [])]
    found: list[Agreement] = []
    merging: Counter[str] = Counter()
    pruning: Counter[str] = Counter()
    with contextlib.suppress(KeyboardInterrupt):  # what is known by then is worth a table
        chosen = [*corpus(*given.programs), *covered(*given.programs)]
        for one in _all(chosen, under, more, given.budget, given.jobs):
            found += one
            by_wrong: dict[str, list[str]] = {}
            for agreement in one:
                merging[agreement.program] += agreement.joins
                pruning[agreement.program] += agreement.hits
                for wrong in agreement.wrong:
                    by_wrong.setdefault(wrong, []).append(name_of(agreement.mode))
            for wrong, where in by_wrong.items():
                print(f"{one[0].program}: {wrong} [{'; '.join(where)}]", flush=True)
            print(f"\r{len(merging)} programs, the last is {one[0].program:<60}", end="", file=sys.stderr, flush=True)
    print(table(found, audited=given.audit))
    cut = {one.program for one in found if one.is_cut}
    wrong_ones = {one.program for one in found if one.wrong}
    print(
        f"\n{len(merging)} programs, {sum(count > 0 for count in merging.values())} of them with joins, "
        f"{sum(count > 0 for count in pruning.values())} with covers; "
        f"{len(wrong_ones)} disagree under some mode; a limit or bound cut {len(cut)} under some mode."
    )
    if raced := sum(one.raced for one in found):
        print(f"In {raced} races, strategies met at least once.")
    if cut:
        print("Cut: " + ", ".join(sorted(cut)))
    if unproved := {one.program for one in found if one.audit[2]}:
        print("With obligations that the solver did not decide in time: " + ", ".join(sorted(unproved)))
    return bool(wrong_ones)


if __name__ == "__main__":
    sys.exit(main())
