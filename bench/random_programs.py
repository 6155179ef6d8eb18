"""Do joining and pruning find exactly the faults of brute force? Prints the seeds of random programs that differ.

Half of the programs come from generated_states.py of tests/support (small, with late inputs), the others from
generated_programs.py (all of C, one input) and generated_addresses.py (pointers and their numbers). All inputs of each
run natively, under sanitizers; the engine explores it plainly and in some of the modes of bench/agreement.py. Its
verdict, errors and tests must be those of the native runs, its branch edges those of the plain run. `--first SEED`
looks at a program again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from bench.agreement import PLAIN, Mode, Seen, assumed_away, modes, name_of, options_of, ran, seen
from tests.support import generated_addresses, generated_programs, generated_states
from tests.support.generated_states import INPUTS, VALUES
from tests.support.native_sweep import Fate, Program, missing_tool, sweep
from unfork.commands.run.run import Result
from unfork.program.llvm.module import Program as Built

GROUP = 16
"""Programs that are compiled natively together."""
MODES_EACH = 4
SECONDS = 20.0
"""After which a run stops, and says nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A random program, how many values a byte of its input has, and the options that its faults want."""

    seed: int
    program: Program
    text: str
    values: int
    inputs: int
    options: tuple[str, ...] = ()

    @property
    def numbers(self) -> list[int]:
        """All inputs, as the native harness takes them."""
        every = product(range(self.values), repeat=self.inputs)
        return [sum(value << 8 * place for place, value in enumerate(each)) for each in every]


def sample(seed: int) -> Sample:
    """The program of a seed."""
    rich = generated_programs.generate(seed, f"p{seed}")
    if seed % 3 == 0 and rich.inputs in (("u8",), ("i8",)):
        check = "memory,div,shift,unreachable" + (",overflow" if rich.checks_overflow else "")
        return Sample(seed, rich, rich.text, 256, 1, ("--check", check))
    small = (generated_addresses if seed % 4 == 1 else generated_states).generate(seed, f"p{seed}")
    return Sample(seed, small, small.text, VALUES, INPUTS)


@dataclass(frozen=True, slots=True)
class Judged:
    """A program under a mode: what was wrong, whether it was cut, how much was joined and covered."""

    seed: int
    mode: Mode
    wrong: tuple[str, ...]
    is_cut: bool
    joins: int
    hits: int
    errors: int


def drawn(seed: int) -> list[Mode]:
    """The modes of a program besides the plain one: each pruner alone, one with joins, and any others."""
    rng = random.Random(seed)
    every = [mode for mode in modes() if mode != PLAIN]
    pruned = [mode for mode in every if mode[4]]
    joined = [mode for mode in every if not mode[4]]
    alone = ("none", "", "", rng.choice(("dfs", "dfs", "coverage", "bfs")), "interpolate")
    return [alone, rng.choice(pruned), rng.choice(joined), *rng.sample(every, MODES_EACH - 3)]


def judge(seeds: Sequence[int], folder: Path, more: Sequence[str] = ()) -> Iterator[Judged]:
    """The programs of ``seeds`` (of one native sweep), each under its modes."""
    samples = [sample(seed) for seed in seeds]
    for each in samples:
        Path(folder, f"{each.program.name}.c").write_text(each.text)
    numbers = {each.program.name: each.numbers for each in samples}
    fates = sweep([each.program for each in samples], numbers, folder)
    for each in samples:
        yield from _modes(each, fates[each.program.name], folder, more)


def _modes(subject: Sample, fates: dict[int, Fate], folder: Path, more: Sequence[str]) -> Iterator[Judged]:
    name, seed, words = subject.program.name, subject.seed, [*subject.options, *more]
    plain: Seen | None = None
    built: Built | None = None
    for number, mode in enumerate([PLAIN, *drawn(seed)]):
        try:
            options = [*options_of(mode), "--max-time", f"{SECONDS:g}", *words]
            result = ran([folder / f"{name}.c"], options, folder / f"{name}-{number}", built)
        except Exception:
            trouble = " | ".join(traceback.format_exc().strip().splitlines()[-3:])
            yield Judged(seed, mode, (trouble,), False, 0, 0, 0)
            continue
        built, found = result.program, seen(result)
        plain = found if mode == PLAIN else plain
        wrong = [*_wrong(result, found, fates), *_wrong_tests(result, fates, subject.values)]
        if plain is not None and not found.is_cut and not plain.is_cut:
            beyond = found.edges - plain.edges - assumed_away(plain, found)
            if plain.edges - found.edges or beyond:
                wrong.append(f"edges: without {sorted(plain.edges - found.edges)}, beyond {sorted(beyond)}")
        yield Judged(seed, mode, tuple(wrong), found.is_cut, found.joins, found.hits, len(found.errors))


def _wrong(result: Result, found: Seen, fates: dict[int, Fate]) -> list[str]:
    """What the run says that the native runs of all inputs contradict."""
    faults = {(fate.kind, fate.line) for fate in fates.values() if fate.kind is not None}
    reported = {(error.kind, error.line) for error in result.errors}
    wrong = [f"alarm: {sorted((each.kind, each.line) for each in result.alarms)}"] if result.alarms else []
    if reported - faults:
        wrong.append(f"false errors {sorted(reported - faults)}")
    if not found.is_cut and faults - reported:
        wrong.append(f"errors that were not found: {sorted(faults - reported)}, verdict {result.verdict}")
    expected = "unsafe" if faults else "safe"
    if found.audit[1]:
        wrong.append(f"audit: {found.audit[1]} obligations failed")
    if result.verdict != expected and not found.is_cut:
        wrong.append(f"verdict {result.verdict}, not {expected}: {result.summary['given_up']}")
    return wrong


def _wrong_tests(result: Result, fates: dict[int, Fate], values: int) -> list[str]:
    """The written tests whose expectation is not what their inputs come to natively."""
    wrong = []
    for path in result.tests:
        test = json.loads(path.read_text())
        if test["expect"] is not None and (fate := fates[_number(test, values)]).what != _claim(test["expect"]).what:
            wrong.append(f"{path.name}: expects {test['expect']}, natively {fate}")
    return wrong


def _number(test: dict[str, Any], values: int) -> int:
    """Which of the native inputs a test is: its bytes modulo the number of values."""
    return sum((bytes.fromhex(given["bytes"])[0] % values) << 8 * i for i, given in enumerate(test["inputs"]))


def _claim(expect: dict[str, Any]) -> Fate:
    return Fate(expect["status"] & 255) if expect["end"] == "exit" else Fate(None, expect["kind"], expect["line"])


def _group(seeds: Sequence[int], more: Sequence[str]) -> list[Judged]:
    with tempfile.TemporaryDirectory() as scratch:
        return list(judge(seeds, Path(scratch), more))


def main() -> int:
    """Prints differences as they come, and what was looked at; the exit status says whether there were any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="programs (default 1000)")
    parser.add_argument(
        "--first", type=int, help="the first seed (default: one that was never looked at, by the clock)"
    )
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="processes (default: one a core)")
    parser.add_argument("--audit", action="store_true", help="prove each join and cover again with the other solver")
    given = parser.parse_args()
    if (lack := missing_tool()) is not None:
        print(f"random_programs: needs {lack}", file=sys.stderr)
        return 2
    first = int(time.time()) * 1000 if given.first is None else given.first
    seeds = range(first, first + given.count)
    groups = [seeds[start : start + GROUP] for start in range(0, len(seeds), GROUP)]
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for judged in pool.map(_group, groups, [["--audit"] if given.audit else []] * len(groups)):
            _tell(judged, counts)
            counts["programs"] += len({one.seed for one in judged})
            print(f"\r{counts['programs']} programs", end="", file=sys.stderr, flush=True)
    print(
        f"\n{counts['programs']} programs from seed {first}, {counts['runs']} runs, {counts['unsafe']} of them "
        f"with errors, {counts['joined']} with joins, {counts['covered']} with covers, {counts['cut']} cut; "
        f"{counts['wrong']} wrong"
    )
    return bool(counts["wrong"])


def _tell(judged: Sequence[Judged], counts: Counter[str]) -> None:
    for one in judged:
        counts["runs"] += 1
        for what, happened in (("joined", one.joins), ("covered", one.hits), ("unsafe", one.errors)):
            counts[what] += happened > 0
        counts["cut"] += one.is_cut
        counts["wrong"] += bool(one.wrong)
        if one.wrong:
            print(f"\rseed {one.seed} [{name_of(one.mode)}] {'; '.join(one.wrong)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
