"""The law of counting: the paths of joined states are as many as full enumeration has, in the mean over all samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.power import IS_FULL, some
from tests.support.runs import build, options_of
from unfork.commands.assemble import solving
from unfork.commands.assemble.bounding import budget
from unfork.commands.assemble.parts import assemble
from unfork.engine.explore import path_sample
from unfork.engine.explore.loop import Exploration
from unfork.engine.explore.path_sample import PathEstimate, resampled
from unfork.engine.explore.shadows import Shadows
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.frontier import Frontier
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Feasibility, Unknown
from unfork.logic.terms.term import Value

SOURCE = Path(__file__).with_name("counted_programs.c")
FUNCTIONS = re.findall(r"^int (\w+)\(", SOURCE.read_text(), re.MULTILINE)
PLAIN = ("--merge", "none")
MODES = (
    ("--merge", "static", "--similar", "always"),
    ("--merge", "static", "--similar", "qce"),
    ("--merge", "dynamic", "--similar", "always"),
    ("--merge", "dynamic", "--similar", "qce"),
)
LARGE = 5000
SEEDS = 60
VARYING = (
    "loop_with_branch",
    "nested_loops",
    "traps_in_loop",
    "calls_and_asks",
    "recursion",
    "goes_back",
    "spread_out",
)
"""Functions of which small samples give different numbers of paths."""
WIDE = ("loop_with_branch", "goes_back", "spread_out")
"""Those of which samples of 8 still do."""


class UntilNothingWaits:
    """Never stops."""

    def look(self, frontier: Frontier) -> str | None:
        return None


@dataclass(frozen=True, slots=True)
class CountedRun:
    """A run's tally, and the estimates of samples of so many paths."""

    tally: Tally
    estimates: tuple[PathEstimate, ...]


class Hesitating(Chain):
    """Gives up one branch in five."""

    def __init__(self, chain: Chain) -> None:
        super().__init__(chain.solver)
        self._asked = 0

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        self._asked += 1
        return super().branch(path, condition) if self._asked % 5 else (Unknown("it takes long"), path)


def counted(
    folder: Path, function: str, mode: tuple[str, ...], sizes: list[int], make: Callable[[Chain], Chain] = lambda it: it
) -> CountedRun:
    """Explore a function with a sample of each size beside each other, each with a chain of its own."""
    words = ("--function", function, "--libc", "none", "--optimize", "0", "--loops", "run", "--cores", "1", *mode)
    options = options_of(folder, *words)
    limits = budget(options, 0.0)
    backend = solving.backend(options)
    parts = assemble(options, build([SOURCE], options), (), backend, limits)
    shadows = [
        Shadows(make(solving.chain(options, backend.solver, limits)), size, Random(f"{function}/{number}"))
        for number, size in enumerate(sizes)
    ]
    loop = Exploration(
        parts.stepper,
        parts.pruned.yielding,
        parts.scheduled.frontier,
        parts.bound,
        parts.pruned.pruner,
        parts.scheduled.joiner,
        UntilNothingWaits(),
        parts.graph,
        [parts.tally, *shadows],
        parts.whereabouts,
    )
    assert loop.run(parts.first) is None
    backend.solver.close()
    estimates = [each.count().estimate for each in shadows]
    return CountedRun(parts.tally, tuple([each for each in estimates if each is not None]))


def test_samples_that_are_large_enough_count_every_path(tmp_path: Path) -> None:
    assert len(FUNCTIONS) >= 30
    joins, refined = 0, 0
    for function in FUNCTIONS:
        paths = counted(tmp_path, function, PLAIN, []).tally.completed
        for mode in some(MODES, function, 2):
            run = counted(tmp_path, function, mode, [LARGE])
            (estimate,) = run.estimates
            assert (estimate.explored, estimate.completed) == (paths, paths), (function, mode)
            assert (estimate.is_exact, estimate.spread, estimate.lost) == (True, 0, 0)
            joins += run.tally.joins
            refined += run.tally.completed < paths < run.tally.represented
    assert joins > (300 if IS_FULL else 100)
    assert refined > (10 if IS_FULL else 3)


@pytest.mark.parametrize("size", some([2, 3, 4], "sizes"))
def test_the_mean_over_small_samples_is_the_number_of_paths(size: int, tmp_path: Path) -> None:
    for function in VARYING:
        paths = counted(tmp_path, function, PLAIN, []).tally.completed
        estimates = counted(tmp_path, function, MODES[0], [size] * SEEDS).estimates
        numbers = [each.explored for each in estimates]
        assert not any(each.is_exact for each in estimates)
        assert numbers == [each.completed for each in estimates]
        assert len(set(numbers)) > 1
        assert abs(fmean(numbers) - paths) <= 3 * stdev(numbers) / sqrt(SEEDS), (function, fmean(numbers), paths)


def test_the_spread_says_how_far_estimates_lie_from_the_truth(tmp_path: Path) -> None:
    """The mean of its square is the variance of the estimates, and three times as much covers the truth in most."""
    for function in WIDE:
        paths = counted(tmp_path, function, PLAIN, []).tally.completed
        estimates = counted(tmp_path, function, MODES[0], [8] * SEEDS).estimates
        variance = stdev([each.explored for each in estimates]) ** 2
        assert fmean([each.spread**2 for each in estimates]) == pytest.approx(variance, rel=0.8), function
        assert fmean([abs(each.explored - paths) <= 3 * each.spread for each in estimates]) >= 0.8, function


def test_a_biased_choice_breaks_the_law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first paths, with all the weight, instead of some chosen by lot."""

    def first(weights: Sequence[float], size: int, start: float) -> list[float]:
        held = [i for i, weight in enumerate(weights) if weight][:size]
        return [sum(weights) / len(held) if i in held else 0.0 for i in range(len(weights))]

    monkeypatch.setattr(path_sample, "resampled", first)
    paths = counted(tmp_path, "spread_out", PLAIN, []).tally.completed
    estimates = counted(tmp_path, "spread_out", MODES[0], [4] * 2).estimates
    assert all(abs(each.explored - paths) > paths / 4 for each in estimates)


def test_a_path_that_the_solver_cannot_place_is_said_to_be_lost(tmp_path: Path) -> None:
    paths = counted(tmp_path, "spread_out", PLAIN, []).tally.completed
    (estimate,) = counted(tmp_path, "spread_out", MODES[0], [LARGE], Hesitating).estimates
    assert estimate.lost > 0
    assert estimate.explored < paths
    assert not estimate.is_exact


weighted = st.lists(st.sampled_from([0.0, 1.0, 1.0, 2.5, 7.0, 100.0]), min_size=1, max_size=12)


@given(weighted, st.integers(1, 5))
def test_resampling_keeps_every_weight_in_the_mean(weights: list[float], size: int) -> None:
    starts = [(i + 0.5) / 400 for i in range(400)]
    results = [resampled(weights, size, start) for start in starts]
    for result in results:
        assert sum(weight > 0 for weight in result) <= size
        assert sum(result) == pytest.approx(sum(weights), rel=1e-9)
    for column, weight in zip(zip(*results, strict=True), weights, strict=True):
        assert fmean(column) == pytest.approx(weight, abs=sum(weights) / 300)
