"""The summary file of --json: its place is checked before the run, and it is written after it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.errors import InputError
from unfork.report.directory import write_file
from unfork.report.summary import as_json

if TYPE_CHECKING:
    from unfork.api.run import Result
    from unfork.api.verify import Verified


def write_summary(result: Result | Verified, place: str) -> None:
    """Write the summary to the file ``place``. Raises WriteFailed."""
    write_file(Path(place), as_json(result.summary).encode())


def check_summary_place(place: str | None) -> None:
    """Check, before the run, that the --json file can be written. Raises InputError."""
    if place is None or place == "-":
        return
    path = Path(place)
    can_be_made = path.parent.is_dir() and os.access(path.parent, os.W_OK)
    if not path.name or path.is_dir() or not (can_be_made or (path.exists() and not path.is_file())):
        raise InputError(f"--json {place}: cannot be written")
