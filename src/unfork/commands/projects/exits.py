"""The exit statuses of commands that work on the functions of a project."""

from __future__ import annotations

from unfork.report.record.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE

_EXITS = {"safe": EXIT_SAFE, "clean": EXIT_SAFE, "unsafe": EXIT_UNSAFE, "unknown": EXIT_UNKNOWN}


def exit_status(verdict: str, *, interrupted: bool) -> int:
    """The exit status of a command with this verdict. ``interrupted``: the user ended it, which hides the verdict."""
    return EXIT_INTERRUPTED if interrupted else _EXITS[verdict]
