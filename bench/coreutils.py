"""How much of GNU coreutils is covered, and do the tests replay natively? A row for each tool, then medians.

``python -m bench.coreutils [--tools NAMES] [--time S | --cpu S] [--jobs N] [--options "..."]``

The sources are Debian's; the script fetches them, builds them with ``unfork cc`` and keeps them outside the repository.
Branch coverage stands there twice: as the engine counts it, and as native runs of the tests show it. For the latter the
engine's own bitcode is compiled with a note before each branch, so that both number edges alike. ``--cpu S`` interrupts
a run once all its processes together have used S seconds of processors, so that neither a busy machine nor more
processes change what a run gets.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

from bench.branch_notes import Edge, Noted, edge_of, native_edges
from bench.known_bugs import Debian
from bench.measure import WORLD
from bench.processors import Done, run
from unfork.errors import InputError
from unfork.report.replay.binary import Enclosure, NativeBinary

RELEASE = Debian("coreutils", "9.1")
SETUP_SECONDS = 240
"""What a run may take beyond its limit before it counts as hung."""
SOURCE = Path(__file__).resolve().parent.parent / "src"
COUNT = re.compile(r"^(\d+) of (\d+) tests end as expected(?:, (\d+) do not)?(?:, (\d+) cannot be judged)?", re.M)


@dataclass(slots=True)
class Tool:
    """What one tool's run came to. Coverage is (covered, total) edges; ``own`` is that of the file that has main."""

    name: str
    verdict: str = ""
    ended: str = ""
    """exhausted, the limit that stopped it, or CRASH."""
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of processors, by all processes of the run."""
    paths: int = 0
    tests: int = 0
    errors: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    own: tuple[int, int] = (0, 0)
    near: tuple[int, int] = (0, 0)
    """Of all files in the folder of that one."""
    everything: tuple[int, int] = (0, 0)
    equal: int = 0
    different: list[str] = field(default_factory=list)
    unjudged: int = 0
    native: int | None = None
    """Edges that the native runs of the tests of finished paths took."""
    native_own: int = 0
    """Edges of the file that has main that the native runs of all tests took."""
    native_near: int = 0
    """The same, of its folder."""
    native_only: list[str] = field(default_factory=list)
    """Those of them that the engine did not take."""
    denied: list[str] = field(default_factory=list)
    """Edges that a test claims and that its native run did not take, whether the path was finished or cut."""
    engine_only: list[str] = field(default_factory=list)
    """Edges that the engine took and no native run of any test."""
    trouble: str = ""


# --- sources ---------------------------------------------------------------------------------------------------------


def build(work: Path) -> Path:
    """The built tree of coreutils below ``work``; unpacked and built if it is not there yet."""
    tree = RELEASE.unpack(work)
    if not (tree / "src" / "yes.bc").exists():
        make(tree, work, ["--host=x86_64-linux-musl", "--disable-nls"])
    return tree


def make(tree: Path, work: Path, options: Sequence[str]) -> None:
    """Configure with options, and build a tree with ``unfork cc``."""
    programs = work / "bin"
    programs.mkdir(exist_ok=True)
    starter = programs / "unfork"
    starter.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m unfork "$@"\n')
    starter.chmod(0o755)
    settings = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "FORCE_UNSAFE_CONFIGURE": "1"}
    for words in (["./configure", *options, "CC=unfork cc", "AR=unfork ar"], ["make", "-j2"]):
        subprocess.run(words, cwd=tree, env=settings, check=True, stdout=subprocess.DEVNULL)


def tools(folder: Path) -> list[str]:
    """The programs that stand beside their bitcode."""
    names = (one.stem for one in folder.glob("*.bc"))
    return sorted(name for name in names if "." not in name and os.access(folder / name, os.X_OK))


# --- one tool --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds that a run may take: of the clock, or of processors."""

    seconds: float
    of_processors: bool

    def clock(self) -> float:
        """What the run is told; of processors it uses at least a tenth of one, or it hangs."""
        return self.seconds * (10 if self.of_processors else 1)


