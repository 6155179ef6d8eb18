"""What merging costs where it does not help: CPU seconds, instructions and queries with it and without, per program."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from measure import EXAMPLES, HERE, PROGRAMS

sys.path.insert(0, str(HERE.parent))

from tests.support.corpus import programs
from unfork.cli import parse
from unfork.commands.run.run import run
from unfork.engine.protocols.events import Began, Event

PLAIN = ("--merge", "none")
SIZES = (
    (EXAMPLES / "echo.c", "N=3 L=3", "N=4 L=5", "N=5 L=5"),
    (EXAMPLES / "regexp.c", "SIZE=4", "SIZE=5", "SIZE=6", "SIZE=7"),
    (EXAMPLES / "regexp_safe.c", "SIZE=4", "SIZE=5", "SIZE=6", "SIZE=7"),
    (EXAMPLES / "bubble_sort.c", "K=4", "K=5"),
    (EXAMPLES / "malloc_diamond.c", "MAX=8", "MAX=10"),
    (PROGRAMS / "insertion_sort.c", "K=4", "K=5", "K=6"),
    (PROGRAMS / "selection_sort.c", "K=4", "K=5", "K=6"),
    (PROGRAMS / "binary_search.c", "K=32", "K=128"),
    (PROGRAMS / "popcount.c", "BITS=8", "BITS=10"),
)
"""Programs whose paths multiply, at sizes that plain exploration gets to the end of."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program with the words of its command line."""

    name: str
    sources: tuple[Path, ...]
    options: tuple[str, ...]
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What the exploration of one program took, its compilation aside. ``ended`` is the limit that cut it, or None."""

    seconds: float
    instructions: int
    queries: int
    paths: int
    joins: int
    verdict: str
    ended: str | None


def cases() -> Iterator[Case]:
    """The corpus, the examples and the programs of the benchmarks."""
    for one in programs():
        yield Case(one.name, one.sources, one.options, one.args)
    sized = {source for source, *_ in SIZES}
    for source in sorted([*EXAMPLES.glob("*.c"), *PROGRAMS.glob("*.c")]):
        if source not in sized:
            yield Case(f"{source.parent.name}/{source.stem}", (source,), (), ())
    for source, *sizes in SIZES:
        for size in sizes:
            defines = [word for define in size.split() for word in ("-D", define)]
            yield Case(f"{source.parent.name}/{source.stem} {size}", (source,), (*defines, "--libc", "none"), ())


def used() -> float:
    """CPU seconds of this process and of those that it waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


class _Began:
    """Notes the CPU seconds that were used when the exploration began."""

    def __init__(self) -> None:
        self.used = 0.0

    def tell(self, event: Event) -> None:
        if isinstance(event, Began):
            self.used = used()


def explore(case: Case, mode: Sequence[str], limit: float, answer: Connection) -> None:
    """One run, in a process of its own."""
    began = _Began()
    with tempfile.TemporaryDirectory() as scratch:
        words = [*case.options, *mode, "--max-time", str(limit), "--quiet", "--no-progress", "--out", f"{scratch}/out"]
        _, options, _ = parse([*words, "--", *case.args])
        result = run(case.sources, options, case.args, [began])
    data = result.summary
    answer.send(
        Cost(
            used() - began.used,
            data["instructions"],
            data["solver"]["queries"],
            data["paths"]["completed"],
            data["merges"]["done"],
            result.verdict,
            data["stopped_by"],
        )
    )


def measured(case: Case, mode: Sequence[str], limit: float) -> Cost | None:
    """The cost of one run; None if it came to nothing."""
    here, there = multiprocessing.Pipe(False)
    process = multiprocessing.get_context("fork").Process(target=explore, args=(case, mode, limit, there))
    process.start()
    there.close()
    try:
        found: Cost = here.recv()
    except EOFError:
        return None
    finally:
        process.join()
    return found


