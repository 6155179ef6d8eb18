"""What Figures 3 to 9 share: runs of tools that end after so many seconds of processors, and their command line.

The tools are those of coreutils, as bench/coreutils.py builds them: a folder of PROGRAM.bc files. A run counts seconds
of the processor, those of its solver's processes included, so that it says the same on a machine that others use too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import processors

SOURCE = Path(__file__).resolve().parents[2] / "src"
WORLD = ("--sym-args", "0", "3", "8", "--sym-stdin", "8")
"""Large enough to keep every tool but a few busy for as long as it gets."""
TUNING_SET = ("cat", "nl", "join", "uniq")
"""The tools on which constants are chosen (``bench.figures tuning``). No figure shows them."""
TOOLS = ("base64", "basename", "comm", "cut", "dirname", "echo", "expand", "fold", "head", "link", "mkdir", "mkfifo")
TOOLS += ("nice", "paste", "pr", "printenv", "readlink", "seq", "sleep", "sum", "tr", "tsort", "unexpand", "wc")
SCHEDULES = {
    "none": ("--merge", "none"),
    "dynamic": ("--merge", "dynamic", "--similar", "qce"),
    "static": ("--merge", "static", "--similar", "qce"),
}
_PATIENCE, _GRACE = 60, 600
"""A run is killed after this many times its seconds on the clock, and this many seconds more to write its tests."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run came to. ``seconds`` are of the processor, start and end included.

    ``completed`` paths ended by themselves. ``multiplicity`` is that of all states, ended or still waiting, but not of
    those that ended in silence.

    ``explored`` are the single paths of the same states, and ``ended`` those that are completed: one each without
    joins, else estimated, with the standard error ``spread`` of ``explored`` and without the ``lost`` sampled paths.
    """

    seconds: float
    exhausted: bool
    completed: int
    represented: int
    multiplicity: int
    explored: float
    ended: float
    spread: float
    lost: int
    fit: dict[str, float] | None
    branches: int
    joins: int
    forwarded: int
    forwarded_merged: int
    verdict: str
    refused: int = 0
    """Joins that were refused."""


class Runner:
    """Runs tools, and knows what ran before if ``kept`` is a folder: runs are told apart by their words."""

    def __init__(self, programs: Path | None, kept: Path | None) -> None:
        self._programs = programs
        self._kept = kept
        if kept is not None:
            kept.mkdir(parents=True, exist_ok=True)

    def run(self, tool: str, seconds: float, options: Sequence[str], world: Sequence[str] = WORLD) -> Ran:
        """Explore a tool for at most ``seconds`` of the processor."""
        assert self._programs is not None
        words = [str(self._programs / f"{tool}.bc"), *options, "--", *world]
        digest = hashlib.sha256(json.dumps([tool, seconds, *words[1:]]).encode()).hexdigest()[:16]
        file = self._kept / f"{tool}-{digest}.json" if self._kept is not None else None
        if file is not None and file.exists():
            return Ran(**json.loads(file.read_text()))
        ran = _run(words, seconds)
        print(f"  {tool} {' '.join(words[1:])}: {ran.seconds:.1f} s", file=sys.stderr, flush=True)
        if file is not None:
            file.write_text(json.dumps(asdict(ran)))
        return ran


def _run(words: Sequence[str], seconds: float) -> Ran:
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        run = [sys.executable, "-m", "unfork", "run", "--cores", "1"]
        command = [*run, *_before_world(words, ["--out", str(out), "--quiet"])]
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        done = processors.run(command, Path.cwd(), environment, _PATIENCE * seconds + _GRACE, seconds)
        if not (out / "summary.json").exists():
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip() or 'killed'}")
        return _read(out, done.cpu)


def _before_world(words: Sequence[str], more: Sequence[str]) -> list[str]:
    at = words.index("--")
    return [*words[:at], *more, *words[at:]]


def _read(out: Path, seconds: float) -> Ran:
    summary = json.loads((out / "summary.json").read_text())
    with closing(sqlite3.connect(f"file:{out / 'run.db'}?mode=ro", uri=True)) as database:
        kept = "SELECT multiplicity FROM states WHERE ended NOT IN ('joined', 'silent')"
        states = [one for (one,) in database.execute(kept)]
    paths, merges = summary["paths"], summary["merges"]
    single = {"explored": len(states), "completed": paths["completed"], "spread": 0, "lost": 0}
    explored = paths["estimated"] if merges["done"] else single
    if explored is None:
        raise SystemExit(f"{out}: the run joined states, and does not say how many paths they are")
    return Ran(
        round(seconds, 2),
        summary["exhausted"],
        paths["completed"],
        paths["represented"],
        max(sum(states), paths["represented"]),
        explored["explored"],
        explored["completed"],
        explored["spread"],
        explored["lost"],
        paths["multiplicity_fit"],
        summary["coverage"]["branches"]["covered"],
        merges["done"],
        merges["forwarded"],
        merges["forwarded_merged"],
        summary["verdict"],
        sum(merges["refused"].values()),
    )


# --- command line ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """What the scripts are told."""

    runner: Runner
    tools: tuple[str, ...]
    seconds: float


def arguments(words: Sequence[str], description: str | None, seconds: float, tools: Sequence[str] = TOOLS) -> Given:
    """The command line that the figures share."""
    parser = argparse.ArgumentParser(prog="bench.figures N", description=description)
    parser.add_argument("--programs", "--tree", type=Path, required=True, help="folder of PROGRAM.bc, or a built tree")
    parser.add_argument("--time", type=float, default=seconds, help=f"seconds of the processor ({seconds:g})")
    parser.add_argument("--tools", default=",".join(tools), help="names, separated by commas")
    parser.add_argument("--kept", type=Path, help="a folder that keeps runs, so that none is made twice")
    given = parser.parse_args(words)
    folder = given.programs / "src" if (given.programs / "src").is_dir() else given.programs
    names = tuple(name for name in given.tools.split(",") if name)
    missing = [name for name in names if not (folder / f"{name}.bc").exists()]
    if missing:
        parser.error(f"{folder} has no bitcode of {', '.join(missing)}")
    return Given(Runner(folder, given.kept), names, given.time)
