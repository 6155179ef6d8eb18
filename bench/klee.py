"""How many branches do KLEE and unfork cover on coreutils in the same CPU time? A row for each tool, then ratios.

``python -m bench.klee --work DIR --sources DIR [--tools NAMES] [--engines NAMES] [--cpu S] [--seed N]``

KLEE comes from ``--klee DIR`` (the folder with ``klee``, built with its POSIX run-time and an uclibc), or is built
below the work folder from the four repositories of SOURCES, each a folder or a git repository in ``--sources`` by the
name that SOURCES gives. That needs clang, lld and LLVM 16, cmake, ninja, bison, flex, Boost and gperftools. KLEE_ADDED
has what the tools call and KLEE's uclibc lacks, as KLEE would call the host's.

Every engine's tests run on one native build of each tool: the bitcode of ``unfork cc`` with a note before each branch
(bench/branch_notes.py). The table counts the branches of the tool's own file that they take; ``--curves`` says how many
the tests took that had been written by then. KLEE's bitcode is made by clang-16 at -O1, since it cannot read a newer
one's.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import mean, median

from bench import coreutils
from bench.branch_notes import Noted, native_edges
from bench.processors import Done, run
from unfork.errors import InputError
from unfork.report.formats.ktest import from_ktest
from unfork.world.inputs.file_of_test import to_json

SOURCES = {
    "klee": ("klee/klee", "52201696caccd780175d8ee6541bb9fef52a70a8"),
    "klee-uclibc": ("klee/klee-uclibc", "955d502cc1f0688e82348304b053ad787056c754"),
    "stp": ("stp/stp", "7a3fd493ae6f0a524f853946308f4f3c3ddcbe76"),
    "minisat": ("stp/minisat", "37158a35c62d448b3feccfa83006266e12e5acb7"),
}
"""The repositories on GitHub that KLEE is built from, with the commits that were measured."""
KLEE_ADDED = """
#include <errno.h>
#include <stdlib.h>

void *reallocarray(void *old, size_t count, size_t size)
{
  if (size && count > (size_t)-1 / size) {
    errno = ENOMEM;
    return 0;
  }
  return realloc(old, count * size);
}

extern const unsigned short *__ctype_b;

const unsigned short **__ctype_b_loc(void)
{
  return &__ctype_b;
}

size_t __ctype_get_mb_cur_max(void)
{
  return 1;
}
"""
"""What KLEE's uclibc lacks: reallocarray, and without locales what glibc's headers make of isalpha and MB_CUR_MAX."""
TOOLS = "basename cat comm cut echo fold head join link nl paste seq tr tsort uniq wc".split()
WORLD = "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout".split()
KLEE_OPTIONS = (
    "--simplify-sym-indices --max-memory=4000 --disable-inlining --optimize --use-forked-solver --use-cex-cache "
    "--libc=uclibc --posix-runtime --external-calls=all --only-output-states-covering-new --max-sym-array-size=4096 "
    "--max-solver-time=30s --max-memory-inhibit=false --max-static-fork-pct=1 --max-static-solve-pct=1 "
    "--max-static-cpfork-pct=1 --switch-type=internal --search=random-path --search=nurs:covnew --use-batching-search "
    "--batch-instructions=10000"
).split()
"""Those of KLEE's experiments with coreutils, without what limits the clock."""
UNFORK = {"default": (), "plain": ("--strategy", "plain")}
PARTS = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
"""Where curves are looked at: these parts of a run's time. Its seconds of processors pass evenly, or nearly so."""
BEGUN, OVER = "begun", "over"
"""Empty files in a run's folder, of these moments."""
CLOCK = 20
"""Seconds of the clock that an engine may take for each of processors before it counts as hung."""


@dataclass(frozen=True, slots=True)
class Run:
    """What an engine came to on a tool; ``taken`` of ``branches`` in the file that has main, ``memory`` in MB."""

    taken: int
    branches: int
    tests: int
    memory: int
    cpu: float
    trouble: str = ""
    curve: tuple[int, ...] = ()
    """Of ``taken``, those that tests took which were written within each of PARTS of the time; empty in older files."""


# --- building --------------------------------------------------------------------------------------------------------


