"""The same program, options and seed give the same run, byte for byte but for times, however Python orders its sets."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.corpus import PROGRAMS, read
from tests.support.power import some
from tests.support.runs import explore
from unfork.commands.run.run import Result

ROOT = Path(__file__).parents[3]
CHOSEN = some(
    ("computed_goto/loop_state_machine", "control/switch_fallthrough_bug", "heap/list_read_after_free_bug"), "repeated"
)
MODES = (
    ("--merge", "none", "--search", "random-path"),
    ("--merge", "static"),
    ("--merge", "all", "--join", "ite", "--similar", "always"),
    ("--merge", "function", "--similar", "live"),
    ("--merge", "marked"),
    ("--merge", "dynamic", "--similar", "always", "--audit"),
    ("--merge", "dynamic", "--search", "coverage,random-state", "--tests", "paths"),
    ("--merge", "none", "--search", "cover", "--tests", "paths"),
    ("--merge", "dynamic", "--join", "abstract:interval", "--similar", "always"),
)
CHOSEN_MODES = some(MODES, "repeated", 3)
TIMES = frozenset(("seconds", "peak_memory_mb", "out"))


def said(result: Result) -> dict[str, Any]:
    """All that a run wrote, but for times and the name of its directory."""
    root = result.directory
    files = {str(path.relative_to(root)): path.read_bytes().hex() for path in sorted(root.rglob("*")) if path.is_file()}
    del files["summary.json"], files["run.db"]
    database = sqlite3.connect(root / "run.db")
    database.execute("UPDATE query_places SET seconds = 0")  # not committed
    database.execute("DELETE FROM growth")
    rows = [line for line in database.iterdump() if not line.startswith("INSERT INTO \"queries\" VALUES('seconds'")]
    database.close()
    return {"files": files, "run.db": rows, "summary.json": _without_times(result.summary)}


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_times(one) for key, one in value.items() if key not in TIMES}
    return value


def write_all() -> None:
    """Every program under every mode, as JSON on standard output."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in CHOSEN:
            for number, mode in enumerate(CHOSEN_MODES):
                out = Path(scratch) / f"{Path(name).stem}{number}"
                run = said(explore(read(PROGRAMS / f"{name}.c"), out, *mode))
                sys.stdout.write(json.dumps([name, mode, run]) + "\n")


def all_with(seed: str) -> list[Any]:
    """The same in a process of its own whose sets are ordered by ``seed``."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-c", "from tests.commands.run.test_determinism import write_all; write_all()"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_runs_can_be_repeated() -> None:
    first, second = all_with("1"), all_with("2")
    assert len(first) == len(CHOSEN) * len(CHOSEN_MODES)
    for one, other in zip(first, second, strict=True):
        assert one == other
    joins = [one["summary.json"]["merges"]["done"] for _, mode, one in first if mode[1] != "none"]
    assert sum(count > 0 for count in joins) > len(joins) // 2