def explore(
    folder: Path,
    runs: Path,
    limit: Limit,
    options: Sequence[str],
    native: bool,
    name: str,
    world: Sequence[str] = WORLD,
) -> Tool:
    """Run one tool, given ``world``, and replay its tests."""
    tool = Tool(name)
    place = runs / f"{name}.run"
    shutil.rmtree(place, ignore_errors=True)
    bitcode = folder / f"{name}.bc"
    began = time.monotonic()
    words = ["run", str(bitcode), "--max-time", f"{limit.clock():g}", "--no-progress", "--out", str(place), *options]
    cpu = limit.seconds if limit.of_processors else float("inf")
    done = unfork([*words, "--", *world], runs, limit.clock() + SETUP_SECONDS, cpu)
    tool.seconds = round(time.monotonic() - began, 1)
    tool.cpu = round(done.cpu, 1)
    if done.status is None or not (place / "summary.json").exists() or "Traceback" in done.stderr:
        tool.ended = "CRASH" if done.status is not None else "HUNG"
        tool.trouble = "no end" if done.status is None else done.stderr.strip()[-2000:]
        return tool
    read_run(tool, place, bitcode)
    replay(tool, place, folder / name)
    if native and tool.ended != "CRASH":
        compare_coverage(tool, place, bitcode)
    return tool


def known(folder: Path, runs: Path, native: bool, name: str) -> Tool:
    """An earlier run of a tool; its coverage is compared if that is still to be done."""
    tool = Tool(**json.loads((runs / f"{name}.json").read_text()))
    if native and tool.native is None and (runs / f"{name}.run" / "run.db").exists():
        compare_coverage(tool, runs / f"{name}.run", folder / f"{name}.bc")
    return tool


def check_enclosure() -> None:
    """Refuse to go on where tests could do harm: some of them delete files, change the clock, or start a shell."""
    nothing = shutil.which("true")
    with tempfile.TemporaryDirectory() as here:
        if nothing is None:
            raise InputError("there is no program to try the enclosure with")
        NativeBinary(Path(nothing), "true", Path(here), {}, Enclosure.REQUIRED)


def unfork(words: Sequence[str], folder: Path, seconds: float, cpu: float = float("inf")) -> Done:
    """A command of unfork's."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return run([sys.executable, "-m", "unfork", *words], folder, environment, seconds, cpu)


def read_run(tool: Tool, place: Path, bitcode: Path) -> None:
    """What the run directory says."""
    summary = json.loads((place / "summary.json").read_text())
    tool.verdict = summary["verdict"]
    tool.ended = "exhausted" if summary["exhausted"] else summary["stopped_by"] or "given up in part"
    tool.paths = summary["paths"]["completed"]
    tool.tests = len(list((place / "tests").glob("*.json")))
    tree = f"{bitcode.resolve().parents[1]}/"
    tool.errors = [f"{one['kind']} at {one['file'].removeprefix(tree)}:{one['line']}" for one in summary["errors"]]
    tool.unsupported = summary["unsupported"]
    noted = Noted.of(bitcode)
    covered = engine_edges(place) & noted.numbers.keys()
    own = noted.edges_of(noted.main_file)
    tool.own = (len(covered & own), len(own))
    near = noted.edges_near(noted.main_file)
    tool.near = (len(covered & near), len(near))
    tool.everything = (len(covered), len(noted.numbers))


def engine_edges(place: Path) -> set[Edge]:
    """The edges that a run has covered."""
    with sqlite3.connect(f"file:{place / 'run.db'}?mode=ro", uri=True) as database:
        return set(database.execute("SELECT function, block, successor FROM coverage WHERE covered"))


def cut_tests(place: Path) -> set[str]:
    """The tests of paths that the limit cut: what came after that is not in the engine's coverage."""
    with sqlite3.connect(f"file:{place / 'run.db'}?mode=ro", uri=True) as database:
        return {name for (name,) in database.execute("SELECT test FROM states WHERE ended = 'left' AND test <> ''")}


