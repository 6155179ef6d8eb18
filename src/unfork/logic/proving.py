"""Who decides the queries of proofs: bit-vectors for a moment, then integers, then bit-vectors with the time left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.logic.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.term import Term

MOMENT = 500
"""The share of work (as logic/bitwuzla.py counts it) for the first turn: a few hundredths of a second."""
BITS = "bit-vectors"
_MOMENT = 1.0, 0.1
_INTEGERS = 20.0, 0.4
_EXTRA = 10.0, 0.2
"""Seconds of a turn at most, and the part of a short time that it gets. Most that integers answer takes them a tenth of
a second; thousands of instances take seconds on a busy machine (bench/proofs.py)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A solver that is asked, by its name, for so many seconds at most, and for no more than a part of the time."""

    name: str
    solver: Solver
    seconds: float = FOREVER
    part: float = 1.0


class Proving:
    """A solver that asks several in turns, whose order is fixed; the first answer that is not Unknown is its own.

    ``decided_by`` names who gave the last answer; it is empty for Unknown. Turns do not race, and the seconds of a turn
    depend on those of the query alone: a solver that gives up early leaves its time unused. All but the first must keep
    to their time (logic/worker.py). Unknown only if all say so.
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
            seconds = left if turn.seconds == FOREVER else min(turn.seconds, timeout * turn.part)
            answer = turn.solver.check(constraints, seconds)
            if not isinstance(answer, Unknown):
                self.decided_by = turn.name
                return answer
            reasons[f"{turn.name}: {answer.reason}"] = None
            left -= seconds
        return Unknown("; ".join(reasons))

    def forget(self) -> None:
        """Drop whatever is only kept to be faster."""
        for turn in self._turns:
            turn.solver.forget()

    def close(self) -> None:
        """Let go of processes."""
        for turn in self._turns:
            turn.solver.close()


def proving(moment: Solver, integers: Solver, extra: Solver | None, usual: Solver) -> Proving:
    """The turns in the order that measurements asked for.

    ``moment`` answers at once what is easy on bits (a share of MOMENT); ``integers`` and ``extra`` (cvc5, if it is
    there) read the query as integers; ``usual`` has the rest of the time.
    """
    turns = [Turn(BITS, moment, *_MOMENT), Turn("integers", integers, *_INTEGERS)]
    if extra is not None:
        turns.append(Turn("integers (cvc5)", extra, *_EXTRA))
    return Proving([*turns, Turn(BITS, usual)])
