"""A solver in a process of its own that can be killed, so that limits of time and memory hold."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence
from importlib import import_module
from math import isfinite
from typing import Protocol, TypeAlias

from unfork import host
from unfork.logic.solve.solver import FOREVER, Answer, Effort, Sat, Solver, Unknown, Unsat
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Rows, Term, postorder
from unfork.logic.terms.term_table import extend, symbol
from unfork.patience import Patience, longest
from unfork.processes import ChildProcess, MessageChannel, spawn

_STARTUP_SECONDS = 60.0
_SELF_DESTRUCT_AFTER = 2.0
_EACH = 0.05
"""Least seconds of the clock between two looks at the processor seconds."""
_TERMS = 200_000
_TICKS_PER_SECOND = 34_000

Query: TypeAlias = "tuple[bool, Rows, list[int], float]"
"""Whether to forget everything first, the new terms, the constraints as numbers of terms, and the seconds."""
Reply: TypeAlias = "list[tuple[str, int, int]] | str | None"
"""Symbols (name, width, value) for Sat, None for Unsat, a reason for Unknown."""


class CountingSolver(Solver, Protocol):
    """A solver that counts its effort."""

    effort: Effort


class WorkerSolver:
    """A solver in a process of its own, which starts with the first query, and again after each that ended it.

    ``factory`` names a Solver's class as ``module:class``; it is made with ``arguments`` (ints). ``memory`` is the
    process's limit in bytes. Terms are sent once: later queries name them by number.
    """

    def __init__(self, factory: str, arguments: Sequence[int], memory: int, effort: Effort | None = None) -> None:
        self.effort = Effort() if effort is None else effort
        self._factory = factory
        self._arguments = tuple(arguments)
        self._memory = memory
        self._process: ChildProcess | None = None
        self._numbers: dict[Term, int] = {}

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """Whether the constraints can hold at once. After ``timeout`` processor seconds: Unknown, without a process."""
        process = self._process
        if process is None:
            self._numbers = {}
            try:
                process = self._process = self._start()
            except (OSError, EOFError) as error:
                return Unknown(f"the solver process does not start: {error}")
        try:
            return self._ask(process, constraints, timeout)
        except (OSError, EOFError):
            self.close()
            return Unknown("the solver process died, perhaps for lack of memory")
        except BaseException:
            self.close()
            raise

    def _start(self) -> ChildProcess:
        """Start the process and wait until it answers. Raises EOFError or OSError."""
        process = spawn(f"{__name__}:serve", (self._factory, self._arguments, self._memory))
        try:
            if not process.channel.poll(_STARTUP_SECONDS):
                raise OSError("it does not answer")
            process.channel.recv()
        except BaseException:
            process.end()
            raise
        return process

    def _ask(self, process: ChildProcess, constraints: Sequence[Term], timeout: float) -> Answer:
        stale = len(self._numbers) > _TERMS
        if stale:
            self._numbers = {}
        rows = self._new_rows(constraints)
        process.channel.send((stale, rows, [self._numbers[c] for c in constraints], timeout))
        if not _answers(process, timeout):
            self.close()
            self.effort.ticks += int(timeout * _TICKS_PER_SECOND)
            return Unknown(f"no answer within {timeout:g} s")
        reply, ticks = process.channel.recv()
        self.effort.ticks += ticks
        if reply is None:
            return Unsat()
        if isinstance(reply, str):
            return Unknown(reply)
        return Sat(Model({symbol(name, width): value for name, width, value in reply}))

    def _new_rows(self, constraints: Iterable[Term]) -> Rows:
        """Rows for the terms that the process does not have yet; their numbers follow those of earlier terms."""
        rows: Rows = []
        numbers = self._numbers
        for term in postorder(constraints, numbers):
            numbers[term] = len(numbers)
            rows.append((term.op, term.width, tuple([numbers[a] for a in term.args]), term.parameter))
        return rows

    def forget(self) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None
        self._numbers = {}


def _answers(process: ChildProcess, seconds: float) -> bool:
    """Whether the process answers within so many processor seconds. Raises OSError if it is gone."""
    if not isfinite(seconds):
        return process.channel.poll(seconds)
    patience = Patience(seconds, seconds=longest(seconds), used=process.used)
    left = seconds
    while not process.channel.poll(left):
        left = patience.left()
        if not left:
            return False
        left = max(left, _EACH)
    return True


# --- inside the process ---


def serve(channel: MessageChannel, factory: str, arguments: tuple[int, ...], memory: int) -> None:
    """Answer queries until the other side is gone.

    SIGPROF's default action kills, so no query outlives its time by much, even if the other side was killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    host.this().limit_memory(memory)
    module, _, name = factory.partition(":")
    solver: CountingSolver = getattr(import_module(module), name)(*arguments)
    channel.send(None)
    terms: list[Term] = []
    while True:
        try:
            stale, rows, numbers, timeout = channel.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, timeout + _SELF_DESTRUCT_AFTER if isfinite(timeout) else 0)
        if stale:
            terms.clear()
            solver.forget()
        extend(terms, rows)
        before = solver.effort.ticks
        reply = _reply(solver.check([terms[i] for i in numbers]))
        signal.setitimer(signal.ITIMER_PROF, 0)
        channel.send((reply, solver.effort.ticks - before))


def _reply(answer: Answer) -> Reply:
    match answer:
        case Sat(model):
            return [(s.name, s.width, value) for s, value in model.values.items()]
        case Unsat():
            return None
        case Unknown(reason):
            return reason
