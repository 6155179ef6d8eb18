"""A search from known values finds models of constraints about floats; what it does not find goes to the solver."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from unfork.logic.solve.model_search import Searched
from unfork.logic.solve.solver import FOREVER, Answer, Effort, Sat, Unknown, Unsat
from unfork.logic.solve.trial import no_machine_code
from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.binding import machine_code

X, Y = symbol("x", 64), symbol("y", 64)
BYTES = [symbol(f"byte{i}", 8) for i in range(6)]


class Listener:
    """A solver that notes what it is asked, and gives one answer."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked = 0

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self.asked += 1
        return self.answer

    def forget(self) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to close."""


def number(value: float) -> int:
    return fp.from_float(value, "double")


def computed(op: str, *operands: Value) -> Value:
    return build.fp_op(op, "double", *operands)


def compared(predicate: str, a: Value, b: Value) -> Term:
    condition = build.fp_compare(predicate, "double", a, b)
    assert isinstance(condition, Term)
    return condition


SQUARES = computed("add", computed("mul", X, X), computed("mul", Y, Y))
THIRD = number(0.3)
SATISFIABLE = {
    "ring": [compared("olt", SQUARES, number(2.0)), compared("olt", number(1.9), SQUARES), compared("olt", X, Y)],
    "sum": [compared("olt", 0, X), compared("olt", 0, Y), compared("oeq", computed("add", X, Y), number(10.0))],
    "order of additions": [
        compared("olt", X, number(1.0)),
        compared("olt", Y, number(1.0)),
        compared("une", computed("add", computed("add", X, Y), THIRD), computed("add", X, computed("add", Y, THIRD))),
    ],
    "neither is a NaN, and their quotient is": [
        compared("ord", X, Y),
        compared("uno", computed("div", X, Y), 0),
    ],
}


@pytest.mark.parametrize("name", SATISFIABLE)
def test_a_model_is_found_without_the_solver(name: str) -> None:
    solver = Listener(Unknown("it was asked"))
    answer = Searched(solver, machine_code, Effort()).check(SATISFIABLE[name])
    assert isinstance(answer, Sat)
    assert all(evaluate(each, answer.model) for each in SATISFIABLE[name])
    assert not solver.asked


def test_what_has_no_model_goes_to_the_solver_after_the_same_work() -> None:
    never = [compared("olt", computed("mul", X, X), 0)]
    ticks = []
    for _ in range(2):
        solver, effort = Listener(Unsat()), Effort()
        assert isinstance(Searched(solver, machine_code, effort).check(never), Unsat)
        assert solver.asked == 1
        ticks.append(effort.ticks)
    assert ticks[0] == ticks[1] > 0


def test_searches_that_keep_failing_are_not_made_any_more() -> None:
    effort = Effort()
    searched = Searched(Listener(Unsat()), machine_code, effort)
    ticks = [0]
    for number_of in range(20):
        searched.check([compared("olt", computed("mul", X, X), number(-1.0 - number_of))])
        ticks.append(effort.ticks)
    assert ticks[1] > ticks[0]
    assert ticks[-1] == ticks[-2]


def test_a_search_begins_at_the_latest_model() -> None:
    root = number(1.4142135623730951)
    near = [compared("oeq", computed("mul", X, X), number(2.0000000000000004))]
    first = Searched(Listener(Unknown("it was asked")), machine_code, Effort())
    assert isinstance(first.check(near), Unknown)
    solver = Listener(Sat(Model({X: root})))
    second = Searched(solver, machine_code, Effort())
    assert isinstance(second.check(near), Sat)
    farther = second.check([*near, compared("une", Y, X), compared("olt", number(1.0), Y)])
    assert isinstance(farther, Sat)
    assert farther.model.values[X] == root
    assert solver.asked == 1


def test_other_formats_long_symbols_and_machines_go_to_the_solver() -> None:
    extended = symbol("extended", 80)
    zero = build.fp_compare("oeq", "x86_fp80", extended, 0)
    assert isinstance(zero, Term)
    for constraints, compile in (([zero], machine_code), (SATISFIABLE["sum"], no_machine_code)):
        solver = Listener(Unsat())
        assert isinstance(Searched(solver, compile, Effort()).check(constraints), Unsat)
        assert solver.asked == 1
