"""Runs commands that may use so many seconds of processors, all of their processes together."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from unfork import host

EACH = 0.1
"""Seconds between two looks at what was used."""
LOOKS = 5
"""Looks at processors between two at memory, which cost more."""


class Done(NamedTuple):
    """What a command came to; ``status`` is None where it did not end in time. ``wall`` and ``cpu`` are in seconds.

    ``cpu`` is at least what was seen before an interruption, since nobody waits for what is killed. ``memory`` is the
    most that its processes held together where one looked, in bytes, what they share counted once; 0 where nobody did.
    """

    status: int | None
    stdout: str
    stderr: str
    wall: float
    cpu: float
    memory: int


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], most: float, cpu: float = float("inf")
) -> Done:
    """Run a command; interrupt it after ``cpu`` seconds of processors, kill it after ``most`` seconds of the clock."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=err,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        alarm = threading.Timer(most, os.killpg, (process.pid, signal.SIGKILL))
        watch = _Watch(process.pid, cpu)
        alarm.start()
        watch.start()
        try:
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            wall = time.perf_counter() - began
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            alarm.cancel()
            watch.over.set()
            watch.join()
            _, raw, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(raw)
        status = process.returncode if ended is not None and ended.si_code == os.CLD_EXITED else None
        out.seek(0)
        err.seek(0)
        said = [each.read().decode(errors="replace") for each in (out, err)]
        return Done(status, said[0], said[1], wall, max(watch.spent, usage.ru_utime + usage.ru_stime), watch.memory)


class _Watch(threading.Thread):
    """Interrupts a session's leader once ``cpu`` seconds are used, unless it is over before."""

    def __init__(self, session: int, cpu: float) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.spent = 0.0
        self.memory = 0
        self._session = session
        self._cpu = cpu

    def run(self) -> None:
        """Look now and then."""
        looks = 0
        while self._cpu < float("inf") and not self.over.wait(EACH):
            if looks % LOOKS == 0:
                self.memory = max(self.memory, held(self._session))
            looks += 1
            spent = used(self._session)
            if spent >= self._cpu:
                self.spent = spent
                os.kill(self._session, signal.SIGINT)
                return


def used(session: int) -> float:
    """Seconds that a session's processes and their descendants have used, with those that they have waited for."""
    kinds = (host.USER, host.SYSTEM, host.USER_OF_CHILDREN, host.SYSTEM_OF_CHILDREN)
    return sum(host.seconds_in(words, *kinds) for _, words in _processes(session))


def held(session: int) -> int:
    """Bytes that a session's processes and their descendants hold, what several share counted once."""
    total = 0
    for place, _ in _processes(session):
        try:
            lines = (place / "smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended
            continue
        total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    return total


def _processes(session: int) -> Iterator[tuple[Path, list[str]]]:
    """The processes of a session, and their descendants in sessions of their own, with their status words."""
    found: dict[int, tuple[Path, list[str]]] = {}
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            found[int(place.name)] = place, host.status_words(int(place.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    is_inside = {0: False}
    for number in found:
        line = []
        while number not in is_inside:
            line.append(number)
            _, words = found.get(number, (None, ["", "0", "", "0"]))
            if int(words[3]) == session:
                is_inside[number] = True
            else:
                number = int(words[1])
        is_inside.update(dict.fromkeys(line, is_inside[number]))
    yield from (each for number, each in found.items() if is_inside[number])
