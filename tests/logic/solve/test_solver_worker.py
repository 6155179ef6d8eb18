"""The worker: limits that hold, answers that are those of the solver inside it, nothing left behind."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from tests.support.power import some
from unfork import host
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.route import Routed, staggered
from unfork.logic.solve.solver import FOREVER, NO_LIMIT, Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.solve.solver_worker import WorkerSolver
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import make, symbol

MEMORY = 2 << 30
X, Y = symbol("x", 64), symbol("y", 64)


def terms(*conditions: Value) -> list[Term]:
    return [condition for condition in conditions if isinstance(condition, Term)]


def factoring() -> list[Term]:
    """A product of two primes of 32 bits: out of reach."""
    bounds = [build.ugt(v, 1, 64) for v in (X, Y)] + [build.ult(v, 1 << 32, 64) for v in (X, Y)]
    return terms(build.eq(build.mul(X, Y, 64), 3037000507 * 2971215073, 64), *bounds)


def quotients() -> list[Term]:
    """A law of division, too hard to prove at 64 bits."""
    quotient = make("udiv", 64, (X, Y))
    back = make("add", 64, (make("mul", 64, (quotient, Y)), make("urem", 64, (X, Y))))
    return terms(build.ugt(Y, 1, 64), make("not", 1, (make("eq", 1, (back, X)),)))


def children() -> set[int]:
    """Processes that this one has started and not yet waited for."""
    with open(f"/proc/self/task/{threading.get_native_id()}/children", encoding="ascii") as file:
        return {int(word) for word in file.read().split()}


@pytest.fixture
def worker() -> Iterator[WorkerSolver]:
    solver = WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (NO_LIMIT,), MEMORY)
    yield solver
    solver.close()


def test_answers_are_those_of_the_solver(worker: WorkerSolver) -> None:
    less = terms(build.ult(X, Y, 64), build.ult(Y, 3, 64))
    answer = worker.check(less, 20.0)
    assert isinstance(answer, Sat)
    assert all(evaluate(constraint, answer.model) for constraint in less)
    assert isinstance(worker.check([*less, *terms(build.ugt(X, 1, 64))], 20.0), Unsat)
    assert isinstance(worker.check([*less, *terms(build.ugt(X, 0, 64))], 20.0), Sat)


@pytest.mark.parametrize("hard", some([factoring, quotients], "hard"))
def test_a_hard_query_ends_at_its_limit_and_the_next_is_answered(worker: WorkerSolver, hard: object) -> None:
    before = children()
    assert callable(hard)
    answer = worker.check(hard(), 1.0)
    assert isinstance(answer, Unknown)
    assert "1 s" in answer.reason
    assert children() == before
    assert isinstance(worker.check(terms(build.ult(X, Y, 64)), 20.0), Sat)


def test_seconds_of_a_query_are_those_that_its_process_has_used(
    worker: WorkerSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []

    def used(process: int) -> float:
        seen.append((0.0, 0.0, 0.05, 0.1)[len(seen)])
        return seen[-1]

    monkeypatch.setattr(host.this(), "seconds_used", used)
    monkeypatch.setattr("unfork.patience._CLOCK_TIMES", 1e6)
    assert isinstance(worker.check(quotients(), 0.1), Unknown)
    assert seen == [0.0, 0.0, 0.05, 0.1]


def test_a_worker_without_limit_of_work_decides_what_the_quick_solver_gives_up(worker: WorkerSolver) -> None:
    z = symbol("z", 32)
    query = terms(build.eq(build.urem(symbol("n", 32), z, 32), 77777, 32), build.ult(z, 1 << 20, 32))
    assert isinstance(BitwuzlaSolver(ticks=1).check(query), Unknown)
    assert isinstance(worker.check(query, 20.0), Sat)


def test_a_worker_that_died_is_an_unknown_and_is_replaced(worker: WorkerSolver) -> None:
    before = children()
    query = terms(build.ult(X, Y, 64))
    assert isinstance(worker.check(query, 20.0), Sat)
    (pid,) = children() - before
    os.kill(pid, signal.SIGKILL)
    answer = worker.check(query, 20.0)
    assert isinstance(answer, Unknown)
    assert "died" in answer.reason
    assert isinstance(worker.check(query, 20.0), Sat)


def test_a_worker_short_of_memory_is_an_unknown() -> None:
    solver = WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (NO_LIMIT,), 1 << 20)
    assert isinstance(solver.check(factoring(), 20.0), Unknown)
    solver.close()


def test_an_interrupt_ends_the_query_and_the_process(worker: WorkerSolver) -> None:
    before = children()
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        worker.check(quotients(), 60.0)
    timer.join()
    assert children() == before


def test_no_process_outlives_its_solver() -> None:
    before = children()
    solver = WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (NO_LIMIT,), MEMORY)
    assert isinstance(solver.check(terms(build.ult(X, Y, 64)), 20.0), Sat)
    assert len(children() - before) == 1
    del solver
    gc.collect()
    assert children() == before


def test_a_process_ends_itself_when_its_owner_is_gone() -> None:
    before = children()
    solver = WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (NO_LIMIT,), MEMORY)
    solver.check(terms(build.ult(X, Y, 64)), 20.0)
    (pid,) = children() - before
    assert solver._process is not None
    solver._process.channel.close()
    for _ in range(200):
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            if file.read().split()[2] == "Z":
                break
        time.sleep(0.05)
    else:
        pytest.fail("still running")
    solver.close()


class Recorded:
    """Answers Unknown and counts the questions."""

    def __init__(self) -> None:
        self.count = 0

    def check(self, constraints: object, timeout: float = 0.0) -> Unknown:
        self.count += 1
        return Unknown("recorded")

    def forget(self) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to close."""


