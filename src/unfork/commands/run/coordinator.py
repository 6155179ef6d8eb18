"""Rounds: workers explore for a quota each, then all meet, and the coordinator takes their reports in a fixed order.

The first worker is this process. A quota counts work, not time, and reports are taken in the order of the workers, so
a run comes to the same on any machine.
"""

from __future__ import annotations

import selectors
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from unfork.commands.run.meetings import Explore
from unfork.commands.run.messages import ELSEWHERE, GOING, IDLE, Give, WorkerReport, WorkerTask
from unfork.engine.explore.limits import LIMITS_OF_WORK
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.patience import Patience

GONE = "its process ended"
_HOPELESS = ("disk-full", "write-failed", "no-memory")
"""Reasons after which no results of others can be taken."""
_PATIENCE = 0.05
"""Seconds between two looks at the limits while others work."""
_LAST_WORDS = 6.0
"""Processor seconds that an interrupted worker has to write the tests that are due, and to report."""
_LEAST_USED = 0.1
"""The part of a processor that a process gets even on a busy machine: one that uses less hangs."""


class Remote(Protocol):
    """A worker as its coordinator sees it: a process of this machine, or an actor of a cluster."""

    name: str

    def start(self, message: WorkerTask | Give) -> None:
        """Let it work on. Raises OSError if it is gone."""

    def fileno(self) -> int:
        """A file descriptor that becomes readable when something has happened."""

    def has_news(self) -> bool:
        """Whether a report, or its end, has come. To be called once each time ``fileno`` is readable."""

    def report(self) -> Any:
        """Its report, or a family. Raises if it is gone or its message broken."""

    def is_stopped(self) -> bool:
        """Whether a signal has stopped it, so that it may never report."""

    def grown(self) -> int:
        """The bytes of memory that it has taken since it began."""

    def used(self) -> float:
        """The processor seconds that it has used; seconds of the clock if these are unknown."""

    def interrupt(self) -> None:
        """Ask it for its last report at once. It can be asked twice."""

    def end(self) -> None:
        """End it. It can be ended twice."""


class RemoteExplorers(Protocol):
    """Other machines that explore."""

    notes: Sequence[str]
    """Lines for the user on what happened there."""

    def begin(self, name: str, explore: Explore) -> Remote:
        """Begin an exploration on some machine."""

    def close(self) -> None:
        """End all explorations there."""


class Plan(Protocol):
    """The policy of a coordinator: what each worker does in a round, and what becomes of its report. Race, Team."""

    def is_due(self, due: int) -> bool:
        """Whether this process has worked until ``due``."""

    def begin(self) -> Sequence[Remote]:
        """Begin the workers that are to join from the next round on."""

    def watch(self, lead: Coordinator) -> None:
        """Called every now and then, also while workers are at work."""

    def round(self, frontier: Frontier, lead: Coordinator) -> tuple[Mapping[str, WorkerTask], int]:
        """The tasks of the workers in the next round, and the work until which this process goes on."""

    def take(self, name: str, report: WorkerReport) -> bool:
        """Take the report of a worker; whether the reports of those after it count."""

    def lose(self, name: str, reason: str) -> None:
        """A worker has dropped out."""

    def over(self, reason: str | None) -> str | None:
        """Why the exploration ends after a round, or None. ``reason`` is the limit that cut the round short, if any."""

    def conclude(self, reason: str | None) -> str | None:
        """Why the run ends, or None, once the exploration of this process has ended for ``reason``."""


