"""What the scripts of the figures share: runs with a share of the processor as their limit, and tables in markdown.

The tools are those of coreutils, as bench/coreutils.py builds them: a folder of PROGRAM.bc files. A run counts seconds
of the processor, those of its solver's processes included, so that it says the same on a machine that others use too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
WORLD = ("--sym-args", "0", "3", "8", "--sym-stdin", "8")
"""Large enough to keep every tool but a few busy for as long as it gets."""
TOOLS = ("basename", "cat", "comm", "cut", "dirname", "echo", "expand", "fold", "head", "link", "mkdir", "nice")
TOOLS += ("paste", "pr", "readlink", "sleep", "tr", "wc")
SCHEDULES = {
    "none": ("--merge", "none"),
    "dynamic": ("--merge", "dynamic", "--similar", "qce"),
    "static": ("--merge", "static", "--similar", "qce"),
}
_LOOKS = 0.05
"""Seconds between two looks at what a run has used."""
_PATIENCE = 60
"""How many times its seconds a run may take on the clock."""
_GRACE = 600
"""Seconds in which a run that was asked to end must do so: what it leaves gets tests first."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run came to. ``seconds`` are of the processor, start and end included.

    ``completed`` paths ended by themselves. ``multiplicity`` is that of all states, ended or still waiting, but not of
    those that ended in silence: what a run has explored. Without joins it is the number of paths.
    """

    seconds: float
    exhausted: bool
    completed: int
    represented: int
    multiplicity: int
    counted: int | None
    fit: dict[str, float] | None
    branches: int
    joins: int
    forwarded: int
    forwarded_merged: int
    verdict: str


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
        command = [
            sys.executable,
            "-m",
            "unfork",
            "run",
            "--cores",
            "1",
            *_before_world(words, ["--out", str(out), "--quiet"]),
        ]
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
        )
        used = watched(process.pid, seconds)
        problem = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        summary = out / "summary.json"
        if not summary.exists():
            raise SystemExit(f"{' '.join(words)}: {problem.decode(errors='replace').strip() or 'killed'}")
        return _read(out, max(used, usage.ru_utime + usage.ru_stime))


def _before_world(words: Sequence[str], more: Sequence[str]) -> list[str]:
    at = words.index("--")
    return [*words[:at], *more, *words[at:]]


def watched(pid: int, seconds: float, grace: float = _GRACE) -> float:
    """Asks a process to end when it has used its seconds, or sixty times as many have passed; what it has used.

    It is killed if it has not ended ``grace`` seconds later.
    """
    began = time.monotonic()
    used, asked = 0.0, None
    while not _has_ended(pid):
        used = max(used, _used(pid))
        now = time.monotonic()
        if asked is None and (used >= seconds or now - began >= _PATIENCE * seconds):
            os.kill(pid, signal.SIGINT)
            asked = now
        elif asked is not None and now - asked > grace:
            os.kill(pid, signal.SIGKILL)
        time.sleep(_LOOKS)
    return used


def _has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _used(pid: int) -> float:
    """Seconds of the processor that a process has used, and those below it."""
    ticks = 0
    for one in _family(pid):
        fields = _stat(one)
        ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def _family(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        for task in _tasks(one):
            waiting += map(int, task.split())


def _tasks(pid: int) -> list[str]:
    try:
        return [(task / "children").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name; of a process that is gone, zeros."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return ["0"] * 50


def _read(out: Path, seconds: float) -> Ran:
    summary = json.loads((out / "summary.json").read_text())
    with closing(sqlite3.connect(f"file:{out / 'run.db'}?mode=ro", uri=True)) as database:
        kept = "SELECT multiplicity FROM states WHERE ended NOT IN ('joined', 'silent')"
        multiplicity = sum(one for (one,) in database.execute(kept))
    paths, merges = summary["paths"], summary["merges"]
    return Ran(
        round(seconds, 2),
        summary["exhausted"],
        paths["completed"],
        paths["represented"],
        max(multiplicity, paths["represented"]),
        paths["counted"],
        paths["multiplicity_fit"],
        summary["coverage"]["branches"]["covered"],
        merges["done"],
        merges["forwarded"],
        merges["forwarded_merged"],
        summary["verdict"],
    )


# --- command line ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """What the scripts are told."""

    runner: Runner
    tools: tuple[str, ...]
    seconds: float
    output: Path | None


def arguments(description: str | None, seconds: float, tools: Sequence[str] = TOOLS) -> Given:
    """The command line that the scripts share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--programs", "--tree", type=Path, required=True, help="folder of PROGRAM.bc, or a built tree")
    parser.add_argument("--time", type=float, default=seconds, help=f"seconds of the processor ({seconds:g})")
    parser.add_argument("--tools", default=",".join(tools), help="names, separated by commas")
    parser.add_argument("--kept", type=Path, help="a folder that keeps runs, so that none is made twice")
    parser.add_argument("--output", type=Path, help="a markdown file, between whose marks the table is put")
    given = parser.parse_args()
    folder = given.programs / "src" if (given.programs / "src").is_dir() else given.programs
    names = tuple(name for name in given.tools.split(",") if name)
    missing = [name for name in names if not (folder / f"{name}.bc").exists()]
    if missing:
        parser.error(f"{folder} has no bitcode of {', '.join(missing)}")
    return Given(Runner(folder, given.kept), names, given.time, given.output)


# --- tables ----------------------------------------------------------------------------------------------------------


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def show(name: str, text: str, output: Path | None) -> None:
    """Print a part of the page of benchmarks, and put it between its marks if there is a page."""
    print(text)
    if output is None:
        return
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    whole = output.read_text()
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{output} has no marks for {name}")
    output.write_text(f"{before}{begin}\n\n{text}\n{end}{after}")


def number(count: float) -> str:
    """A count for a table: large ones by their power of ten."""
    return f"{count:,.0f}" if count < 1e6 else f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def power(ratio: float) -> str:
    """A ratio as a power of ten."""
    return f"10^{math.log10(ratio):+.1f}"


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
