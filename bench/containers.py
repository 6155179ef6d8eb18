"""Tests for containers (Anand06, section 6): sequences of API calls, with and without matching of states between them.

A row is a container with at most so many calls. Branches: those of its source that gcov sees taken when the tests of
the run are made natively, beside those that concrete testing to a larger bound takes (all sequences of six calls on few
keys, and two million random calls on many keys). Predicates: combinations of the container's predicates that occur at
its branches (SEEN in the sources), again beside what concrete testing meets. "After" is when the last test was written
that took a new branch. Assertions are off: their failing sides are no targets.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from measure import HERE, PROGRAMS, table

FOLDER = PROGRAMS / "containers"
HEADERS = HERE.parent / "src" / "unfork" / "include"
LONGEST = 60
"""Seconds of one run."""
HEAD = (
    "container",
    "calls",
    "matching",
    "branches",
    "predicates",
    "after s",
    "whole s",
    "CPU s",
    "sequences",
    "states",
)
SETTINGS = ("-O0", "-w", "-DNDEBUG", f"-I{HEADERS}", f"-I{FOLDER}")


@dataclass(frozen=True, slots=True)
class Container:
    """A container, how drive.c calls it, and the calls that are made of it, in an order of --search.

    ``keys``: of exhaustive concrete tests.
    """

    name: str
    define: str
    calls: str
    most: int
    keys: int
    search: str = "bfs"


CONTAINERS = (
    Container("list_set", "LIST", "list_add,list_remove,list_contains", 5, 5),
    Container("tree_map", "TREE", "tree_put,tree_remove,tree_get", 7, 5),
    Container("binomial_heap", "BINOMIAL", "heap_add,heap_remove_min,heap_remove,heap_contains", 8, 4),
    Container("fibonacci_heap", "FIBONACCI", "heap_add,heap_remove_min,heap_decrease,heap_remove,heap_contains", 6, 3),
    Container("hash_table", "HASH", "table_add,table_remove,table_contains", 6, 5, "coverage"),
)


@dataclass(frozen=True, slots=True)
class Reached:
    """What native runs reach: branches as (line, number on it), and ids of predicate combinations."""

    branches: frozenset[tuple[int, int]]
    predicates: frozenset[int]

    def among(self, other: Reached) -> tuple[str, str]:
        """How much of what ``other`` reaches, in words."""
        both = (self.branches & other.branches, other.branches), (self.predicates & other.predicates, other.predicates)
        branches, predicates = (f"{len(mine)}/{len(all_of)}" for mine, all_of in both)
        return branches, predicates


def natively(program: Path, defines: Sequence[str], runs: Sequence[Sequence[str]], source: str) -> Reached:
    """Compile a C file, run it with each of the argument lists, and see what of ``source`` was reached."""
    folder = program.parent
    words = ["gcc", *SETTINGS, *defines, str(program), "-o", "program"]
    predicates: set[int] = set()
    for more in (["-DPREDICATES"], ["--coverage"]):
        subprocess.run([*words, *more], cwd=folder, check=True)
        for arguments in runs:
            done = subprocess.run(["./program", *arguments], cwd=folder, check=True, capture_output=True, text=True)
            predicates.update(map(int, done.stdout.split()))
    [notes] = folder.glob("*.gcda")
    told = subprocess.run(["gcov", "-b", "-t", "-j", notes.name], cwd=folder, check=True, capture_output=True)
    branches = frozenset(
        (line["line_number"], number)
        for file in json.loads(told.stdout)["files"]
        if Path(file["file"]).name == source
        for line in file["lines"]
        for number, branch in enumerate(line["branches"])
        if branch["count"]
    )
    return Reached(branches, frozenset(predicates))


@lru_cache(None)
def concretely(container: Container) -> Reached:
    """What concrete testing reaches."""
    runs = (("all", "6", str(container.keys)), ("random", "2000000", "24"))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "driver.c"
        program.write_text(f'#include "{FOLDER / "drive.c"}"\n')
        return natively(program, [f"-D{container.define}"], runs, f"{container.name}.c")


def sequences(container: Container, out: Path, folder: Path) -> Reached:
    """What the tests of a run reach natively."""
    bodies = [test.read_text().rpartition("int main(void) {")[2] for test in sorted((out / "tests").glob("*.c"))]
    text = [f'#include "{FOLDER / "drive.c"}"']
    text += [f"static int test_{number}(void) {{{body}" for number, body in enumerate(bodies)]
    calls = " ".join(f"test_{number}();" for number in range(len(bodies)))
    program = folder / "tests.c"
    program.write_text("\n".join([*text, f"int main(void) {{ {calls} tell(); return 0; }}\n"]))
    return natively(program, [f"-D{container.define}", "-DNO_MAIN"], [()], f"{container.name}.c")


def cells(container: Container, most: int, words: Sequence[str], *, is_matched: bool) -> tuple[tuple[str, ...], bool]:
    """The row as measured; whether all branches were reached, where states are matched."""
    mode = ("--prune", "subsume" if is_matched else "none", "--merge", "none", "--search", container.search)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "run"
        command = [
            sys.executable,
            "-m",
            "unfork",
            "run",
            "--cores",
            "1",
            str(FOLDER / f"{container.name}.c"),
            "--libc",
            "none",
        ]
        command += ["-D", "NDEBUG", "-D", "PREDICATES", "--calls", container.calls, "--max-calls", str(most), *mode]
        command += ["--formats", "c", "--max-time", str(LONGEST), "--out", str(out), "--quiet", *words]
        before = children()
        subprocess.run(command, check=False, timeout=10 * LONGEST)
        spent = children() - before
        summary = json.loads((out / "summary.json").read_text())
        reached = sequences(container, out, Path(scratch))
        whole = concretely(container)
        began = (out / "program.bc").stat().st_mtime
        last = [test for test in (out / "tests").glob("*.json") if takes_a_branch(json.loads(test.read_text()))]
        after = max([test.stat().st_mtime for test in last], default=began) - began
    branches, predicates = reached.among(whole)
    seconds = f"{summary['seconds']:.1f}" + ("" if summary["exhausted"] else " (cut)")
    counts = str(summary["paths"]["completed"] + summary["paths"]["pruned"]), str(summary["prunes"]["stored"])
    shown = (branches, predicates, f"{after:.1f}", seconds, f"{spent:.1f}", *counts)
    is_good = not is_matched or whole.branches <= reached.branches
    return (container.name, str(most), "yes" if is_matched else "no", *shown), is_good


def takes_a_branch(test: dict[str, list[str]]) -> bool:
    """Whether a test was written for a branch of the container, and not for a combination of predicates alone."""
    return any(not name.startswith(("goal ", "unfork-calls.c:")) for name in test["branches"])


def children() -> float:
    """Seconds of processor time that child processes have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Print the table; whether a container's branches were not all reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, help="calls of a sequence at most, for every container")
    parser.add_argument("--only", help="this container alone")
    parser.add_argument("--matched", action="store_true", help="with matching alone")
    parser.add_argument("words", nargs="*", help="further options of unfork run, after --")
    given = parser.parse_args()
    if shutil.which("gcc") is None or shutil.which("gcov") is None:
        parser.error("gcc and gcov are needed")
    chosen = [one for one in CONTAINERS if given.only in (None, one.name)]
    return table(
        "Sequences of calls on containers (Anand06)",
        HEAD,
        (
            cells(one, given.calls or one.most, given.words, is_matched=is_matched)
            for one in chosen
            for is_matched in ((True,) if given.matched else (True, False))
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
