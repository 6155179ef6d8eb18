"""Where paths multiply and nothing depends on which was taken, what is explored grows with the program alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated_programs import generate
from tests.prune.test_programs import edges
from unfork.api.run import Result, run
from unfork.options import Options

EXAMPLES = Path(__file__).parents[3] / "examples"
QUIET = {"libc": "none", "merge": "none", "quiet": True, "no_progress": True, "search": ("dfs",)}


def diamonds(out: Path, count: int, other: int) -> Result:
    chosen = Options(out=str(out), prune="interpolate", define=(f"MAX={count}", f"OTHER={other}"), **QUIET)
    return run([EXAMPLES / "malloc_diamond.c"], chosen)


@pytest.mark.parametrize("other", [1, 2])
def test_diamonds_are_linear(other: int, tmp_path: Path) -> None:
    """2^40 paths, of which one is run, and a state per diamond is covered."""
    for count in (10, 40):
        result = diamonds(tmp_path / str(count), count, other)
        assert result.verdict == "safe"
        assert result.summary["paths"]["completed"] == 1
        assert result.summary["paths"]["pruned"] == count
        assert result.summary["states"]["created"] <= 2 * count + 1


def test_a_failing_diamond_fails(tmp_path: Path) -> None:
    result = diamonds(tmp_path / "run", 12, 0)
    assert [one.kind for one in result.errors] == ["assert"]


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_agree(seed: int, tmp_path: Path) -> None:
    program = generate(seed, f"p{seed}")
    file = tmp_path / "p.c"
    file.write_text(program.text)
    plain = run([file], Options(out=str(tmp_path / "plain"), **QUIET))
    pruned = run([file], Options(out=str(tmp_path / "pruned"), prune="interpolate", **QUIET))
    assert pruned.verdict == plain.verdict
    assert {(one.kind, one.line) for one in pruned.errors} == {(one.kind, one.line) for one in plain.errors}
    assert edges(pruned) >= edges(plain)
