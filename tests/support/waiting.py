"""Waits for what another process does without taking the processor from it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MOMENT = 0.02
"""Seconds between two looks."""


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[Any]) -> None:
    """Wait until it is so; a process that ends before has failed."""
    while not is_so():
        with suppress(subprocess.TimeoutExpired):
            process.wait(MOMENT)
        assert is_so() or process.poll() is None, "it has ended"
