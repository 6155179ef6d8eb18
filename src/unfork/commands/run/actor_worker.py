"""An exploration inside an actor of a cluster: a thread explores, and the actor's caller passes it tasks."""

from __future__ import annotations

import hashlib
import pickle
import threading
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue

from unfork import host
from unfork.commands.run.meetings import Explore
from unfork.commands.run.messages import GOING, WorkerReport, WorkerTask
from unfork.engine.explore.endings import Interrupt

_DECIDES = ("bitwuzla", "llvmlite", "z3-solver")
"""The libraries on which the results of an exploration depend."""


class OtherVersion(Exception):
    """This machine has another unfork, or other solvers, than the one that started the run."""


@cache
def fingerprint() -> str:
    """A hash of unfork and its libraries: machines on which it is equal explore alike."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _DECIDES).encode())
    for file in sorted(package.rglob("*.py")):
        digest.update(f"\0{file.relative_to(package)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


class ActorWorker:
    """Explores task by task; no signal reaches it.

    ``explore`` is a pickled Explore, and ``shared`` are the pieces of its pickled argument. ``made_by`` is the
    fingerprint of the machine that pickled them.
    """

    def __init__(self, made_by: str, explore: bytes, *shared: bytes) -> None:
        self._made_by = made_by
        self._explore = explore
        self._shared = shared
        self._channel: _Channel | None = None
        self._before = host.this().resident_bytes()
        self._is_over = False
        self._lock = threading.Lock()

    def play(self, tasks: Sequence[WorkerTask]) -> tuple[bytes, int]:
        """Work the tasks off. Returns the last report, packed, and the bytes of memory that this process has taken.

        The tasks before the last repeat those of an actor that died; their reports are known. Raises OtherVersion, and
        any exception that ends the exploration.
        """
        channel = self._begin()
        report = channel.play(tasks[0])
        for task in tasks[1:]:
            if report.status != GOING:
                break
            report = channel.play(task)
        return zlib.compress(pickle.dumps(report)), max(host.this().resident_bytes() - self._before, 0)

    def interrupt(self) -> None:
        """Let the exploration send its last report at once."""
        with self._lock:
            self._is_over = True
            if self._channel is not None:
                self._channel.interrupt()

    def _begin(self) -> _Channel:
        with self._lock:
            if self._channel is None:
                if self._made_by != fingerprint():
                    raise OtherVersion("another unfork, or other solvers, than where the run was started")
                self._channel = _Channel()
                if self._is_over:
                    self._channel.interrupt()
                threading.Thread(target=self._run, args=(self._channel,), daemon=True).start()
            return self._channel

    def _run(self, channel: _Channel) -> None:
        try:
            explore: Explore = pickle.loads(self._explore)
            explore(channel, pickle.loads(b"".join(self._shared)))
        except BaseException as failed:  # noqa: BLE001  # play raises it again
            channel.reports.put(failed)


def unpack_report(packed: bytes) -> WorkerReport:
    """The report that ``play`` packed. Raises whatever unpickling a broken one raises."""
    report: WorkerReport = pickle.loads(zlib.decompress(packed))
    return report


class _Channel:
    def __init__(self) -> None:
        self.tasks: SimpleQueue[WorkerTask] = SimpleQueue()
        self.reports: SimpleQueue[WorkerReport | BaseException] = SimpleQueue()
        self._is_over = False
        self._heeding: Interrupt | None = None

    def play(self, task: WorkerTask) -> WorkerReport:
        """The report on the task. Raises the exception that has ended the exploration."""
        self.tasks.put(task)
        report = self.reports.get()
        if isinstance(report, BaseException):
            raise report
        return report

    def send(self, report: WorkerReport | bytes) -> None:
        assert isinstance(report, WorkerReport)  # not a family: it has no team
        self.reports.put(report)

    def recv(self) -> WorkerTask:
        return self.tasks.get()

    def heed(self, interrupt: Interrupt) -> None:
        self._heeding = interrupt
        if self._is_over:
            interrupt.request()

    def interrupt(self) -> None:
        """Stop the exploration, as soon as it begins if it has not."""
        self._is_over = True
        if self._heeding is not None:
            self._heeding.request()