def test_queries_go_where_they_suit() -> None:
    quick, hard, extended = Recorded(), Recorded(), Recorded()
    parts: list[Solver] = [quick, hard, extended]
    routed = Routed(*parts)
    routed.check(factoring())
    assert (quick.count, hard.count, extended.count) == (0, 1, 0)
    routed.check(terms(build.ult(X, Y, 64)))
    assert (quick.count, hard.count, extended.count) == (1, 2, 0)
    double, long_double = symbol("d", 64), symbol("l", 80)
    routed.check(terms(build.fp_compare("olt", "double", build.fp_op("add", "double", double, double), 0)))
    assert (quick.count, hard.count, extended.count) == (1, 3, 0)
    routed.check(terms(build.fp_compare("olt", "x86_fp80", long_double, 0)))
    assert (quick.count, hard.count, extended.count) == (1, 3, 1)


def test_work_in_this_process_is_limited() -> None:
    assert isinstance(BitwuzlaSolver(ticks=100).check(factoring()), Unknown)


def test_a_query_in_this_process_ends_with_its_time() -> None:
    """A tick of a large formula may take long: the first tick after the end is the last."""
    solver = BitwuzlaSolver()
    answer = solver.check(factoring(), 0.0)
    assert answer == Unknown("no answer in 0 s")
    assert solver.effort.ticks <= 2
    assert isinstance(solver.check(terms(build.ult(X, 5, 64), build.ult(7, X, 64))), Unsat)


def test_wide_vectors_are_large_queries() -> None:
    """Ten thousand terms of a word are quick; a few hundred of four thousand bytes are not."""
    quick, hard, extended = Recorded(), Recorded(), Recorded()
    routed = Routed(quick, hard, extended)
    for width, count in ((64, 10_000), (8 * 4096, 200)):
        value: Value = symbol("v", width)
        for number in range(count // 2):
            value = build.xor(build.add(value, symbol(f"n{number}", width), width), symbol("w", width), width)
        routed.check(terms(build.ult(value, 5, width)))
    assert (quick.count, hard.count) == (1, 2)


class Scripted:
    """A solver that gives its answers in turn and notes how long it may take."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = iter(answers)
        self.patience: list[float] = []

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self.patience.append(timeout)
        return next(self._answers)

    def forget(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_both_solvers_of_a_quick_query_keep_to_its_time() -> None:
    quick, hard = Scripted(Unknown("slow")), Scripted(Unsat())
    assert isinstance(Routed(quick, hard, hard).check(terms(build.ult(X, Y, 64)), 8.0), Unsat)
    assert quick.patience == [4.0]
    assert 2.0 <= hard.patience[0] <= 8.0


def test_a_hard_query_goes_to_the_other_solver_and_back() -> None:
    slow, late = Unknown("slow"), Unsat()
    first, second = Scripted(late), Scripted()
    assert staggered("first", first, "second", second).check([], 10) is late
    first, second = Scripted(slow), Scripted(late)
    assert staggered("first", first, "second", second).check([], 10) is late
    first, second = Scripted(slow, late), Scripted(slow)
    assert staggered("first", first, "second", second).check([], 10) is late
    first, second = Scripted(slow, slow), Scripted(Unknown("refused"))
    answer = staggered("first", first, "second", second).check([], 0.9)
    assert isinstance(answer, Unknown) and "first: slow; second: refused" in answer.reason
    assert sum(first.patience + second.patience) == pytest.approx(0.9)


def test_what_one_solver_cannot_do_is_answered_by_the_other() -> None:
    """Bitwuzla refuses the floats of bfloat: both answer as Z3 does, whoever is asked first."""
    number = symbol("bfloat", 16)
    condition = terms(build.fp_compare("oeq", "bfloat", number, number))
    for names in (("bitwuzla:BitwuzlaSolver", "z3:Z3Solver"), ("z3:Z3Solver", "bitwuzla:BitwuzlaSolver")):
        first, second = (WorkerSolver(f"unfork.logic.solve.{name}", (), MEMORY) for name in names)
        solver = staggered("first", first, "second", second)
        answer = solver.check(condition, 60)
        assert isinstance(answer, Sat) and evaluate(condition[0], answer.model)
        solver.close()


SMALL = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from unfork.logic.terms import build
from unfork.logic.terms.term_table import symbol
from unfork.logic.solve.solver_worker import WorkerSolver
solver = WorkerSolver("unfork.logic.solve.bitwuzla:BitwuzlaSolver", (), 2 << 30)
print(solver.check([build.eq(symbol("x", 8), 3, 8)]))
solver.close()
"""


def test_a_process_starts_where_the_shell_grants_less_memory_than_it_would_have() -> None:
    done = subprocess.run([sys.executable, "-c", SMALL], capture_output=True, text=True, check=True)
    assert "x=0x3" in done.stdout
