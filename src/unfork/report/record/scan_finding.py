"""Explains findings of a scan: failure, test, path, values, and the C program that shows it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.findings import stack_lines
from unfork.report.record.kept_run import KeptRun, read_test
from unfork.report.record.text import plural
from unfork.report.record.words_of_tests import heap_text, inputs_text, schedule_text, world_text

OURS = '#line 1 "unfork"\n'
"""The line after the copied source in a C program."""
_MAIN = "\nint main("
_NAMED = 8
"""The most findings to name if none matches."""


def findings_at(run: KeptRun, what: str, directory: str) -> list[str]:
    """A scan's findings at FILE:LINE, or in FILE; FILE is the scan's name for it or the end of one. Raises
    InputError.
    """
    every = [*run.summary["findings"], *run.summary["ignored"]]
    meant = [each for each in every if _is_meant(each, what)]
    if not meant:
        places = list(dict.fromkeys(map(_place, every)))
        places[_NAMED:] = ["..."] * (len(places) > _NAMED)
        said = f"it has some at {', '.join(places)}" if places else "it has none"
        raise InputError(f"{what}: no finding of {directory} (say FILE:LINE; {said})")
    lines: list[str] = []
    for each in meant:
        lines += [*[""] * bool(lines), *_explained(run, each, directory)]
    return lines


def program_of(root: Path, finding: Mapping[str, Any]) -> str:
    """A finding's C program after its copied source; "" if it is gone or outside the scan's directory."""
    path = within(root, finding["reproducer"])
    try:
        text = "" if path is None else path.read_text("utf-8", "replace")
    except OSError:
        return ""
    return text.rpartition(OURS)[2]


def within(root: Path, name: str) -> Path | None:
    """A file of the scan; None if its name leads outside."""
    path = (root / name).resolve()
    return path if path.is_relative_to(root.resolve()) else None


def _is_meant(finding: Mapping[str, Any], what: str) -> bool:
    file, _, line = what.rpartition(":")
    if not line.isdecimal():
        file, line = what, ""
    name = finding["file"] or ""
    return (name == file or name.endswith("/" + file.removeprefix("./"))) and line in ("", str(finding["line"]))


def _place(finding: Mapping[str, Any]) -> str:
    return f"{escape_text(finding['file'] or '?')}:{finding['line']}"


def _explained(run: KeptRun, finding: Mapping[str, Any], directory: str) -> Iterator[str]:
    where = f"{finding['kind']}: {escape_text(finding['message'])} in {escape_text(finding['function'])}"
    yield f"{_place(finding)}: {where}"
    yield f"  {finding['certainty']}: {escape_text(finding['reason'])}"
    if finding["followed"]:
        yield f"  followed: {escape_text(finding['followed'])}"
    if finding["precondition"]:
        yield f"  requires: {escape_text(finding['precondition'])}"
    if "ignored" in finding:
        yield f"  ignored: {escape_text(finding['ignored'])}"
    others = [escape_text(each["function"]) for each in finding["reached_from"]]
    yield f"  reached from {', '.join(others[:_NAMED])}" + ", ..." * (len(others) > _NAMED)
    if finding["path"]:
        yield f"the path, with {plural(len(finding['path']), 'decision')}:"
        yield from (
            f"  {escape_text(step['file'])}:{step['line']}: {escape_text(step['what'])}" for step in finding["path"]
        )
    yield from ("stack:", *stack_lines(finding["stack"]))
    path = within(run.root, finding["test"])
    if path is not None and path.is_file():
        yield f"test: {_named(directory, finding['test'])}"
        test = read_test(path)
        yield from (*world_text(test), *inputs_text(test), *heap_text(test), *schedule_text(test))
    program = program_of(run.root, finding)
    if program:
        yield ""
        yield f"program: {_named(directory, finding['reproducer'])}"
        _, begins, main = program.rpartition(_MAIN)
        yield from (f"  {escape_text(line)}" for line in f"{begins}{main}".strip().splitlines())


def _named(directory: str, name: str) -> str:
    return escape_text(os.path.normpath(os.path.join(directory, name)))