@dataclass(frozen=True, slots=True)
class Row:
    """A program without and with merging."""

    case: Case
    plain: Cost
    merged: Cost

    @property
    def ratio(self) -> float:
        """How much longer merging takes; 1.0 for differences below what can be noticed."""
        if abs(self.merged.seconds - self.plain.seconds) < 0.05:
            return 1.0
        return self.merged.seconds / self.plain.seconds

    def __str__(self) -> str:
        plain, merged = self.plain, self.merged
        cut = f" cut by {merged.ended}" if merged.ended else ""
        return (
            f"{self.ratio:6.2f}  {plain.seconds:7.2f} {merged.seconds:7.2f}  "
            f"{plain.instructions:>9,} {merged.instructions:>9,}  {plain.queries:>6,} {merged.queries:>6,}  "
            f"{plain.paths:>6,} {merged.paths:>6,} {merged.joins:>6,}  {self.case.name}{cut}"
        )


HEAD = " ratio  seconds  merged  instructions  merged  queries merged   paths merged  joins  program"


def compared(case: Case, mode: Sequence[str], limit: float, times: int) -> Row | None:
    """Best of ``times`` runs each; None where plain exploration does not get to the end."""
    plain = measured(case, PLAIN, limit)
    if plain is None or plain.ended is not None:
        return None
    merged = measured(case, mode, 8 * limit)
    if merged is None:
        raise SystemExit(f"{case.name}: the run with merging came to nothing")
    for _ in range(times - 1):
        if abs(merged.seconds - plain.seconds) < 0.04:
            break
        again, once_more = measured(case, PLAIN, limit), measured(case, mode, 8 * limit)
        plain, merged = _better(plain, again), _better(merged, once_more)
    return Row(case, plain, merged)


def _better(known: Cost, again: Cost | None) -> Cost:
    """The quicker of two runs; one that a limit cut is quick for nothing."""
    return known if again is None or again.ended != known.ended or again.seconds > known.seconds else again


def main() -> int:
    """Compares every program, or those whose names hold one of the given words."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only programs whose name holds one of these (default: all)")
    parser.add_argument("--limit", type=float, default=20, help="seconds for plain exploration (default 20)")
    parser.add_argument("--times", type=int, default=2, help="best of so many runs (default 2)")
    parser.add_argument("--worst", type=int, default=20, help="programs to print (default 20)")
    parser.add_argument("--mode", default="", help="options of the runs with merging (default: none, which merges)")
    given = parser.parse_args()
    chosen = [case for case in cases() if not given.names or any(name in case.name for name in given.names)]
    rows: list[Row] = []
    for case in chosen:
        row = compared(case, given.mode.split(), given.limit, given.times)
        if row is None:
            continue
        if row.plain.verdict != row.merged.verdict:
            print(f"{case.name}: {row.plain.verdict} without merging, {row.merged.verdict} with it (!)")
        if row.ratio != 1.0:
            print(row, file=sys.stderr, flush=True)
        rows.append(row)
    rows.sort(key=lambda row: row.ratio, reverse=True)
    print(HEAD)
    for row in rows[: given.worst]:
        print(row)
    if len(rows) > 2 * given.worst:
        print("...")
        for row in rows[-given.worst // 2 :]:
            print(row)
    dear = [row for row in rows if row.ratio > 1.3]
    mean = math.exp(sum(math.log(row.ratio) for row in rows) / len(rows)) if rows else 1.0
    total = [sum(cost.seconds for cost in costs) for costs in ([r.plain for r in rows], [r.merged for r in rows])]
    joined = sum(row.merged.joins > 0 for row in rows)
    print(f"{len(rows)} programs, {joined} of them joined; {len(dear)} take over 1.3 times as long with merging")
    print(f"geometric mean of the ratios {mean:.3f}; CPU seconds in all: {total[0]:.1f} without, {total[1]:.1f} with")
    return 1 if any(row.plain.verdict != row.merged.verdict for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
