from __future__ import annotations

from pathlib import Path

import pytest

import unfork
from unfork.engine.explore.distance import FAR, Distances, blocks_of_line, edges_leading_to
from unfork.engine.explore.guided import Reached
from unfork.engine.protocols.events import Ended, Event
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program

HAYSTACK = """#include <unfork.h>
static int deep(unsigned char *x) {
  if (x[0] == 1)
    if (x[1] == 2)
      if (x[2] == 3)
        return 77;
  return 0;
}
int main(void) {
  unsigned char x[8];
  int sum = 0;
  unfork_symbolic(x, sizeof x, "x");
  for (int i = 3; i < 8; i++)
    if (x[i] > 100) sum++;
  return deep(x) + (sum > 100);
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "haystack.c"
    path.write_text(HAYSTACK)
    return path


@pytest.fixture
def program(source: Path) -> Program:
    return build([source], CompileOptions())


def test_distances_grow_with_the_way(program: Program) -> None:
    distances = Distances(program, "main")
    places = blocks_of_line(distances.functions(), "haystack.c", 6)
    assert [name for name, _ in places] == ["deep"]
    distances.want(dict.fromkeys(places, 0))
    assert distances._distance == {}
    distances._solve()
    (entry, _), near = distances._distance["deep"][0], distances._distance["deep"][places[0][1]]
    assert near == (0, places[0])
    assert 0 < entry < distances._distance["main"][0][0] < FAR


def test_a_goal_is_reached_when_an_edge_to_it_is_covered(program: Program) -> None:
    functions = [program.function(name) for name in program.defined]
    edges = edges_leading_to(functions, blocks_of_line(functions, "haystack.c", 6))
    assert edges is not None
    assert {name for name, _, _ in edges} == {"deep"}

    coverage = BranchCoverage()
    coverage.covered += b"\1\0"
    coverage.edges += [("main", 0, 0), min(edges)]
    reached = Reached(coverage, edges)
    assert not reached()
    coverage.covered[1] = 1
    assert reached()
    assert edges_leading_to(functions, [("main", 0)]) is None


class PathLog:
    """Keeps what the ends of paths look like."""

    def __init__(self) -> None:
        self.ends: list[tuple[int, int]] = []

    def tell(self, event: Event) -> None:
        if isinstance(event, Ended):
            status = event.outcome.status if hasattr(event.outcome, "status") else -1
            self.ends.append((status if isinstance(status, int) else -1, len(event.state.path.constraints())))


def ends(source: Path, out: Path, *search: str) -> list[tuple[int, int]]:
    log = PathLog()
    unfork.run([source], unfork.Options(search=search, merge="none", out=str(out)), observers=[log])
    return log.ends


def test_a_target_is_found_early(source: Path, tmp_path: Path) -> None:
    """128 paths, of which 32 reach the line: the one that is led there comes first."""
    found = ends(source, tmp_path / "run", "target:haystack.c:6")
    assert len(found) == 32 * 4
    assert found[0][0] == 77


def test_states_and_path_conditions_are_open_to_observers(source: Path, tmp_path: Path) -> None:
    found = ends(source, tmp_path / "run", "dfs")
    assert sorted({length for _, length in found}) == [6, 7, 8]


def test_coverage_comes_before_completeness(source: Path, tmp_path: Path) -> None:
    options = unfork.Options(max_forks=40, merge="none", out=str(tmp_path / "run"))
    result = unfork.run([source], options)
    assert result.summary["coverage"]["branches"]["covered"] >= result.summary["coverage"]["branches"]["total"] - 2
    assert result.waiting
    assert all(state.path.model() is not None for state in result.waiting)


TRAP = """#include <unfork.h>
static int style;
static int quote(unsigned char *x) {
  int sum = 0;
  for (int i = 0; i < 12; i++) {
    if (x[i] > 200) sum++;
    if (style == 3) return 5;
  }
  return sum;
}
int main(void) {
  unsigned char x[12], y[12];
  int count = 0;
  unfork_symbolic(x, sizeof x, "x");
  unfork_symbolic(y, sizeof y, "y");
  for (int i = 0; i < 12; i++) {
    if (y[i] != 'a' + i) return quote(x);
    count++;
  }
  if (x[0] == 1) return 1;
  return count;
}
"""


def test_a_branch_that_nothing_can_cover_is_no_trap(tmp_path: Path) -> None:
    """Before each of the twelve returns are 4,096 paths along a branch that stays uncovered; they come second."""
    (tmp_path / "trap.c").write_text(TRAP)
    options = unfork.Options(max_forks=500, merge="none", out=str(tmp_path / "run"))
    lines = unfork.run([tmp_path / "trap.c"], options).summary["coverage"]["lines"]
    assert lines["covered"] == lines["total"]