def replay(tool: Tool, place: Path, program: Path) -> None:
    """Run the tests on the real program."""
    done = unfork(["replay", str(place), "--native", "--program", str(program)], place, 60 + 2 * tool.tests)
    found = COUNT.search(done.stdout)
    if done.status is None or found is None:
        tool.trouble = "no replay: " + ("no end" if done.status is None else done.stderr.strip()[-500:])
        return
    tool.equal, tool.unjudged = int(found[1]), int(found[4] or 0)
    tool.different = [line for line in done.stdout.splitlines() if "DIFFERENT" in line or "OUT OF TIME" in line]


def compare_coverage(tool: Tool, place: Path, bitcode: Path) -> None:
    """The edges that the tests take natively against those that the engine claims for them."""
    noted = Noted.of(bitcode)
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as here:
        try:
            taken = native_edges(noted, tool.name, place / "tests", Path(scratch), Path(here))
        except (subprocess.CalledProcessError, OSError) as problem:
            tool.trouble = f"no native coverage: {problem}"
            return
    cut = cut_tests(place)
    finished: set[Edge] = set()
    every: set[Edge] = set()
    denied: set[Edge] = set()
    for file, edges in taken.items():
        test = json.loads(file.read_text())
        every |= edges
        if f"tests/{file.name}" not in cut and test["expect"] is not None:
            finished |= edges
        denied |= {edge_of(one) for one in test["branches"]} & noted.numbers.keys() - edges
    engine = engine_edges(place) & noted.numbers.keys()
    tool.native = len(finished)
    tool.native_own = len(every & noted.edges_of(noted.main_file))
    tool.native_near = len(every & noted.edges_near(noted.main_file))
    tool.native_only = noted.names(finished - engine)
    tool.denied = noted.names(denied)
    tool.engine_only = noted.names(engine - every)


# --- table -----------------------------------------------------------------------------------------------------------


