"""Several solvers for one query, each in its turn: hard queries of runs, and the queries of proofs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.logic.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.term import Term

SHORT = 1.0
"""Seconds in which the first solver answers most of what it answers at all (docs/benchmarks.md)."""
MOMENT = 500
"""The share of work (as logic/bitwuzla.py counts it) for the first turn of a proof: a few hundredths of a second."""
BITS, INTEGERS = "bit-vectors", "integers"
_MOMENT = 1.0, 0.1
_INTEGERS = 20.0, 0.45
"""Seconds of a turn at most, and the part of a short time that it gets. Most that integers answer takes them a tenth of
a second; thousands of instances take seconds on a busy machine (bench/proofs.py)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A solver that is asked, by its name, for so many seconds at most, and for no more than a part of what is left."""

    name: str
    solver: Solver
    seconds: float = FOREVER
    part: float = 1.0


class InTurns:
    """A solver that asks several in turns, whose order is fixed; the first answer that is not Unknown is its own.

    ``decided_by`` names who gave the last answer; it is empty for Unknown. Turns do not race, and the seconds of a turn
    depend on those of the query alone: which solver answers, and so which model a Sat carries, does not depend on which
    is quicker, and one that gives up early leaves its time unused. All that are given a time must keep to it
    (logic/worker.py). Unknown only if all say so.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = tuple(turns)
        self.decided_by = ""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The answer of the first solver that has one."""
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
        """Drop whatever is only kept to be faster."""
        for solver in self._solvers():
            solver.forget()

    def close(self) -> None:
        """Let go of processes."""
        for solver in self._solvers():
            solver.close()

    def _solvers(self) -> list[Solver]:
        """All of them, each once."""
        return list({id(turn.solver): turn.solver for turn in self._turns}.values())


def staggered(name: str, first: Solver, other: str, second: Solver) -> InTurns:
    """Two solvers for a hard query: the first for a short while, then the second, then the first again."""
    return InTurns([Turn(name, first, SHORT, 1 / 3), Turn(other, second, part=1 / 2), Turn(name, first)])


def proving(moment: Solver, integers: Solver, usual: Solver) -> InTurns:
    """The turns of proofs, in the order that measurements asked for.

    ``moment`` answers at once what is easy on bits (a share of MOMENT); ``integers`` reads the query as integers;
    ``usual`` has the rest of the time.
    """
    return InTurns([Turn(BITS, moment, *_MOMENT), Turn(INTEGERS, integers, *_INTEGERS), Turn(BITS, usual)])
