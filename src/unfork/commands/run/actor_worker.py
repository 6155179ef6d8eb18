"""An exploration inside an actor of a cluster: a thread explores, and the actor's caller hands it its tasks."""

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

from unfork.commands.run.meetings import Explore
from unfork.commands.run.messages import GOING, WorkerReport, WorkerTask
from unfork.engine.explore.endings import Interrupt
from unfork.processes import resident_bytes

_DECIDES = ("bitwuzla", "llvmlite", "z3-solver")
"""The libraries on which it depends what an exploration comes to."""


class OtherVersion(Exception):
    """This machine has another unfork, or other solvers, than the one that the run was started on."""


@cache
def fingerprint() -> str:
    """What is the same on two machines if the same exploration comes to the same on both."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _DECIDES).encode())
    for file in sorted(package.rglob("*.py")):
        digest.update(f"\0{file.relative_to(package)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


class ActorWorker:
    """Explores task by task; no signal reaches it.

    ``explore`` is what to explore, pickled, and ``shared`` are pieces of what it is given for that. ``made_by`` is the
    fingerprint of the machine that pickled them.
    """

    def __init__(self, made_by: str, explore: bytes, *shared: bytes) -> None:
        self._made_by = made_by
        self._explore = explore
        self._shared = shared
        self._channel: _Channel | None = None
        self._before = resident_bytes()
        self._is_over = False
        self._lock = threading.Lock()

    def play(self, tasks: Sequence[WorkerTask]) -> tuple[bytes, int]:
        """Work the tasks off; the last report, to be ``received``, and the bytes of memory that were taken so far.

        Tasks before the last are those of an actor that has died: their reports are known. Raises OtherVersion, and
        whatever ends the exploration.
        """
        channel = self._begin()
        report = channel.play(tasks[0])
        for task in tasks[1:]:
            if report.status != GOING:
                break
            report = channel.play(task)
        return zlib.compress(pickle.dumps(report)), max(resident_bytes() - self._before, 0)

    def interrupt(self) -> None:
        """Let the exploration report at once, for the last time."""
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
        except BaseException as failed:  # noqa: BLE001  # raised where somebody waits for the report
            channel.reports.put(failed)


def unpack_report(packed: bytes) -> WorkerReport:
    """A report as it was before it was sent. Raises whatever a broken one may raise."""
    report: WorkerReport = pickle.loads(zlib.decompress(packed))
    return report


class _Channel:
    """A channel between two threads."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[WorkerTask] = SimpleQueue()
        self.reports: SimpleQueue[WorkerReport | BaseException] = SimpleQueue()
        self._is_over = False
        self._heeding: Interrupt | None = None

    def play(self, task: WorkerTask) -> WorkerReport:
        """What came of the task. Raises what has ended the exploration."""
        self.tasks.put(task)
        report = self.reports.get()
        if isinstance(report, BaseException):
            raise report
        return report

    def send(self, report: WorkerReport | bytes) -> None:
        assert isinstance(report, WorkerReport)  # it shares no states
        self.reports.put(report)

    def recv(self) -> WorkerTask:
        return self.tasks.get()

    def heed(self, interrupt: Interrupt) -> None:
        self._heeding = interrupt
        if self._is_over:
            interrupt.request()

    def interrupt(self) -> None:
        """Stop the exploration, if need be as soon as it begins."""
        self._is_over = True
        if self._heeding is not None:
            self._heeding.request()
