"""Which solver gets a query: easy ones stay in this process, hard ones go where they can be killed.

Hard queries, and those of proofs, go to several solvers in turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from unfork.logic.solve.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.terms.term import Term, postorder

_EASY, _HARD, _EXTENDED = range(3)
_FACTORS = frozenset(("mul", "udiv", "urem", "sdiv", "srem"))
_HARD_FLOATS = frozenset(("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.rem", "fp.fma", "fp.sqrt"))
_EXTENDED_FORMATS = frozenset(("x86_fp80", "bfloat"))
# A product or quotient of two unknowns is hard from this many bits in the lesser of them.
_FACTOR_BITS = 12
# A query of more terms is hard: bit-blasting cannot be interrupted.
_TERMS = 40_000
_WIDE = 128
_KNOWN = 500_000


class Routed:
    """A solver that sends each query to the solver that suits it.

    ``quick`` runs in this process and gives up after a fixed amount of work; ``hard`` can be killed; ``extended``
    knows the float formats that the others refuse. The choice depends on the queries alone, not on the clock, so
    that a run can be repeated, unless a ``quick`` check takes half of the query's time.
    """

    def __init__(self, quick: Solver, hard: Solver, extended: Solver) -> None:
        self._quick = quick
        self._hard = hard
        self._extended = extended
        self._grades: dict[Term, int] = {}
        self._came: dict[Term, int] = {}
        """For each constraint, how many terms it added that no earlier constraint had."""
        self._sizes: dict[Term, int] = {}
        """For constraints, their numbers of terms."""
        self._weight = 0
        """The number of graded terms, weighted."""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        grade = self._grade(constraints)
        if grade == _EXTENDED:
            return self._extended.check(constraints, timeout)
        if grade != _EASY:
            return self._hard.check(constraints, timeout)
        end = monotonic() + timeout
        answer = self._quick.check(constraints, timeout / 2)
        if not isinstance(answer, Unknown):
            return answer
        return self._hard.check(constraints, max(end - monotonic(), timeout / 4))

    def forget(self) -> None:
        self._drop()
        for solver in (self._quick, self._hard, self._extended):
            solver.forget()

    def _drop(self) -> None:
        self._grades.clear()
        self._came.clear()
        self._sizes.clear()
        self._weight = 0

    def close(self) -> None:
        for solver in (self._quick, self._hard, self._extended):
            solver.close()

    def is_hard(self, constraints: Sequence[Term]) -> bool:
        """Whether the query goes where it can be killed."""
        return self._grade(constraints) != _EASY

    def _grade(self, constraints: Sequence[Term]) -> int:
        """The query's grade: by its hardest operation, or its size."""
        if len(self._grades) > _KNOWN:
            self._drop()
        grades = self._grades
        together = worst = 0
        for constraint in constraints:
            came = self._came.get(constraint)
            if came is None:
                came = self._came[constraint] = self._visit(constraint)
            together += came  # shared terms count once
            worst = max(worst, grades[constraint])
        if worst != _EASY:
            return worst
        return _HARD if together > _TERMS or self._is_one_large(constraints) else _EASY

    def _is_one_large(self, constraints: Sequence[Term]) -> bool:
        """Whether a single constraint, all of whose terms are graded, has too many terms."""
        if self._weight <= _TERMS:
            return False
        sizes = self._sizes
        for constraint in constraints:
            size = sizes.get(constraint)
            if size is None:
                size = sizes[constraint] = _size(constraint)
            if size > _TERMS:
                return True
        return False

    def _visit(self, root: Term) -> int:
        """Grade the ungraded terms below ``root``; their weight."""
        grades = self._grades
        before = self._weight
        for term in postorder((root,), grades):
            grade = _own_grade(term)
            for a in term.args:
                if grades[a] > grade:
                    grade = grades[a]
            grades[term] = grade
            self._weight += _weight(term)
        return self._weight - before


def _weight(term: Term) -> int:
    """How many terms this term counts for: a vector of many words is as much work as many terms."""
    return 1 + term.width // _WIDE


def _size(root: Term) -> int:
    """The number of terms in ``root``, or a number that is too large."""
    seen = {root}
    stack = [root]
    size = _weight(root)
    while stack and size <= _TERMS:
        for a in stack.pop().args:
            if a not in seen:
                seen.add(a)
                stack.append(a)
                size += _weight(a)
    return size


