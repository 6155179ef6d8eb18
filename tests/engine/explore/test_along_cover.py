from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unfork
from tests.engine.explore.fakes import FakeState, check_choices, fake
from unfork.engine.explore.along_cover import AlongCover, PathCovers
from unfork.engine.explore.distance import Distances, branch_targets
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import Effort
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program

READERS = """#include <unfork.h>
static int digits(const unsigned char *x, int n) {
  int count = 0;
  for (int i = 0; i < n; i++)
    if (x[i] >= '0' && x[i] <= '9') count++;
  return count;
}
int main(void) {
  unsigned char x[10], mode;
  int result = 0;
  unfork_symbolic(x, sizeof x, "x");
  unfork_symbolic(&mode, 1, "mode");
  int first = digits(x, 5), second = digits(x + 5, 5);
  if (mode == 1) {
    result = first == 5 ? 1 : 2;
    if (second == 5) result += 10;
  } else if (mode == 2) {
    result = first == 0 ? 3 : 4;
    if (second == 0) result += 20;
  } else if (mode == 3) {
    if (first == 2 && second == 3) result = 5;
  }
  return result;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("readers") / "readers.c"
    path.write_text(READERS)
    return path


@pytest.fixture(scope="module")
def program(source: Path) -> Program:
    return build([source], CompileOptions())


def covers_of(program: Program) -> tuple[PathCovers, BranchCoverage]:
    coverage = BranchCoverage()
    covers = PathCovers(Distances(program, "main"), coverage)
    covers.refresh()
    return covers, coverage


def places_of(covers: PathCovers) -> list[tuple[str, int, int]]:
    return sorted((path.function, *place) for path in covers.paths for stop in path.stops for place in stop)


def test_the_cover_has_each_uncovered_edge_once(program: Program) -> None:
    covers, coverage = covers_of(program)
    edges = sorted(
        (name, block.index, number)
        for name in ("main", "digits")
        for block in program.function(name).blocks
        for number in range(len(branch_targets(block)))
    )
    assert places_of(covers) == edges
    function, block, number = edges[-1]
    coverage.covered[coverage.number(program.function(function), block, number)] = 1
    assert covers.refresh()
    assert places_of(covers) == edges[:-1]
    assert not covers.refresh()


def test_what_is_missed_leaves_the_cover_until_its_function_gets_coverage(program: Program) -> None:
    covers, coverage = covers_of(program)
    before = places_of(covers)
    path = next(path for path in covers.paths if path.function == "main")
    stop = covers.next_stop(path)
    for _ in range(10):
        covers.miss(path, stop)
    assert covers.refresh()
    missed = [("main", *place) for place in stop]
    assert places_of(covers) == [place for place in before if place not in missed]

    _, block, number = other = next(place for place in before if place[0] == "main" and place not in missed)
    coverage.covered[coverage.number(program.function("main"), block, number)] = 1
    assert covers.refresh()
    assert places_of(covers) == [place for place in before if place != other]


def test_a_finished_path_has_no_next_stop(program: Program) -> None:
    covers, coverage = covers_of(program)
    path = covers.paths[0]
    for stop in path.stops:
        assert set(covers.next_stop(path)) == set(stop)
        for block, number in stop:
            coverage.covered[coverage.number(program.function(path.function), block, number)] = 1
    assert covers.next_stop(path) == ()


@given(st.lists(st.integers(0, 5), max_size=40))
def test_a_chosen_ticket_was_added_and_not_removed(program: Program, steps: list[int]) -> None:
    """The law of Order, with states anywhere in main, and joins."""
    covers, coverage = covers_of(program)
    order = AlongCover(covers, coverage, Effort(), random.Random(1))
    blocks = len(program.function("main").blocks)
    check_choices(order, steps, lambda ticket: in_main(program, ticket % blocks) if ticket else fake())


def in_main(program: Program, block: int) -> State:
    """A state at this block of main."""
    state = FakeState()
    state.frames.append(SimpleNamespace(function=program.function("main"), block=block))
    return cast(State, state)


def lines(source: Path, out: Path, search: str) -> dict[str, int]:
    options = unfork.Options(search=(search,), merge="none", loops="run", max_forks=40, out=str(out))
    told: dict[str, int] = unfork.run([source], options).summary["coverage"]["lines"]
    return told


def test_an_attempt_goes_through_forks_that_cover_nothing(source: Path, tmp_path: Path) -> None:
    """Ten bytes are read before the modes: the order by nearness comes to none within 40 forks, and a path to all."""
    near, along = lines(source, tmp_path / "near", "coverage"), lines(source, tmp_path / "along", "cover")
    assert near["covered"] < along["covered"] == along["total"]
