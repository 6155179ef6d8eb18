"""The run's side of its live page: reports progress, and obeys the reader's orders."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from unfork.engine.protocols.events import Beat, Event
from unfork.errors import InputError
from unfork.program.llvm.subprocesses import Companion
from unfork.report.record.progress import Gauge

_BEATS = 5
"""Beats between two readings (half a second)."""
_LAST = 5.0


class LivePage:
    """Serves the page of a run from a separate process, which reads the run directory."""

    def __init__(self, port: int) -> None:
        """Takes the port. Raises InputError if that fails."""
        self._server = Companion([sys.executable, "-m", "unfork.report.page.server", str(port)])
        self.address = self._server.answer().decode("utf-8", "replace")
        if not self.address.startswith("http://"):
            self._server.end(0)
            raise InputError(f"--serve: {self.address or 'the server of the page did not begin'}")

    def show(self, root: Path, gauge: Gauge, stop: Callable[[], None], write_tests: Callable[[], None]) -> Reporter:
        """Start to show the run in ``root``. The observer that it returns must hear the run's events."""
        self._server.say(os.fsencode(root.resolve()))
        return Reporter(self._server, gauge, {b"stop": stop, b"tests": write_tests})

    def end(self) -> None:
        """Call this after the run directory is complete."""
        self._server.end(_LAST)


class Reporter:
    """Observes a run for its page, and obeys orders between two steps."""

    def __init__(self, server: Companion, gauge: Gauge, orders: Mapping[bytes, Callable[[], None]]) -> None:
        self._server = server
        self._gauge = gauge
        self._orders = orders
        self._beats = 0

    def tell(self, event: Event) -> None:
        if not isinstance(event, Beat):
            return
        self._beats += 1
        if self._beats % _BEATS == 0:
            self._server.say(json.dumps(asdict(self._gauge.read(event.waiting, event.resident))).encode())
        for line in self._server.heard():
            if line in self._orders:
                self._orders[line]()
