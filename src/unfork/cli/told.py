"""What a run or proofs came to, told in the last lines and in --json, whose place is checked before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.clang.escape import shown
from unfork.cli.streams import complain, plea, say
from unfork.errors import InputError
from unfork.failures import CRASH
from unfork.formats import gcc
from unfork.options import Options
from unfork.report.directory import WriteFailed, write_file
from unfork.report.summary import as_json
from unfork.report.text import final_lines
from unfork.report.verdict import EXIT_UNKNOWN

if TYPE_CHECKING:
    from unfork.api.run import Result
    from unfork.api.verify import Verified

_kept: list[Result] = []
"""The last run. It is kept so that its states are not freed one by one just before the process ends."""


def told(result: Result, options: Options) -> int:
    """Print what a run came to; returns the exit status."""
    _kept[:] = [result]
    lines = final_lines(result.summary, str(result.directory))
    if "gcc" in result.summary["options"]["formats"]:
        lines = [*gcc.lines(result.summary), *lines]
    if options.verbose:
        lines += _warnings(result.directory).splitlines()
    try:
        print_result(lines, result, options)
    except WriteFailed as failed:
        complain(f"unfork: {shown(str(failed))}")
        return result.exit_status or EXIT_UNKNOWN
    if result.trouble is not None:
        complain(f"unfork: {shown(result.trouble)}")
    if result.failure is not None:
        complain(plea(result.failure, str(result.directory / CRASH)))
    return result.exit_status


def print_result(lines: Sequence[str], result: Result | Verified, options: Options) -> None:
    """Print the final lines, and the summary where --json wants it. Only one of them goes to standard output.

    Raises WriteFailed.
    """
    text = "\n".join(lines)
    if not options.quiet and options.json == "-":
        complain(text)
    elif not options.quiet:
        say(f"{text}\n")
    if options.json == "-":
        say(as_json(result.summary))
    elif options.json is not None:
        write_file(Path(options.json), as_json(result.summary).encode())


def check_summary_place(place: str | None) -> None:
    """Check, before the run, that the --json file can be written. Raises InputError."""
    if place is None or place == "-":
        return
    path = Path(place)
    can_be_made = path.parent.is_dir() and os.access(path.parent, os.W_OK)
    if not path.name or path.is_dir() or not (can_be_made or (path.exists() and not path.is_file())):
        raise InputError(f"--json {place}: cannot be written")


def _warnings(directory: Path) -> str:
    try:
        return (directory / "warnings.txt").read_text("utf-8")
    except OSError:
        return ""