def percent(part: int, whole: int) -> str:
    """A share as text."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def row(tool: Tool) -> list[str]:
    """A line of the table."""
    own = f"{percent(*tool.own)} of {tool.own[1]}"
    own_native = "-" if tool.native is None else percent(tool.native_own, tool.own[1])
    equal = f"{tool.equal}/{tool.equal + len(tool.different)}"
    off = [f"+{len(tool.native_only)}", f"-{len(tool.denied)}", f"?{len(tool.engine_only)}"]
    native = "-" if tool.native is None else f"{tool.native} {' '.join(one for one in off if one[1:] != '0')}".strip()
    return [
        *(tool.name, tool.verdict or "-", tool.ended, str(tool.paths), own, own_native, percent(*tool.everything)),
        *("; ".join(tool.errors) or "0", str(tool.tests), equal, native, "; ".join(tool.unsupported) or "-"),
    ]


HEAD = (
    *("tool", "verdict", "ended by", "paths", "own file", "natively", "all files"),
    *("errors", "tests", "natively equal", "edges natively", "unsupported"),
)


def report(found: Sequence[Tool], limit: Limit) -> str:
    """The table, with what it comes to."""
    ran = [one for one in found if one.own[1]]
    crashed = [one.name for one in found if one.ended in ("CRASH", "HUNG")]
    exhausted = sum(one.ended == "exhausted" for one in found)
    good = sum(one.ended in ("exhausted", "max-time", "interrupt") and not one.unsupported for one in found)
    lines = [
        f"- {len(found)} tools, {limit.seconds:g} {'CPU s' if limit.of_processors else 's'} each, `{' '.join(WORLD)}`",
        f"- engine crashes: {', '.join(crashed) or 'none'}",
        f"- explored to the end: {exhausted}; to the end or to the time limit with nothing unsupported: {good}",
    ]
    if ran:
        own = 100 * median(one.own[0] / one.own[1] for one in ran)
        every = 100 * median(one.everything[0] / one.everything[1] for one in ran)
        lines += [
            f"- branch coverage, median: {own:.0f} % of the tool's own file, {every:.0f} % of all files linked into it",
            f"- paths, median: {median(one.paths for one in ran):g}",
        ]
    equal = sum(one.equal for one in found)
    judged = equal + sum(len(one.different) for one in found)
    cut = sum(one.unjudged for one in found)
    lines += [
        f"- {sum(one.tests for one in found)} tests; natively equal in exit status and output: {equal} of {judged} "
        f"({percent(equal, judged)}); {cut} cannot be judged natively",
        f"- of all tests, natively equal: {percent(equal, sum(one.tests for one in found))}",
    ]
    compared = [one for one in found if one.native is not None]
    if compared:
        own = 100 * median(one.native_own / one.own[1] for one in compared)
        lines.append(f"- branch coverage of the own file by the tests run natively, median: {own:.0f} %")
        native = sum(one.native or 0 for one in compared)
        more = sum(len(one.native_only) for one in compared)
        less = sum(len(one.denied) for one in compared)
        alone = sum(len(one.engine_only) for one in compared)
        lines.append(
            f"- native coverage of {len(compared)} tools: {native} edges in tests of finished paths, {more} of them "
            f"unknown to the engine (+); {less} edges that a test claims and natively does not take (-); {alone} edges "
            f"of the engine's that no test takes (?)"
        )
    rows = [HEAD, ["---"] * len(HEAD), *(row(one) for one in found)]
    lines += ["", *("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in rows)]
    return "\n".join(lines) + "\n"


# --- command ---------------------------------------------------------------------------------------------------------


def kept(runs: Path, work_on: Callable[[str], Tool], name: str) -> Tool:
    """Run a tool, tell of it, and keep what came out."""
    tool = work_on(name)
    (runs / f"{name}.json").write_text(json.dumps(asdict(tool), indent=1))
    print(" | ".join(row(tool)), *([tool.trouble] if tool.trouble else []), flush=True)
    return tool


def main() -> int:
    """The command."""
    check_enclosure()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    work = Path(tempfile.gettempdir()) / "unfork-coreutils"
    parser.add_argument("--work", type=Path, default=work, help="folder for sources and runs")
    parser.add_argument("--tree", type=Path, help="a tree that is built already, or a folder of programs and bitcode")
    parser.add_argument("--tools", default="", help="names, separated by commas; all if none is given")
    parser.add_argument("--time", type=float, default=60, help="seconds for each tool")
    parser.add_argument("--cpu", type=float, help="seconds of processors for each tool, instead")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="", help="further words for unfork run")
    parser.add_argument("--no-native-coverage", action="store_true")
    parser.add_argument("--kept", action="store_true", help="explore nothing: tell of the runs in the work folder")
    given = parser.parse_args()
    runs: Path = given.work / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    tree: Path = given.tree or build(given.work)
    folder = tree / "src" if (tree / "src").is_dir() else tree
    names = [name for name in given.tools.split(",") if name] or tools(folder)
    native = not given.no_native_coverage
    limit = Limit(given.cpu or given.time, given.cpu is not None)
    work_on = partial(explore, folder, runs, limit, given.options.split(), native)
    if given.kept:
        names = [name for name in names if (runs / f"{name}.json").exists()]
        work_on = partial(known, folder, runs, native)
    with ThreadPoolExecutor(given.jobs) as pool:
        found = list(pool.map(partial(kept, runs, work_on), names))
    print(report(found, limit))
    return any(one.ended in ("CRASH", "HUNG") for one in found)


if __name__ == "__main__":
    sys.exit(main())
