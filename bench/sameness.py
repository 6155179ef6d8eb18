"""Does a change keep behaviour? Prints where verdicts, errors or counts of sixty programs in five modes differ.

``python -m bench.sameness record FILE`` writes them down, ``python -m bench.sameness compare FILE`` runs all again and
prints what differs in verdicts, errors, forks, instructions and queries; the exit status is 1 if anything does. Runs
are bounded by work, not by time, so that both come to the same end on any machine.
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
from pathlib import Path
from typing import Any

from bench.agreement import ran
from tests.support.corpus import PROGRAMS as CORPUS
from tests.support.corpus import read

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


def programs() -> dict[str, tuple[Path, tuple[str, ...], tuple[str, ...]]]:
    """Each program's name, with its file, options and arguments."""
    named: dict[str, tuple[Path, tuple[str, ...], tuple[str, ...]]] = {
        f"{path.parent.name}/{path.stem}": (path, FUNCTIONS.get(path.stem, ()), ()) for path in SINGLE
    }
    for path in (
        *(CORPUS / f"{name}.c" for name in FROM_CORPUS),
        *(CORPUS.parent / "reduce" / "prune" / n for n in FROM_PRUNING),
    ):
        program = read(path)
        named[program.name] = (path, program.options, program.args)
    return named


def looked_at(name: str) -> dict[str, dict[str, Any]]:
    """What the runs of one program come to, by mode."""
    path, options, arguments = programs()[name]
    by_mode: dict[str, dict[str, Any]] = {}
    built = None
    for mode, words in MODES.items():
        with tempfile.TemporaryDirectory() as scratch:
            try:
                result = ran([path], [*options, *words, *BOUNDS], Path(scratch) / "out", built, arguments)
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


def all_runs(names: Sequence[str], jobs: int) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Each program with what its runs came to, in order."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from zip(names, pool.map(looked_at, names), strict=True)


def main() -> int:
    """Records or compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--only", nargs="+", default=None, metavar="NAME", help="programs (default: all)")
    given = parser.parse_args()
    names = [name for name in programs() if given.only is None or name in given.only]
    if given.what == "record":
        given.file.write_text(json.dumps(dict(all_runs(names, given.jobs)), indent=1) + "\n")
        return 0
    before = json.loads(given.file.read_text())
    differing = 0
    for name, by_mode in all_runs(names, given.jobs):
        for mode, now in by_mode.items():
            then = before.get(name, {}).get(mode)
            if then == now:
                continue
            differing += 1
            changes = [
                f"{key} {(then or {}).get(key)} -> {now.get(key)}" for key in now if (then or {}).get(key) != now[key]
            ]
            print(f"{name} {mode}: {'; '.join(changes)}", flush=True)
    print(f"{len(names)} programs in {len(MODES)} modes: {differing} of {len(names) * len(MODES)} runs differ")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
