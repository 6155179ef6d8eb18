"""Which solver is asked, in which order, for how long, and who is said to have decided."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from unfork.logic.solve.audited import PATIENCE, Audited
from unfork.logic.solve.route import BITS, INTEGERS, InTurns, SolverTurn, proving
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Unknown, Unsat
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term


class Scripted:
    """A solver that always gives the same answer, and notes how long it may take."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.seconds: list[float] = []
        self.ended: list[str] = []

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self.seconds.append(timeout)
        return self.answer

    def forget(self) -> None:
        self.ended.append("forgotten")

    def close(self) -> None:
        self.ended.append("closed")


GIVES_UP = Unknown("it gives up")


def test_the_first_answer_that_says_anything_is_taken() -> None:
    for answer in (Unsat(), Sat(Model({}))):
        solvers = [Scripted(GIVES_UP), Scripted(answer), Scripted(Unsat())]
        asked = InTurns([SolverTurn(name, solver) for name, solver in zip("abc", solvers, strict=True)])
        assert asked.check([], 8.0) is answer
        assert asked.decided_by == "b"
        assert not solvers[2].seconds


def test_an_unknown_has_all_reasons_and_nobody_decided() -> None:
    first, second = Scripted(Unsat()), Scripted(Unknown("too hard"))
    asked = InTurns([SolverTurn("first", first), SolverTurn("second", second)])
    asked.check([], 1.0)
    first.answer = GIVES_UP
    answer = asked.check([], 1.0)
    assert isinstance(answer, Unknown)
    assert answer.reason == "first: it gives up; second: too hard"
    assert asked.decided_by == ""


def test_turns_take_no_longer_than_the_query_may_together() -> None:
    for timeout in (0.5, 4.0, 60.0):
        solvers = [Scripted(GIVES_UP) for _ in range(3)]
        proving(*solvers).check([], timeout)
        spent = [seconds for solver in solvers for seconds in solver.seconds]
        assert len(spent) == 3
        assert all(seconds > 0 for seconds in spent)
        assert sum(spent) <= timeout + 1e-9
        assert spent[-1] >= timeout * 0.3 - 1e-9


def test_without_a_limit_only_the_last_turn_is_endless() -> None:
    solvers = [Scripted(GIVES_UP) for _ in range(3)]
    proving(*solvers).check([])
    assert [solver.seconds == [inf] for solver in solvers] == [False, False, True]


def test_all_are_forgotten_and_closed() -> None:
    solvers = [Scripted(Unsat()) for _ in range(3)]
    asked = proving(*solvers)
    asked.forget()
    asked.close()
    assert all(solver.ended == ["forgotten", "closed"] for solver in solvers)


def _audited(answer: Answer, other: Answer) -> tuple[Audited, Scripted]:
    """An audit of a solver with ``answer``, which is read as integers, by one with ``other``."""
    second = Scripted(other)
    inner = InTurns([SolverTurn(BITS, Scripted(GIVES_UP)), SolverTurn(INTEGERS, Scripted(answer))])
    return Audited(inner, {BITS: Scripted(Sat(Model({}))), INTEGERS: second}), second


def test_an_audit_asks_again_what_is_impossible_and_nothing_else() -> None:
    audited, other = _audited(Unsat(), Unsat())
    assert isinstance(audited.check([], 60.0), Unsat)
    assert other.seconds == [PATIENCE]
    assert (audited.decided_by, audited.counts) == (INTEGERS, (1, 0))
    audited, other = _audited(Sat(Model({})), Unsat())
    assert isinstance(audited.check([]), Sat)
    assert not other.seconds
    assert audited.counts == (0, 0)


def test_solvers_that_disagree_prove_nothing() -> None:
    answer = _audited(Unsat(), Sat(Model({})))[0].check([])
    assert isinstance(answer, Unknown)
    assert answer.reason == "the solvers disagree"


def test_an_audit_that_does_not_end_is_counted() -> None:
    audited, _ = _audited(Unsat(), GIVES_UP)
    assert isinstance(audited.check([], 1.0), Unsat)
    assert audited.counts == (0, 1)
