"""The functions of a project, each in a process of its own, as many at once as there are cores."""

from __future__ import annotations

import contextlib
import selectors
import time
from collections.abc import Callable, Iterator
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
"""Seconds between two looks at the processes."""
_GRACE = 15.0
"""Seconds after its time in which the process of a function must have told what it found."""


class Job(Protocol[Result]):
    """What is to be done for one function. It may use ``most`` seconds of processors and ``longest`` by the clock."""

    @property
    def name(self) -> str:
        """The function's name in the program."""

    @property
    def most(self) -> float:
        """Seconds of processors."""

    @property
    def longest(self) -> float:
        """Seconds by the clock."""

    def work(self, tell: Callable[[Result], None]) -> Result:
        """Do it, in a process of its own; ``tell`` is told what there is so far."""

    def broken_off(self, so_far: Result | None, reason: str, began: float) -> Result:
        """What is told of a function whose process did not come to its end."""


@dataclass(slots=True)
class _Running(Generic[AJob, Result]):
    """A function that a process works on, and what that has told so far."""

    job: AJob
    began: float
    patience: Patience
    result: Result | None = None
    is_done: bool = False


@dataclass(slots=True)
class Pool(Generic[AJob, Result]):
    """Works on jobs until ``deadline``, or until the user ends it. Whatever a job breaks costs that job alone.

    ``patience``: seconds that processes have after that to tell what they found, once they were asked to.
    """

    cores: int
    interrupt: Interrupt
    tell: Callable[[AJob, Result], None]
    deadline: float
    patience: float = 0.0
    running: dict[Process, _Running[AJob, Result]] = field(default_factory=dict)
    _last_words: Patience | None = None

    def run(self, jobs: Iterator[AJob]) -> None:
        """Do them all, or as many as time and the user let."""
        with selectors.DefaultSelector() as selector:
            while True:
                while len(self.running) < self.cores and not self._is_over():
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

    def _until_next_look(self) -> float:
        """Seconds until a process may be late, or time over."""
        return EACH if self._is_over() else max(min(EACH, self.deadline - time.monotonic()), 0.0)

    def _is_over(self) -> bool:
        if self._last_words is None and (self.interrupt.requested or time.monotonic() > self.deadline):
            self._last_words = Patience(seconds=self.patience)
            if self.patience:
                for process in self.running:
                    process.interrupt()
        return self._last_words is not None

    def _is_late(self, process: Process) -> bool:
        self._is_over()
        return (self._last_words or self.running[process].patience).is_over()

    def _hear(self, process: Any) -> bool:
        """Take what a process says; whether there is nothing to come."""
        running = self.running[process]
        try:
            running.is_done, running.result = process.report()
        except (EOFError, OSError):
            return True
        return running.is_done

    def _end(self, selector: selectors.BaseSelector, process: Any) -> None:
        selector.unregister(process)
        running = self.running[process]
        with contextlib.suppress(OSError):
            while not running.is_done and process.channel.poll() and not self._hear(process):
                pass
        del self.running[process]
        process.end()
        result = running.result
        if result is None or not running.is_done:
            reason = "interrupted" if self._is_over() else "its process ended, or took too long"
            result = running.job.broken_off(result, reason, running.began)
        self.tell(running.job, result)


def _work(job: Job[Any], channel: MessageChannel) -> None:
    channel.send((True, job.work(lambda so_far: channel.send((False, so_far)))))


def time_left(done: int, jobs: int, budget: Budget) -> str:
    """How long the rest will take, as far as that can be told from what is done."""
    now = time.monotonic()
    left = (now - budget.began) / done * (jobs - done)
    return f"about {max(min(left, budget.deadline - now), 0.0):.0f} s left"
