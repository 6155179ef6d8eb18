"""Quantified claims become instances at the cells that a query reads."""

from __future__ import annotations

from itertools import count

import pytest

from unfork.commands.verify.refute import Refuter
from unfork.engine.meaning import formula
from unfork.engine.meaning.formula import TRUE, Formula, Ground, QuantifiedFormula, Universal
from unfork.engine.state import unbounded
from unfork.engine.state.unbounded import CellsOfSymbols, Contents, GuardedWrite
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Sat, Unsat
from unfork.logic.solve.z3 import Z3Solver
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

INT, INDEX = 32, 64
HERE, N = symbol("i", INDEX), symbol("n", INDEX)


class Array:
    """An array of ints of any length, and who proves what is said of it."""

    def __init__(self) -> None:
        self.cells = CellsOfSymbols()
        self.contents: Contents = self.cells.unknown("a", 4)
        self.refuter = Refuter(self.cells, Z3Solver(), count(1).__next__)

    def at(self, index: Value) -> Value:
        return unbounded.read(self.contents, build.mul(index, 4, INDEX), 4)

    def store(self, index: Value, value: Value) -> None:
        self.contents = GuardedWrite(self.contents, build.mul(index, 4, INDEX), 4, value)

    def all(self, low: Value, high: Value, what: Value) -> Universal:
        """All elements from ``low`` to before ``high`` are ``what``."""
        here = self.contents

        def body(values: tuple[Value, ...]) -> Formula:
            [k] = values
            inside = build.both(build.sle(low, k, INDEX), build.slt(k, high, INDEX))
            same = build.eq(unbounded.read(here, build.mul(k, 4, INDEX), 4), what, INT)
            return formula.implied(Ground(inside), Ground(same))

        return Universal((INDEX,), body)

    def proves(self, claims: list[Universal], goal: Formula, *conditions: Value) -> bool:
        path = PathCondition.EMPTY.extended([each for each in conditions if not isinstance(each, int)], [])
        return isinstance(self.refuter.check(path, claims, formula.negated(goal)), Unsat)


def is_(value: Value, what: Value) -> Formula:
    return Ground(build.eq(value, what, INT))


def within(index: Value) -> list[Value]:
    return [build.sle(0, index, INDEX), build.slt(index, N, INDEX)]


def test_an_element_in_the_range_is_known() -> None:
    array = Array()
    claims = [array.all(0, N, 7)]
    assert array.proves(claims, is_(array.at(HERE), 7), *within(HERE))
    assert not array.proves(claims, is_(array.at(HERE), 7), build.sle(0, HERE, INDEX))
    assert not array.proves(claims, is_(array.at(HERE), 8), *within(HERE))


def test_a_claim_under_a_guard_is_nothing_where_it_does_not_hold() -> None:
    array, p = Array(), symbol("p", 1)
    claims = [array.all(0, N, 7).under(p)]
    assert array.proves(claims, is_(array.at(HERE), 7), p, *within(HERE))
    assert not array.proves(claims, is_(array.at(HERE), 7), *within(HERE))


def test_a_turn_of_filling_keeps_its_invariant() -> None:
    array = Array()
    before = array.all(0, HERE, 7)
    array.store(HERE, 7)
    after = array.all(0, build.add(HERE, 1, INDEX), 7)
    goal = QuantifiedFormula(False, after.widths, after.body)
    assert array.proves([before], goal, *within(HERE))
    array.store(0, 8)
    wrong = array.all(0, build.add(HERE, 1, INDEX), 7)
    assert not array.proves([before], QuantifiedFormula(False, wrong.widths, wrong.body), *within(HERE))


def test_cells_at_equal_offsets_are_equal() -> None:
    array, j = Array(), symbol("j", INDEX)
    same = Ground(build.eq(array.at(HERE), array.at(j), INT))
    assert array.proves([], same, build.eq(HERE, j, INDEX))
    assert not array.proves([], same)


def test_something_exists_by_a_witness() -> None:
    array = Array()
    here = array.contents
    some = QuantifiedFormula(True, (INDEX,), lambda k: is_(unbounded.read(here, build.mul(k[0], 4, INDEX), 4), 7))
    assert array.proves([], some, build.eq(array.at(HERE), 7, INT))
    assert not array.proves([], some, build.eq(array.at(HERE), 6, INT))


def test_what_is_not_refuted_has_a_model() -> None:
    array = Array()
    answer = array.refuter.check(PathCondition.EMPTY, [], is_(array.at(HERE), 7))
    assert isinstance(answer, Sat)
    assert answer.model.values[array.at(HERE)] == 7  # type: ignore[index]  # a term


@pytest.mark.parametrize(
    ("length", "is_contradiction"), [(build.slt(4, N, INDEX), True), (build.sle(0, N, INDEX), False)]
)
def test_ranges_of_which_two_things_are_said_cannot_be_unless_they_are_empty(
    length: Value, is_contradiction: bool
) -> None:
    array = Array()
    path = PathCondition.EMPTY.extended([length], [])  # type: ignore[list-item]  # a term
    assert array.refuter.is_contradiction(path, [array.all(0, N, 7), array.all(0, N, 8)]) == is_contradiction
    assert not array.refuter.is_contradiction(path, [array.all(0, N, 7)])
    assert isinstance(array.refuter.check(path, [array.all(0, N, 7), array.all(0, N, 8)], TRUE), Sat)