class Coordinator:
    """A stopper around ``limits`` that leads workers from round to round. They begin after ``first`` work."""

    def __init__(self, plan: Plan, limits: Stopper, first: int) -> None:
        self._plan = plan
        self._limits = limits
        self.due = first
        self.has_begun = False
        self.workers: dict[str, Remote] = {}
        """Those that take part."""
        self._at_work: set[str] = set()
        """Those that have something to report."""

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends, or None. At the end of a round all meet first.

        This process may have no work in the next round, so there may be several.
        """
        while (reason := self.stop(frontier)) is None and self._plan.is_due(self.due):
            if self.has_begun and (reason := self.meet(frontier)) is not None:
                break
            self.has_begun = True
            self.start(frontier)
        return reason

    def stop(self, frontier: Frontier) -> str | None:
        """The limit that is reached, or None. At one of time or memory, all begin to write the tests that are due."""
        reason = self._limits.look(frontier)
        if reason is None:
            self._plan.watch(self)
        else:
            self._interrupt(reason)
        return reason

    def meet(self, frontier: Frontier) -> str | None:
        """Wait for all reports and take them. Returns why the exploration ends, or None."""
        reports, reason = self._gather(lambda waited: self.stop(frontier))
        self._put_together(reports)
        return self._plan.over(reason)

    def start(self, frontier: Frontier) -> None:
        self.workers |= {worker.name: worker for worker in self._plan.begin()}
        tasks, self.due = self._plan.round(frontier, self)
        self.say(tasks)

    def say(self, tasks: Mapping[str, WorkerTask]) -> None:
        for name, task in tasks.items():
            self._send(name, task)

    def ask(self, name: str, count: int) -> bytes | None:
        """A family of up to ``count`` states of a worker; None if it is gone."""
        self._send(name, Give(count))
        family = _answer_of(self.workers[name]) if name in self.workers else None
        if family is None and name in self.workers:
            self.lose(name, GONE)
        self._at_work.discard(name)
        return family

    def lose(self, name: str, reason: str) -> None:
        self.workers.pop(name).end()
        self._at_work.discard(name)
        self._plan.lose(name, reason)

    def end(self, reason: str | None, is_hurried: Callable[[], bool]) -> str | None:
        """End all workers, once the exploration of this process has ended for ``reason``. Returns what stopped the run.

        At a limit, take first what the workers have found since the last meeting, and the tests that are due of states
        that wait there, unless it ``is_hurried``. At a limit of work they end their round, so that the run can be
        repeated; at one of time or memory they are interrupted.
        """
        try:
            if reason is not None and reason != ELSEWHERE and reason not in _HOPELESS:
                self._interrupt(reason)
                patience = self._patience(reason, is_hurried)
                self._put_together(self._gather(patience)[0])
                if self._plan.over(reason) == reason:
                    waiting = [name for name in self.workers if name not in self._at_work]
                    self.say({name: WorkerTask(0, limit=reason) for name in waiting})
                    self._put_together(self._gather(patience)[0])
            return self._plan.conclude(reason)
        finally:
            for worker in self.workers.values():
                worker.end()
            self.workers = {}

    def _gather(
        self, stop: Callable[[Sequence[Remote]], str | None]
    ) -> tuple[dict[str, WorkerReport | None], str | None]:
        """The reports of the workers that are at work, by name and in their order; None for one that is gone or
        stopped, or sends a broken message.

        ``stop`` is called with those that have not reported; its reason ends the waiting and is returned.
        """
        said: dict[str, WorkerReport | None] = {}
        reason = None
        while reason is None and (waited := [self.workers[name] for name in self.workers if name in self._at_work]):
            said |= {worker.name: _answer_of(worker) for worker in _with_news(waited, _PATIENCE)}
            said |= {worker.name: None for worker in waited if worker.is_stopped()}
            self._at_work -= said.keys()
            reason = stop([worker for worker in waited if worker.name not in said])
        return {name: said[name] for name in self.workers if name in said}, reason

    def _patience(self, reason: str, is_hurried: Callable[[], bool]) -> Callable[[Sequence[Remote]], str | None]:
        if reason in LIMITS_OF_WORK:
            return lambda waited: reason if is_hurried() else None
        most = {
            name: Patience(_LAST_WORDS, seconds=_LAST_WORDS / _LEAST_USED, used=worker.used)
            for name, worker in self.workers.items()
        }

        def stop(waited: Sequence[Remote]) -> str | None:
            is_over = all(most[worker.name].is_over() for worker in waited)
            return reason if is_over or is_hurried() else None

        return stop

    def _interrupt(self, reason: str) -> None:
        if reason not in LIMITS_OF_WORK:
            for worker in self.workers.values():
                worker.interrupt()

    def _send(self, name: str, message: WorkerTask | Give) -> None:
        if name in self.workers:
            try:
                self.workers[name].start(message)
                self._at_work.add(name)
            except OSError:
                self.lose(name, GONE)

    def _put_together(self, reports: Mapping[str, WorkerReport | None]) -> None:
        for name, report in reports.items():
            if report is None:
                self.lose(name, GONE)
                continue
            goes_on = self._plan.take(name, report)
            if report.status not in (GOING, IDLE):
                self.workers.pop(name).end()
            if not goes_on:
                return


def _answer_of(worker: Remote) -> Any:
    try:
        return worker.report()
    except Exception:  # noqa: BLE001  # unpickling a broken message may raise anything
        return None


def _with_news(workers: Sequence[Remote], seconds: float) -> list[Remote]:
    with selectors.PollSelector() as selector:
        for worker in workers:
            selector.register(worker, selectors.EVENT_READ)
        ready = {key.fd for key, _ in selector.select(seconds)}
    return [each for each in workers if each.fileno() in ready and each.has_news()]
