"""What interpolants are made of can be chosen: each source is sound by itself, and gains where it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.prune.interpolation.test_nothing_is_lost import PROGRAMS
from tests.support.runs import errors_of, explore
from unfork.commands.run.run import Result, run
from unfork.errors import InputError
from unfork.options.options import Options

BENCH = Path(__file__).parents[4] / "bench" / "programs"
QUIET = {"libc": "none", "merge": "none", "quiet": True, "no_progress": True, "search": ("dfs",)}
CHOICES = (("cores",), ("cores", "slacken"), ("wp",))
SOME = ("counter_bug", "global_and_local_bug", "two_arrays_bug")


def learnt(out: Path, program: str, define: str, sources: tuple[str, ...]) -> Result:
    chosen = Options(out=str(out), prune="interpolate", interpolants=sources, define=(define,), **QUIET)
    return run([BENCH / program], chosen)


@pytest.mark.parametrize("sources", CHOICES, ids="+".join)
def test_every_choice_finds_the_errors(sources: tuple[str, ...], tmp_path: Path) -> None:
    for program in PROGRAMS:
        if program.path.stem in SOME:
            words = ("--merge", "none", "--prune", "interpolate", "--interpolants", ",".join(sources), "--audit")
            found = explore(program, tmp_path / program.path.stem, "--libc", "none", "--search", "dfs", *words)
            assert errors_of(found) == program.errors
            assert found.verdict == program.verdict


def test_decisions_end_by_weakest_preconditions(tmp_path: Path) -> None:
    """Of 2^40 paths one is run; with exact numbers in the interpolants, one for each count."""
    weakest = learnt(tmp_path / "wp", "mcdc.c", "N=40", ("cores", "slacken", "wp"))
    assert (weakest.verdict, weakest.summary["paths"]["completed"]) == ("safe", 1)
    assert weakest.summary["forks"] == 40
    exact = learnt(tmp_path / "cores", "mcdc.c", "N=8", ("cores", "bitwuzla"))
    assert (exact.verdict, exact.summary["forks"]) == ("safe", 8 * 9 // 2)


def test_sides_that_nobody_took_make_locks_linear(tmp_path: Path) -> None:
    """2^16 paths, each of which takes other sides; what is known beyond them covers all but a few."""
    few = learnt(tmp_path / "few", "nested_locks.c", "LOCKS=16", ("cores", "slacken", "wp"))
    assert few.verdict == "safe"
    assert few.summary["forks"] <= 6 * 16
    many = learnt(tmp_path / "cores", "nested_locks.c", "LOCKS=5", ("cores",))
    assert many.verdict == "safe"
    assert many.summary["forks"] >= 2**5 - 1


@pytest.mark.parametrize(
    ("sources", "prune", "reason"),
    [(("slacken",), "interpolate", "cores or wp"), (("wp",), "subsume", "needs --prune interpolate")],
)
def test_refusals(sources: tuple[str, ...], prune: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        run([BENCH / "mcdc.c"], Options(out=str(tmp_path / "run"), prune=prune, interpolants=sources, **QUIET))
