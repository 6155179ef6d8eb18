"""Query count estimation decides by its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.reduce.merge.small_states import X, less, state_of
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.state import JUMP_TARGETS, Frame, State
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.query_count import Parameters, QueryCounts
from unfork.program.llvm import compiler
from unfork.program.llvm.module import Program
from unfork.reduce.merge.similarity import HOT, LIVE, LiveSimilarity, QueryCounting
from unfork.world.kernel.known_functions import library

INFINITE = float("inf")
HALF_HOT = """
define i4 @f(i4 %warm, i4 %cold, i4 %warmer) {
  %one = icmp eq i4 %warm, 1
  br i1 %one, label %then, label %end
then:
  %two = icmp eq i4 %warmer, 2
  br i1 %two, label %end, label %end
end:
  ret i4 %cold
}
"""
"""Two queries, of which one is about `warm` (weight 1) and one about `warmer` (weight 0.5); none is about `cold`."""
WARM, COLD = 0, 1


class Nowhere:
    """No globals."""

    def address(self, name: str) -> int:
        raise KeyError(name)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    file = tmp_path / "half_hot.ll"
    file.write_text(HALF_HOT)
    return compiler.build([file], compiler.CompileOptions(optimize=0))


def similarity(program: Program, alpha: float, zeta: float = 1.0) -> QueryCounting:
    parameters = Parameters(0.5, 1)
    return QueryCounting(
        QueryCounts(program, FactsTable(), library(), parameters, CachedCounts(parameters, ())), Nowhere(), alpha, zeta
    )


def state(program: Program, registers: Sequence[Value], conditions: Sequence[Value]) -> State:
    made = state_of([0, 0, 0], conditions)
    function = program.function("f")
    frame = Frame.begin(function, 0, 0, made.token)
    frame.registers[: len(registers)] = registers
    made.frames = [frame]
    return made


def pair(program: Program, register: int, values: tuple[Value, Value]) -> tuple[State, State]:
    """Two states that differ in one register, on the two sides of one branch."""
    sides = []
    for value, condition in zip(values, (less(X, 3), build.negate(less(X, 3))), strict=True):
        registers: list[Value] = [5, 5, 5]
        registers[register] = value
        sides.append(state(program, registers, [condition]))
    return sides[0], sides[1]


def test_alpha_zero_joins_no_two_values_that_a_query_is_about(program: Program) -> None:
    assert similarity(program, 0.0).differs(*pair(program, WARM, (1, 2))) == HOT


def test_what_costs_no_query_never_stands_in_the_way(program: Program) -> None:
    assert similarity(program, 0.0).differs(*pair(program, COLD, (1, 2))) is None


@pytest.mark.parametrize(("alpha", "reason"), [(0.5, HOT), (0.7, None)])
def test_alpha_is_compared_with_the_part_of_all_queries(program: Program, alpha: float, reason: str | None) -> None:
    """Two thirds of the queries to come are about `warm`."""
    assert similarity(program, alpha).differs(*pair(program, WARM, (1, 2))) == reason


def test_alpha_infinite_joins_all(program: Program) -> None:
    likeness = similarity(program, INFINITE)
    a, b = pair(program, WARM, (1, 2))
    assert likeness.differs(a, b) is None
    assert likeness.signature(a) == likeness.signature(b)


@pytest.mark.parametrize(("zeta", "reason"), [(1.0, None), (2.0, HOT)])
def test_zeta_makes_symbolic_values_count(program: Program, zeta: float, reason: str | None) -> None:
    assert similarity(program, 0.0, zeta).differs(*pair(program, WARM, (X, 2))) == reason


def test_what_longjmp_brings_back_is_live(program: Program) -> None:
    """The last block reads `cold` alone; `warmer` is read where a jump may still return to, in the first."""
    live, warmer = LiveRegisters(FactsTable(), as_it_is), 2
    sides = pair(program, warmer, (1, 2))
    for side in sides:
        side.frames[-1].block = 2
    assert LiveSimilarity(live).differs(*sides) is None
    for side in sides:
        side.remembered[JUMP_TARGETS] = {1: (side.frames[-1].activation, 1, 0, 1)}
    assert LiveSimilarity(live).differs(*sides) == LIVE
    assert LiveSimilarity(live).signature(sides[0]) != LiveSimilarity(live).signature(sides[1])
