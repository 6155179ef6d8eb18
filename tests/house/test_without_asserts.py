"""Under ``python -O``, which leaves asserts out, runs come to the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.power import some

MEASURED = ("seconds", "peak_memory_mb")
CHOSEN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("faults/double_free_bug", ()),
    ("setjmp/resource_leak_fixed", ("--merge", "static", "--similar", "always")),
    ("heap_types/by_value_bug", ()),
    ("kernel_symbolic/contents", ("--prune", "subsume", "--audit")),
    ("structs/flexible_array", ("--merge", "none", "--search", "dfs", "--prune", "interpolate")),
    ("floats_symbolic/int_round_trip", ()),
)


def summary(name: str, options: tuple[str, ...], folder: Path, *flags: str) -> dict[str, Any]:
    """What a run says of itself in a process of its own, but for what is measured."""
    program = read(PROGRAMS / f"{name}.c")
    folder.mkdir()
    words = [*program.options, *options, "--native-check", "never", "--quiet", "--no-progress", "--out", "out"]
    sources = [str(source) for source in program.sources]
    command = [sys.executable, *flags, "-m", "unfork", "run", *sources, *words, *program.args]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    found: dict[str, Any] = json.loads((folder / "out" / "summary.json").read_text(), object_hook=_lasting)
    return found


def _lasting(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in MEASURED}


@pytest.mark.parametrize(
    ("name", "options"), some(CHOSEN, "without asserts", 2), ids=lambda value: value if isinstance(value, str) else ""
)
def test_runs_come_to_the_same(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    plain = summary(name, options, tmp_path / "plain")
    assert plain["instructions"] > 0
    assert plain["internal_error"] is None
    assert summary(name, options, tmp_path / "optimised", "-O") == plain