def sources(given: Path, work: Path, name: str) -> Path:
    """A tree of one of SOURCES, below ``work``. Raises InputError where it is not in ``given``."""
    tree = work / name
    if tree.exists():
        return tree
    repository, commit = SOURCES[name]
    found = given / name
    if not found.is_dir():
        raise InputError(f"{found}: there must be the repository {repository}")
    half = work / f"{name}.part"
    shutil.rmtree(half, ignore_errors=True)
    if (found / "CMakeLists.txt").exists() or (found / "Makefile").exists():
        shutil.copytree(found, half)
    else:
        half.mkdir()
        wanted = [commit, "--", ".", ":(exclude)utils/data"]
        packed = subprocess.run(["git", "-C", found, "archive", *wanted], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", half], input=packed, check=True)
    half.rename(tree)
    return tree


def build_klee(given: Path, work: Path) -> Path:
    """The folder with the program ``klee``; it is built if it is not there yet."""
    tree = sources(given, work, "klee")
    done = tree / "build" / "bin" / "klee"
    if done.exists():
        return done.parent
    installed = work / "installed"
    simple = ["-DBUILD_SHARED_LIBS=OFF", "-DBoost_USE_STATIC_LIBS=ON", "-DNOCRYPTOMINISAT=ON"]
    for name, more in (("minisat", ["-DSTATICCOMPILE=ON"]), ("stp", simple)):
        _cmake(sources(given, work, name), [*more, f"-DCMAKE_INSTALL_PREFIX={installed}"], ["install"], installed)
    uclibc = sources(given, work, "klee-uclibc")
    if not (uclibc / "lib" / "libc.a").exists():
        words = ["./configure", "--make-llvm-lib", "--with-cc=clang-16", "--with-llvm-config=llvm-config-16"]
        subprocess.run(words, cwd=uclibc, check=True, stdout=subprocess.DEVNULL)
        config = uclibc / ".config"
        lines = [line for line in config.read_text().splitlines() if "LOCALE" not in line]  # its data is a download
        config.write_text(
            "\n".join([*lines, *(f"# UCLIBC_HAS_{name} is not set" for name in ("LOCALE", "XLOCALE"))]) + "\n"
        )
        # new questions have their default answers
        subprocess.run(["make", "-j2"], cwd=uclibc, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    options = ["-DENABLE_SOLVER_STP=ON", "-DENABLE_POSIX_RUNTIME=ON", f"-DKLEE_UCLIBC_PATH={uclibc}"]
    options += ["-DENABLE_UNIT_TESTS=OFF", "-DENABLE_SYSTEM_TESTS=OFF", "-DENABLE_TCMALLOC=ON", "-DENABLE_DOCS=OFF"]
    options += [
        "-DLLVM_DIR=/usr/lib/llvm-16/lib/cmake/llvm",
        "-DLLVMCC=/usr/bin/clang-16",
        "-DLLVMCXX=/usr/bin/clang++-16",
    ]
    _cmake(tree, options, [], installed)
    return done.parent


def _cmake(tree: Path, options: Sequence[str], goals: Sequence[str], prefix: Path) -> None:
    build = tree / "build"
    configure = ["cmake", "-G", "Ninja", "-S", str(tree), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", *options]
    for words in ([*configure, f"-DCMAKE_PREFIX_PATH={prefix}"], ["ninja", "-j2", "-C", str(build), *goals]):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def build_bitcode(work: Path) -> Path:
    """The folder with bitcode of the tools by clang-16."""
    tree = work / "for-klee"
    if not (tree / "built").exists():
        shutil.rmtree(tree, ignore_errors=True)
        (work / "plain").mkdir(exist_ok=True)
        shutil.copytree(coreutils.RELEASE.unpack(work / "plain"), tree, symlinks=True)
        flags = "-g -O1 -Xclang -disable-llvm-passes -flto -D__NO_STRING_INLINES -D_FORTIFY_SOURCE=0 -U__OPTIMIZE__"
        settings = {**os.environ, "FORCE_UNSAFE_CONFIGURE": "1", "CFLAGS": flags, "CC": "clang-16"}
        settings |= {"AR": "llvm-ar-16", "RANLIB": "llvm-ranlib-16", "NM": "llvm-nm-16"}
        settings["LDFLAGS"] = "-fuse-ld=lld-16 -Wl,--save-temps"
        for words in (["./configure", "--disable-nls"], ["make", "-j2"]):
            subprocess.run(words, cwd=tree, env=settings, check=True, stdout=subprocess.DEVNULL)
        added = tree / "added.c"
        added.write_text(KLEE_ADDED)
        subprocess.run(["clang-16", "-g", "-O1", "-emit-llvm", "-c", "added.c"], cwd=tree, check=True)
        (tree / "built").touch()
    return tree


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bench:
    """What all runs share: seconds of processors ``cpu`` for each, and the folders with programs and runs."""

    runs: Path
    cpu: float
    seed: int
    native: Path
    """The folder with the bitcode of ``unfork cc``."""
    klee: Path | None = None
    bitcode: Path | None = None
    """The folder with KLEE's bitcode and what it lacks."""


def with_klee(bench: Bench, tool: str) -> Run:
    """A run of KLEE. Its tests are kept as unfork's."""
    assert bench.klee is not None and bench.bitcode is not None
    out = fresh(bench, "klee", tool)
    (out / "environment").write_text("TERM=dumb\n")
    words = [
        str(bench.klee / "klee"),
        *KLEE_OPTIONS,
        f"--env-file={out / 'environment'}",
        f"--rng-initial-seed={bench.seed + 1}",
    ]
    words += [f"--output-dir={out / 'klee'}", f"--link-llvm-lib={bench.bitcode / 'added.bc'}"]
    words.append(f"--max-time={CLOCK * bench.cpu:g}s")
    done = limited(bench, [*words, str(bench.bitcode / "src" / f"{tool}.0.0.preopt.bc"), *WORLD], out, os.environ)
    tests = out / "tests"
    tests.mkdir()
    for file in sorted((out / "klee").glob("*.ktest")):
        test = tests / f"{file.stem}.json"
        test.write_text(to_json(from_ktest(file.read_bytes(), str(file))))
        shutil.copystat(file, test)
    missing = "" if any(tests.iterdir()) else done.stderr.strip()[-500:] or "no test"
    return judged(bench, tool, out, tests, done, missing)


def with_unfork(options: Sequence[str], bench: Bench, tool: str, name: str) -> Run:
    """A run of unfork with options, called ``name``."""
    out = fresh(bench, name, tool)
    words = [sys.executable, "-m", "unfork", "run", str(bench.native / f"{tool}.bc"), "--no-progress", *options]
    words += ["--seed", str(bench.seed), "--max-time", f"{CLOCK * bench.cpu:g}", "--out", str(out / "run")]
    environment = {**os.environ, "PYTHONPATH": str(coreutils.SOURCE)}
    done = limited(bench, [*words, "--", *WORLD], out, environment)
    missing = "" if (out / "run" / "tests").is_dir() else done.stderr.strip()[-500:] or "no run"
    return judged(bench, tool, out, out / "run" / "tests", done, missing)


def fresh(bench: Bench, name: str, tool: str) -> Path:
    """An empty folder for a run."""
    out = bench.runs / f"{name}-{bench.seed}" / tool
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    return out


def limited(bench: Bench, words: Sequence[str], out: Path, environment: Mapping[str, str]) -> Done:
    """What a command came to, interrupted when its processes have used up their seconds."""
    begun = out / BEGUN
    begun.touch()
    done = run(words, out, environment, CLOCK * bench.cpu + 120, bench.cpu)
    (out / OVER).touch()
    return done


def judged(bench: Bench, tool: str, out: Path, tests: Path, done: Done, missing: str) -> Run:
    """The branches of the tool's own file that its tests take natively."""
    noted = Noted.of(bench.native / f"{tool}.bc")
    own = noted.edges_of(noted.main_file)
    by_test: dict[Path, set[tuple[str, int, int]]] = {}
    if not missing:
        with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as here:
            by_test = native_edges(noted, tool, tests, Path(scratch), Path(here))
    curve = tuple([len(own & set().union(*some)) for some in _growing(out, by_test)])
    count = len(list(tests.glob("*.json"))) if tests.is_dir() else 0
    return Run(curve[-1], len(own), count, done.memory >> 20, round(done.cpu, 1), missing, curve)


def _growing(out: Path, by_test: Mapping[Path, set[tuple[str, int, int]]]) -> Iterator[list[set[tuple[str, int, int]]]]:
    """For each of PARTS, what the tests took that had been written by then; for the last one, what all took."""
    begun, over = ((out / name).stat().st_mtime for name in (BEGUN, OVER))
    for part in PARTS:
        until = begun + part * (over - begun) if part < 1 else math.inf
        yield [edges for test, edges in by_test.items() if test.stat().st_mtime <= until]


# --- table -----------------------------------------------------------------------------------------------------------

Found = dict[str, dict[str, list[Run]]]
"""Runs by tool and engine, one a seed."""


def table(found: Found, engines: Sequence[str]) -> str:
    """What was found, a line a tool; medians of ratios to KLEE where it ran."""
    head = ["tool", "branches", *engines, *(f"MB: {name}" for name in engines), *(f"tests: {name}" for name in engines)]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for tool, runs in found.items():
        every = [runs.get(name, []) for name in engines]
        branches = max(run.branches for several in every for run in several)
        cells = [tool, str(branches)]
        for read in (_taken, _memory, _tests):
            cells += [", ".join(str(read(run)) for run in several) or "-" for several in every]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    for name in engines:
        shares = [mean(run.taken / run.branches for run in runs[name]) for runs in found.values() if name in runs]
        if shares:
            lines.append(f"- {name}: {100 * median(shares):.0f} % of the branches in the median of {len(shares)} tools")
    lines += [
        _against(found, name, other) for other in engines for name in engines if name != other and other != "default"
    ]
    return "\n".join(lines) + "\n"


def curves(found: Found, engines: Sequence[str], cpu: float) -> str:
    """Branches over time: a line for each tool and engine, with the mean over its seeds."""
    heads = [f"{part * cpu:.3g} s" for part in PARTS]
    lines = ["| " + " | ".join(["tool", "engine", *heads]) + " |", "|" + " --- |" * (2 + len(heads))]
    for tool, runs in found.items():
        for name in engines:
            every = [run.curve for run in runs.get(name, []) if run.curve]
            if every:
                cells = [f"{mean(column):.0f}" for column in zip(*every, strict=True)]
                lines.append("| " + " | ".join([tool, name, *cells]) + " |")
    return "\n".join(lines) + "\n"


def _against(found: Found, name: str, other: str) -> str:
    """How ``name`` compares with ``other`` in the tools that both ran."""
    both = [(tool, runs[name], runs[other]) for tool, runs in found.items() if name in runs and other in runs]
    ratios = {tool: mean(map(_taken, one)) / max(1, mean(map(_taken, two))) for tool, one, two in both}
    memory = [mean(map(_memory, one)) / max(1, mean(map(_memory, two))) for _, one, two in both]
    if not both:
        return f"- {name} and {other}: no tool that both ran"
    below = ", ".join(f"{tool} {ratio:.2f}" for tool, ratio in ratios.items() if ratio < 1) or "none"
    return (
        f"- {name} against {other}: {median(ratios.values()):.2f} times the branches in the median, fewer on {below}; "
        f"{median(memory):.1f} times the memory in the median, {max(memory):.1f} at most"
    )


def _taken(run: Run) -> int:
    return run.taken


def _memory(run: Run) -> int:
    return run.memory


def _tests(run: Run) -> int:
    return run.tests


# --- command ---------------------------------------------------------------------------------------------------------


def main() -> int:
    """The command."""
    coreutils.check_enclosure()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir()) / "unfork-klee", help="for builds, runs"
    )
    parser.add_argument("--sources", type=Path, help="a folder with the repositories that KLEE is built from")
    parser.add_argument("--klee", type=Path, help="the folder with the program klee, built already")
    parser.add_argument("--tree", type=Path, help="coreutils as bench/coreutils.py builds them")
    parser.add_argument("--tools", default=",".join(TOOLS), help="names, separated by commas")
    parser.add_argument("--engines", default="klee,default,plain", help="some of klee, default, plain")
    parser.add_argument("--cpu", type=float, default=30, help="seconds of processors for each run")
    parser.add_argument("--seeds", default="0", help="numbers, separated by commas; a run for each")
    parser.add_argument("--kept", action="store_true", help="explore nothing: the table of the runs in the work folder")
    parser.add_argument("--curves", action="store_true", help="print branches over time, for runs of --cpu seconds")
    given = parser.parse_args()
    work: Path = given.work
    work.mkdir(parents=True, exist_ok=True)
    engines = given.engines.split(",")
    unknown = set(engines) - {"klee", *UNFORK}
    if unknown or ("klee" in engines and not given.kept and given.klee is None and given.sources is None):
        parser.error(f"no engine {', '.join(unknown)}" if unknown else "KLEE needs --klee or --sources")
    found: Found = {tool: {} for tool in given.tools.split(",")}
    kept = work / "runs"
    if not given.kept:
        tree = given.tree or coreutils.build(work / "coreutils")
        bench = Bench(kept, given.cpu, 0, tree / "src")
        if "klee" in engines:
            klee = given.klee or build_klee(given.sources, work)
            bench = replace(bench, klee=klee, bitcode=build_bitcode(work))
        explore(bench, [int(seed) for seed in given.seeds.split(",")], engines, list(found))
    for file in sorted(kept.glob("*.json")):
        name, tool, _ = file.stem.split("-")
        if tool in found and name in engines:
            found[tool].setdefault(name, []).append(Run(**json.loads(file.read_text())))
    found = {tool: runs for tool, runs in found.items() if runs}
    print(curves(found, engines, given.cpu) if given.curves else table(found, engines))
    return 0


def explore(bench: Bench, seeds: Sequence[int], engines: Sequence[str], tools: Sequence[str]) -> None:
    """Run and keep everything, engines side by side for each tool."""
    ways: dict[str, Callable[[Bench, str], Run]] = {"klee": with_klee}
    ways |= {name: partial(with_unfork, options, name=name) for name, options in UNFORK.items()}
    for seed in seeds:
        for tool in tools:
            for name in engines:
                ran = ways[name](replace(bench, seed=seed), tool)
                (bench.runs / f"{name}-{tool}-{seed}.json").write_text(json.dumps(asdict(ran)))
                print(f"{tool}, {name}, seed {seed}: {ran}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
