"""Commands that may use so many seconds of processors, all of their processes together."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

EACH = 0.1
"""Seconds between two looks at what was used."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Done(NamedTuple):
    """What a command came to; ``status`` is None where it did not end in time.

    ``cpu`` is in seconds: at least what was seen before an interruption, since nobody waits for what is killed.
    """

    status: int | None
    stdout: str
    stderr: str
    cpu: float


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], most: float, cpu: float = float("inf")
) -> Done:
    """Run a command; interrupt it after ``cpu`` seconds of processors, kill it after ``most`` seconds of the clock."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=err,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        status: int | None = None
        interrupted, spent = False, 0.0
        while (ended := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)) is None:
            if time.monotonic() - began > most:
                os.killpg(process.pid, signal.SIGKILL)
            elif not interrupted and (spent := used(process.pid)) >= cpu:
                process.send_signal(signal.SIGINT)
                interrupted = True
            time.sleep(EACH)
        _, raw, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(raw)
        if ended.si_code == os.CLD_EXITED:
            status = process.returncode
        out.seek(0)
        err.seek(0)
        said = [each.read().decode(errors="replace") for each in (out, err)]
        return Done(status, said[0], said[1], max(spent, usage.ru_utime + usage.ru_stime))


def used(session: int) -> float:
    """Seconds that the processes of a session have used, those that they have waited for among them."""
    total = 0
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            # what follows the name in brackets: the state, parent, group and session; times from the twelfth on
            words = (place / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(words[3]) == session:
            total += sum(map(int, words[11:15]))
    return total / _TICKS
