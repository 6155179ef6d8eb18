"""A summary that is written while the run goes on, so that a run that is killed leaves one."""

from __future__ import annotations

from collections.abc import Callable

from unfork.contracts.events import Beat, Ended, Event
from unfork.contracts.outcome import Failed
from unfork.report.directory import RunDirectory
from unfork.report.summary import Account, as_json, summary

_BEATS = 50
"""Beats between two summaries (about five seconds)."""


class SoFar:
    """Writes the summary at the start, after each new error, and every few seconds."""

    def __init__(self, directory: RunDirectory, account: Callable[[], Account]) -> None:
        self._directory = directory
        self._account = account
        self._beats = 0
        self._errors = -1
        self._write()

    def tell(self, event: Event) -> None:
        """Write the summary if it is time for it, or if there is a new error. Raises WriteFailed."""
        match event:
            case Beat():
                self._beats += 1
                if self._beats % _BEATS == 0:
                    self._write()
            case Ended(Failed()):
                self._write_errors()

    def _write_errors(self) -> None:
        account = self._account()
        if len(account.errors) > self._errors:
            self._write()

    def _write(self) -> None:
        account = self._account()
        self._errors = len(account.errors)
        self._directory.write("summary.json", as_json(summary(account)).encode())
