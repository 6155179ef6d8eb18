"""An exploration inside an actor of a cluster: a thread explores, and whoever calls the actor hands it its turns."""

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

from unfork.explore.endings import Interrupt
from unfork.explore.limits import resident_bytes
from unfork.race.contestant import Explore
from unfork.race.messages import GOING, Report, Turn

_DECIDES = ("bitwuzla", "llvmlite", "z3-solver")
"""The libraries on which it depends what an exploration comes to."""


class OtherVersion(Exception):
    """This machine has another unfork, or other solvers, than the one that the run was started on."""


@cache
def fingerprint() -> str:
    """What is the same on two machines if the same exploration comes to the same on both."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _DECIDES).encode())
    for file in sorted(package.rglob("*.py")):
        digest.update(f"\0{file.relative_to(package)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


class Seat:
    """Explores turn by turn; no signal reaches it.

    ``explore`` is what to explore, pickled, and ``shared`` are pieces of what it is given for that. ``made_by`` is the
    fingerprint of the machine that pickled them.
    """

    def __init__(self, made_by: str, explore: bytes, *shared: bytes) -> None:
        self._made_by = made_by
        self._explore = explore
        self._shared = shared
        self._mailbox: _Mailbox | None = None
        self._before = resident_bytes()
        self._is_over = False
        self._lock = threading.Lock()

    def play(self, turns: Sequence[Turn]) -> tuple[bytes, int]:
        """Work the turns off; the last report, to be ``received``, and the bytes of memory that were taken so far.

        Turns before the last are those of an actor that has died: their reports are known. Raises OtherVersion, and
        whatever ends the exploration.
        """
        mailbox = self._begun()
        report = mailbox.played(turns[0])
        for turn in turns[1:]:
            if report.status != GOING:
                break
            report = mailbox.played(turn)
        return zlib.compress(pickle.dumps(report)), max(resident_bytes() - self._before, 0)

    def interrupt(self) -> None:
        """Let the exploration report at once, for the last time."""
        with self._lock:
            self._is_over = True
            if self._mailbox is not None:
                self._mailbox.interrupt()

    def _begun(self) -> _Mailbox:
        with self._lock:
            if self._mailbox is None:
                if self._made_by != fingerprint():
                    raise OtherVersion("another unfork, or other solvers, than where the run was started")
                self._mailbox = _Mailbox()
                if self._is_over:
                    self._mailbox.interrupt()
                threading.Thread(target=self._run, args=(self._mailbox,), daemon=True).start()
            return self._mailbox

    def _run(self, mailbox: _Mailbox) -> None:
        try:
            explore: Explore = pickle.loads(self._explore)
            explore(mailbox, pickle.loads(b"".join(self._shared)))
        except BaseException as failed:  # noqa: BLE001  # raised where somebody waits for the report
            mailbox.reports.put(failed)


def received(packed: bytes) -> Report:
    """A report as it was before it was sent. Raises whatever a broken one may raise."""
    report: Report = pickle.loads(zlib.decompress(packed))
    return report


class _Mailbox:
    """A channel between two threads."""

    def __init__(self) -> None:
        self.turns: SimpleQueue[Turn] = SimpleQueue()
        self.reports: SimpleQueue[Report | BaseException] = SimpleQueue()
        self._is_over = False
        self._heeding: Interrupt | None = None

    def played(self, turn: Turn) -> Report:
        """What came of the turn. Raises what has ended the exploration."""
        self.turns.put(turn)
        report = self.reports.get()
        if isinstance(report, BaseException):
            raise report
        return report

    def send(self, report: Report) -> None:
        self.reports.put(report)

    def recv(self) -> Turn:
        return self.turns.get()

    def heed(self, interrupt: Interrupt) -> None:
        self._heeding = interrupt
        if self._is_over:
            interrupt.requested = True

    def interrupt(self) -> None:
        """Stop the exploration, if need be as soon as it begins."""
        self._is_over = True
        if self._heeding is not None:
            self._heeding.requested = True