def is_dear(constraints: Sequence[Term]) -> bool:
    """Whether an operation in these constraints sends a query to the hard solver."""
    return any(_own_grade(term) != _EASY for term in postorder(constraints))


def read_by_hard(constraints: Sequence[Term]) -> frozenset[Term]:
    """The symbols below operations that send a query to the hard solver."""
    return frozenset().union(*[term.symbols for term in postorder(constraints) if _own_grade(term) != _EASY])


def _own_grade(term: Term) -> int:
    op = term.op
    if op in _FACTORS:
        a, b = term.args
        bits = min(_varying(a), _varying(b))
        return _HARD if bits >= _FACTOR_BITS else _EASY
    if op.startswith("fp."):
        formats = term.parameter if isinstance(term.parameter, tuple) else (term.parameter,)
        if not _EXTENDED_FORMATS.isdisjoint(formats):
            return _EXTENDED
        return _HARD if op in _HARD_FLOATS else _EASY
    return _EASY


def _varying(term: Term) -> int:
    """How many bits of the term are unknown."""
    return term.width - (term.zeros | term.ones).bit_count()


# --- several solvers for one query ---


SHORT = 1.0
"""Seconds in which the first solver decides most of the queries that it can decide (docs/history/benchmarks.md)."""
MOMENT = 500
"""The share of work (logic/solve/bitwuzla.py) for the first turn of a proof: a few hundredths of a second."""
BITS, INTEGERS = "bit-vectors", "integers"
_MOMENT = 1.0, 0.1
_INTEGERS = 20.0, 0.45
"""Most seconds of a turn, and its part of a short time. Most queries that integers decide take a tenth of a second;
thousands of instances take seconds on a busy machine (bench/proofs.py).
"""


@dataclass(frozen=True, slots=True)
class SolverTurn:
    """A solver with its name, the most seconds of its turn, and the largest part of the remaining time."""

    name: str
    solver: Solver
    seconds: float = FOREVER
    part: float = 1.0


class InTurns:
    """A solver that tries several in a fixed order of turns. The first answer other than Unknown is its own.

    ``decided_by`` names the solver of the last answer; it is empty for Unknown. Turns do not race, and their seconds
    depend on those of the query alone: so which solver answers, and which model a Sat carries, does not depend on
    speed. A solver that gives up early leaves its time unused. All must keep to their time
    (logic/solve/solver_worker.py).
    """

    def __init__(self, turns: Sequence[SolverTurn]) -> None:
        self._turns = tuple(turns)
        self.decided_by = ""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        self.decided_by = ""
        left = timeout
        reasons: dict[str, None] = {}
        for turn in self._turns:
            seconds = min(turn.seconds, left * turn.part)
            answer = turn.solver.check(constraints, seconds)
            if not isinstance(answer, Unknown):
                self.decided_by = turn.name
                return answer
            reasons[f"{turn.name}: {answer.reason.removeprefix(f'{turn.name}: ')}"] = None
            if seconds < FOREVER:
                left -= seconds
        return Unknown("; ".join(reasons))

    def forget(self) -> None:
        for solver in self._solvers():
            solver.forget()

    def close(self) -> None:
        for solver in self._solvers():
            solver.close()

    def _solvers(self) -> list[Solver]:
        """Each solver once."""
        return list({id(turn.solver): turn.solver for turn in self._turns}.values())


def staggered(name: str, first: Solver, other: str, second: Solver) -> InTurns:
    """Two solvers for a hard query: the first for a short while, then the second, then the first again."""
    return InTurns(
        [SolverTurn(name, first, SHORT, 1 / 3), SolverTurn(other, second, part=1 / 2), SolverTurn(name, first)]
    )


def proving(moment: Solver, integers: Solver, usual: Solver) -> InTurns:
    """The turns of proofs, in the order that measurements suggest.

    ``moment`` decides at once what is easy on bits (a share of MOMENT); ``integers`` reads the query as integers;
    ``usual`` gets the rest of the time.
    """
    return InTurns(
        [SolverTurn(BITS, moment, *_MOMENT), SolverTurn(INTEGERS, integers, *_INTEGERS), SolverTurn(BITS, usual)]
    )
