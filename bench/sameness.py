"""Does a change keep behaviour? Prints where verdicts, errors or counts of sixty programs in five modes differ.

``python -m bench.sameness record FILE`` writes them down, ``python -m bench.sameness compare FILE`` runs all again and
prints what differs in verdicts, errors, forks, instructions and queries; the exit status is 1 if anything does. Runs
are bounded by work, not by time, so that both come to the same end on any machine. ``--seconds`` bounds them by time,
too: what it cuts in the second run is counted apart. ``--only`` names any program of the corpus, ``--modes`` some
modes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from bench.agreement import ran
from tests.support.corpus import PROGRAMS as CORPUS
from tests.support.corpus import read
from unfork.errors import OutOfTime

BENCH = Path(__file__).parent
SINGLE = (*sorted((BENCH / "programs").glob("*.c")), *sorted((BENCH.parent / "examples").glob("*.c")))
FUNCTIONS = {"array_partition": ("--function", "partition"), "list_partition": ("--function", "partition")}
"""What those need that have no main."""
FROM_CORPUS = (
    "addresses/beyond_bug",
    "atexit/runs_on_exit_call",
    "builtins/rotate_and_reverse",
    "casts/narrowing_check_bug",
    "control/phi_many_predecessors",
    "fault_continues/condition_is_learnt",
    "faults/double_free_bug",
    "faults/remainder_fixed",
    "floats_symbolic/int_round_trip",
    "function_pointers/table_symbolic",
    "inline_assembly/unsupported_on_one_path",
    "kernel_symbolic/contents",
    "klee_functions/choose",
    "libc_sorting/comparator_bug",
    "memory_functions/empty_range_bug",
    "optimised/o2_string_switch",
    "overflow_check/remainder_overflow_bug",
    "setjmp/resource_leak_fixed",
    "shift_check/both_checks",
    "source_lines/ternary_and_loops_bug",
    "structs/union_confusion_bug",
    "symbolic_offsets/counting_occurrences",
    "symbolic_ranges/one_field_bug",
    "unfork_functions/check_fixed",
    "uninitialised/used_as_index_bug",
)
"""Every seventeenth program of the corpus that has inputs, in the order of names."""
FROM_PRUNING = (
    "programs/automaton_bug.c",
    "programs/queue_fixed.c",
    "interpolation/programs/copies_agree_bug.c",
    "interpolation/programs/jump_back_bug.c",
    "interpolation/programs/recursion_bug.c",
)
MODES = {
    "default": (),
    "plain": ("--merge", "none", "--search", "dfs"),
    "joined": ("--merge", "static", "--similar", "always"),
    "subsume": ("--prune", "subsume"),
    "interpolate": ("--merge", "none", "--search", "dfs", "--prune", "interpolate"),
}
BOUNDS = ("--max-instructions", "200000", "--max-forks", "400", "--solver-timeout", "120", "--native-check", "never")
"""Of each run; what a native compiler says depends on the machine."""


MAX_TIME = "max-time"
"""By what a run is stopped that --seconds cuts."""


def programs() -> dict[str, tuple[Path, tuple[str, ...], tuple[str, ...]]]:
    """Each program's name, with its file, options and arguments."""
    listed: dict[str, tuple[Path, tuple[str, ...], tuple[str, ...]]] = {
        f"{path.parent.name}/{path.stem}": (path, FUNCTIONS.get(path.stem, ()), ()) for path in SINGLE
    }
    for path in (
        *(CORPUS / f"{name}.c" for name in FROM_CORPUS),
        *(CORPUS.parent / "reduce" / "prune" / n for n in FROM_PRUNING),
    ):
        program = read(path)
        listed[program.name] = (path, program.options, program.args)
    return listed


def named(name: str) -> tuple[Path, tuple[str, ...], tuple[str, ...]]:
    """The file, options and arguments of one of these programs, or of another one of the corpus."""
    if (ours := programs().get(name)) is not None:
        return ours
    program = read(CORPUS / f"{name}.c")
    return program.path, program.options, program.args


def looked_at(name: str, modes: Sequence[str], bounds: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What the runs of one program come to, by mode."""
    path, options, arguments = named(name)
    by_mode: dict[str, dict[str, Any]] = {}
    built = None
    for mode in modes:
        words = [*options, *MODES[mode], *bounds]
        with tempfile.TemporaryDirectory() as scratch:
            try:
                result = ran([path], words, Path(scratch) / "out", built, arguments)
            except OutOfTime:
                by_mode[mode] = {"stopped_by": MAX_TIME}
                continue
            except Exception:
                by_mode[mode] = {"exception": traceback.format_exc().strip().splitlines()[-1]}
                continue
            built = result.program
            by_mode[mode] = {
                "verdict": result.verdict,
                "errors": sorted([error.kind, Path(error.file or "").name, error.line] for error in result.errors),
                "alarms": sorted([alarm.kind, Path(alarm.file or "").name, alarm.line] for alarm in result.alarms),
                "tests": len(result.tests),
                "forks": result.summary["forks"],
                "instructions": result.summary["instructions"],
                "queries": result.summary["solver"]["queries"],
                "joins": result.summary["merges"]["done"],
                "covers": result.summary["prunes"]["hits"],
                "completed": result.summary["paths"]["completed"],
                "stopped_by": result.summary["stopped_by"],
            }
    return by_mode


def all_runs(given: argparse.Namespace) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Each program with what its runs came to, in order."""
    names = [*programs()] if given.only is None else given.only
    bounds = BOUNDS if given.seconds is None else (*BOUNDS, "--max-time", str(given.seconds))
    look = partial(looked_at, modes=given.modes, bounds=bounds)
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        yield from zip(names, pool.map(look, names), strict=True)


def compare(given: argparse.Namespace) -> bool:
    """Run all again; prints what differs from the record. Returns whether anything does."""
    before = json.loads(given.file.read_text())
    verdicts = {"same": 0, "differing": 0, "not answered in time": 0}
    for name, by_mode in all_runs(given):
        for mode, now in by_mode.items():
            then = before.get(name, {}).get(mode) or {}
            is_late = now.get("stopped_by") == MAX_TIME
            verdict = "same" if then == now else "not answered in time" if is_late else "differing"
            verdicts[verdict] += 1
            changes = [f"{key} {then.get(key)} -> {now.get(key)}" for key in now if then.get(key) != now[key]]
            if changes:
                print(f"{name} {mode}: {verdict}: {'; '.join(changes)}", flush=True)
    print(f"runs: {', '.join(f'{count} {verdict}' for verdict, count in verdicts.items())}")
    return bool(verdicts["differing"])


def main() -> int:
    """Records or compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--only", nargs="+", default=None, metavar="NAME", help="programs (default: the sixty)")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=[*MODES], help="default: all")
    parser.add_argument("--seconds", type=int, default=None, metavar="N", help="for each run (default: any)")
    given = parser.parse_args()
    if given.what == "record":
        given.file.write_text(json.dumps(dict(all_runs(given)), indent=1) + "\n")
        return 0
    return compare(given)


if __name__ == "__main__":
    sys.exit(main())
