"""Tests see what a user's shell gives, however the test run itself was started."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A run that was put into the background ignores interrupts, and would hand that down to all that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
