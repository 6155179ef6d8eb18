"""Rounds: workers explore for a quota each, then all meet, and what they say is put together in a fixed order.

One of them, the first, is this process. Since a quota counts work and not time, and words are taken in the order of the
workers, it comes to the same on any machine.
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
"""Reasons for which nothing more can be taken from others."""
_PATIENCE = 0.05
"""Seconds between two looks at the limits, while others are at work."""
_LAST_WORDS = 6.0
"""Seconds of its processors that everybody who is interrupted has to write what is due, and to report."""
_LEAST_USED = 0.1
"""The part of a processor that one who works gets even on a busy machine: who uses less hangs."""


class Remote(Protocol):
    """A worker as its coordinator sees it: in another process of this machine, or in an actor somewhere else."""

    name: str

    def start(self, message: WorkerTask | Give) -> None:
        """Let it work on. Raises OSError if it is gone."""

    def fileno(self) -> int:
        """A file descriptor that can be read from when something has happened to it."""

    def has_news(self) -> bool:
        """Whether what has happened is a report, or its end. Asked once for each thing that happens."""

    def report(self) -> Any:
        """What it did, or gives. Raises whatever a broken message may raise, and if it is gone."""

    def is_stopped(self) -> bool:
        """Whether somebody has stopped it, so that it may never report."""

    def grown(self) -> int:
        """The bytes of memory that it has taken since it began."""

    def used(self) -> float:
        """The seconds of processors that it has used; of the clock, where nobody can tell."""

    def interrupt(self) -> None:
        """Ask it to report at once, for the last time. It can be asked twice."""

    def end(self) -> None:
        """End it. It can be ended twice."""


class RemoteExplorers(Protocol):
    """Other machines that explore."""

    notes: Sequence[str]
    """What happened there that the user should know, one line each."""

    def begin(self, name: str, explore: Explore) -> Remote:
        """Let some machine explore."""

    def close(self) -> None:
        """End all explorations there."""


class Plan(Protocol):
    """What workers are led for: what each is to do, and what becomes of what it says."""

    def is_due(self, due: int) -> bool:
        """Whether this process has worked until ``due``."""

    def begin(self) -> Sequence[Remote]:
        """Begin the workers that take part from the next round on, and have not begun."""

    def watch(self, lead: Coordinator) -> None:
        """Asked again and again, whether workers are at work or this process is."""

    def round(self, frontier: Frontier, lead: Coordinator) -> tuple[Mapping[str, WorkerTask], int]:
        """What each worker does in the next round, and until when this process works."""

    def take(self, name: str, report: WorkerReport) -> bool:
        """Put in what a worker says; whether the words of those after it count."""

    def lose(self, name: str, reason: str) -> None:
        """A worker takes no part any more."""

    def over(self, reason: str | None) -> str | None:
        """Why the exploration ends, after a round that ``reason`` has ended, if not the work in it; or None."""

    def conclude(self, reason: str | None) -> str | None:
        """The exploration has ended. Why the run does, or None."""


class Coordinator:
    """A stopper that leads workers from round to round, in front of ``limits``; they begin when ``first`` is done."""

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
        """Why the exploration ends, or None; at the end of a round, everybody meets first.

        This process may have no part in the next round.
        """
        while (reason := self.stop(frontier)) is None and self._plan.is_due(self.due):
            if self.has_begun and (reason := self.meet(frontier)) is not None:
                break
            self.has_begun = True
            self.start(frontier)
        return reason

    def stop(self, frontier: Frontier) -> str | None:
        """What the limits say. If it is a limit of time or memory, all begin to write what is due."""
        reason = self._limits.look(frontier)
        if reason is None:
            self._plan.watch(self)
        else:
            self._interrupt(reason)
        return reason

    def meet(self, frontier: Frontier) -> str | None:
        """Wait for all and put together what they say. Returns why the exploration ends, or None."""
        reports, reason = self._gather(lambda waited: self.stop(frontier))
        self._put_together(reports)
        return self._plan.over(reason)

    def start(self, frontier: Frontier) -> None:
        """Begin a round."""
        self.workers |= {worker.name: worker for worker in self._plan.begin()}
        tasks, self.due = self._plan.round(frontier, self)
        self.say(tasks)

    def say(self, tasks: Mapping[str, WorkerTask]) -> None:
        """Let workers go on."""
        for name, task in tasks.items():
            self._send(name, task)

    def ask(self, name: str, count: int) -> bytes | None:
        """A family of up to so many states of a worker; None if that is gone."""
        self._send(name, Give(count))
        family = _answer_of(self.workers[name]) if name in self.workers else None
        if family is None and name in self.workers:
            self.lose(name, GONE)
        self._at_work.discard(name)
        return family

    def lose(self, name: str, reason: str) -> None:
        """End a worker, which takes no part any more."""
        self.workers.pop(name).end()
        self._at_work.discard(name)
        self._plan.lose(name, reason)

    def end(self, reason: str | None, is_hurried: Callable[[], bool]) -> str | None:
        """The exploration has ended. If ``reason`` is a limit, take what the workers have found since they met last,
        and the tests that are due of states that wait there, unless that ``is_hurried``.

        They may end their round if the limit is one of work, so that the run can be repeated. If it is one of time or
        memory, they are interrupted. Returns what has stopped the run.
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
        """What each worker that is at work says, by name and in their order, and what ``stop`` said of those waited for
        if not all did.

        None for one that is gone, was stopped, or whose message was broken.
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
        """Says ``reason`` once those that are waited for have had their time to report."""
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
    """What a worker says; None if it is gone, or its message is broken."""
    try:
        return worker.report()
    except Exception:  # noqa: BLE001  # a message may break anywhere: its sender is out of the race
        return None


def _with_news(workers: Sequence[Remote], seconds: float) -> list[Remote]:
    """Those that have something to say; none if nobody has within so many ``seconds``."""
    with selectors.PollSelector() as selector:
        for worker in workers:
            selector.register(worker, selectors.EVENT_READ)
        ready = {key.fd for key, _ in selector.select(seconds)}
    return [each for each in workers if each.fileno() in ready and each.has_news()]
