"""Works on the functions of a project, each in its own process, as many at once as there are cores."""

from __future__ import annotations

import contextlib
import math
import selectors
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from unfork.commands.run.process import Process
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.limits import Budget
from unfork.patience import Patience
from unfork.processes import MessageChannel

Result = TypeVar("Result")
AJob = TypeVar("AJob", bound="Job[Any]")
EACH = 1.0
"""Seconds between two checks of the processes."""
BROKEN_OFF = "interrupted"
"""Why a job has no result, if the time was over or the user stopped it."""
TOO_LARGE = "its process outgrew --max-memory"
_GRACE = 15.0
"""Seconds after its limit in which the process of a function must have reported."""


class Job(Protocol[Result]):
    """The work on one function. It may use ``most`` processor seconds, ``longest`` seconds by the clock, and take
    ``most_memory`` bytes: its process looks at its memory itself, but only between two instructions.
    """

    @property
    def name(self) -> str:
        """The function's name in the program."""

    @property
    def most(self) -> float:
        """Processor seconds."""

    @property
    def longest(self) -> float:
        """Seconds by the clock."""

    @property
    def most_memory(self) -> float:
        """Bytes."""

    def kept(self) -> Result | None:
        """The result that an earlier command kept; None if there is none."""

    def keep(self, result: Result) -> None:
        """Keep a result for the next command."""

    def work(self, tell: Callable[[Result], None]) -> Result:
        """Do the job in a process of its own; ``tell`` receives intermediate results."""

    def broken_off(self, so_far: Result | None, reason: str, began: float) -> Result:
        """The result for a function whose process did not end. ``so_far`` is its last intermediate one."""


@dataclass(slots=True)
class _Running(Generic[AJob, Result]):
    """A function in work, and its intermediate result."""

    job: AJob
    began: float
    patience: Patience
    result: Result | None = None
    is_done: bool = False


@dataclass(slots=True)
class Pool(Generic[AJob, Result]):
    """Works on jobs until ``deadline``, or until the user ends it. A failure costs its own job alone.

    Processes then have ``patience`` seconds to report, once they are interrupted.
    """

    cores: int
    interrupt: Interrupt
    tell: Callable[[AJob, Result], None]
    deadline: float
    patience: float = 0.0
    running: dict[Process, _Running[AJob, Result]] = field(default_factory=dict)
    _last_words: Patience | None = None

    def run(self, jobs: Iterator[AJob]) -> None:
        """Do the jobs, as many as time and the user allow."""
        with selectors.DefaultSelector() as selector:
            while True:
                while len(self.running) < self.cores and not self.is_over():
                    job = next(jobs, None)
                    if job is None:
                        break
                    process = Process(job.name, partial(_work, job))
                    self.running[process] = _Running(
                        job,
                        time.monotonic(),
                        Patience(job.most + _GRACE, seconds=job.longest + _GRACE, used=process.used),
                    )
                    selector.register(process, selectors.EVENT_READ)
                if not self.running:
                    return
                for key, _ in selector.select(self._until_next_look()):
                    if self._hear(key.fileobj):
                        self._end(selector, key.fileobj)
                for process in [each for each in self.running if self._is_late(each)]:
                    self._end(selector, process)
                for process in [each for each, of in self.running.items() if each.grown() > of.job.most_memory]:
                    self._end(selector, process, TOO_LARGE)

    def _until_next_look(self) -> float:
        return EACH if self.is_over() else max(min(EACH, self.deadline - time.monotonic()), 0.0)

    def is_over(self) -> bool:
        if self._last_words is None and (self.interrupt.requested or time.monotonic() > self.deadline):
            self._last_words = Patience(seconds=self.patience)
            if self.patience:
                for process in self.running:
                    process.interrupt()
        return self._last_words is not None

    def _is_late(self, process: Process) -> bool:
        self.is_over()
        return (self._last_words or self.running[process].patience).is_over()

    def _hear(self, process: Any) -> bool:
        """Receive a message of a process; whether it was the last."""
        running = self.running[process]
        try:
            running.is_done, running.result = process.report()
        except (EOFError, OSError):
            return True
        return running.is_done

    def _end(
        self,
        selector: selectors.BaseSelector,
        process: Any,
        reason: str = "its process ended, or took too long",
    ) -> None:
        selector.unregister(process)
        running = self.running[process]
        with contextlib.suppress(OSError):
            while not running.is_done and process.channel.poll() and not self._hear(process):
                pass
        del self.running[process]
        process.end()
        result = running.result
        if result is None or not running.is_done:
            result = running.job.broken_off(result, BROKEN_OFF if self.is_over() else reason, running.began)
        self.tell(running.job, result)


def not_kept(jobs: Iterable[AJob], take: Callable[[AJob, Any], None]) -> Iterator[AJob]:
    """The jobs without a kept result; ``take`` receives the others with their results."""
    for job in jobs:
        result = job.kept()
        if result is None:
            yield job
        else:
            take(job, result)


def _work(job: Job[Any], channel: MessageChannel) -> None:
    result = job.work(lambda so_far: channel.send((False, so_far)))
    job.keep(result)
    channel.send((True, result))


@dataclass(slots=True)
class JobProgress:
    """Calls ``write`` about every second while jobs end, and says a line after each."""

    budget: Budget
    write: Callable[[], object]
    say: Callable[[str], None]
    _written: float = -math.inf

    def tell(self, name: str, done: int, jobs: int, words: Callable[[], str]) -> None:
        """The job of the function ``name`` has ended, ``done`` of ``jobs`` in all. ``words`` counts results."""
        now = time.monotonic()
        if now > self._written + EACH:
            self._written = now
            self.write()
        left = (now - self.budget.began) / done * (jobs - done)
        seconds = max(min(left, self.budget.deadline - now), 0.0)
        self.say(f"{words()}, about {seconds:.0f} s left; {name} is done")
