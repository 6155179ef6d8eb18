"""Explains findings of a scan: entry, input, what happens line by line, values, and the C program that shows it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.findings import stack_lines
from unfork.report.record.kept_run import KeptRun, read_test, where_it_ran
from unfork.report.record.text import clipped, plural
from unfork.report.record.words_of_tests import heap_text, inputs_text, schedule_text, world_text
from unfork.world.inputs.testcase import TestCase

OURS = '#line 1 "unfork"\n'
"""The line after the copied source in a C program."""
_MAIN = "\nint main("
_RUN = "./a.out"
_NAMED = 8
"""The most findings to name if none matches."""
_LONGEST = 60
"""The most characters of a line of the source."""
_LONGER = 300
"""Seconds of a function in the command that looks at a finding again: five times those of a scan."""
_PARTS = ("findings", "ignored", "failures", "excluded")


def findings_at(run: KeptRun, what: str, directory: str) -> list[str]:
    """A scan's findings at FILE:LINE, or in FILE; FILE is a path, the scan's name for it or the end of one. Raises
    InputError.
    """
    every = [(part, each) for part in _PARTS for each in run.summary[part]]
    meant = [(part, each) for part, each in every if _is_meant(run, each, what)]
    if not meant:
        raise InputError(f"{what}: no finding of {directory} (say FILE:LINE; {_others(run, what, every)})")
    lines: list[str] = []
    for number, (part, each) in enumerate(meant, 1):
        lines += [*[""] * bool(lines)]
        lines += [f"{number} of {plural(len(meant), 'finding')}"] * (len(meant) > 1)
        lines += _explained(run, each, part, directory)
    return lines


def _others(run: KeptRun, what: str, every: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Where there are findings, the nearest in the file first."""
    file, line = _split(what)
    wanted = int(line or 0)

    def distance(finding: Mapping[str, Any]) -> tuple[bool, int]:
        return not _is_in(run, finding, file), abs((finding["line"] or 0) - wanted)

    near = sorted((each for _, each in every), key=distance) if line else [each for _, each in every]
    places = list(dict.fromkeys(map(_place, near)))
    places[_NAMED:] = ["..."] * (len(places) > _NAMED)
    return f"it has some at {', '.join(places)}" if places else "it has none"


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


def _split(what: str) -> tuple[str, str]:
    """A file, and a line as digits, which may be missing."""
    file, _, line = what.rpartition(":")
    return (file, line) if line.isdecimal() else (what, "")


def _is_meant(run: KeptRun, finding: Mapping[str, Any], what: str) -> bool:
    file, line = _split(what)
    return line in ("", str(finding["line"])) and _is_in(run, finding, file)


def _is_in(run: KeptRun, finding: Mapping[str, Any], file: str) -> bool:
    name = finding["file"] or ""
    if name == file or name.endswith("/" + file.removeprefix("./")):
        return True
    return bool(name) and (_folder(run) / name).resolve() == Path(file).resolve()


def _folder(run: KeptRun) -> Path:
    """Where the scan ran: names of files begin there."""
    return run.root / str(run.summary.get("folder", os.path.relpath(".", run.root)))


def _place(finding: Mapping[str, Any]) -> str:
    return f"{escape_text(finding['file'] or '?')}:{finding['line']}"


def _explained(run: KeptRun, finding: Mapping[str, Any], part: str, directory: str) -> Iterator[str]:
    where = f"{finding['kind']}: {escape_text(finding['message'])} in {escape_text(finding['function'])}"
    yield f"{_place(finding)}: {where}"
    yield from (f"  {line}" for line in _judged(finding, part))
    path = within(run.root, finding["test"])
    test = read_test(path) if path is not None and path.is_file() else None
    yield from () if test is None else _input(test)
    yield from ("", "what happens:", *_happens(run, finding))
    yield from ("", "values then, innermost call first:", *stack_lines(finding["stack"]), "")
    if test is not None:
        yield f"test: {_named(directory, finding['test'])}"
    yield from _shown_by(run, finding, part, directory)


def _judged(finding: Mapping[str, Any], part: str) -> Iterator[str]:
    """The class of a finding with its reason, and the functions that come to it."""
    word = {"excluded": "excluded", "failures": "certain if a call fails"}.get(part, finding["certainty"])
    reason = finding["followed"] if part == "excluded" else finding["reason"]
    yield f"{word}: {escape_text(reason)}"
    entry = finding.get("entry", "")
    if entry:
        yield f"entry: {escape_text(entry)}, which is public"
    elif part != "failures":
        yield f"seen in {escape_text(finding['from'])}, which is not public" if "from" in finding else "entry: none"
    if finding["followed"] and part != "excluded":
        yield f"followed: {escape_text(finding['followed'])}"
    if finding["precondition"]:
        yield f"requires: {escape_text(finding['precondition'])}"
    if finding.get("requires"):
        yield f"as a contract: UNFORK_REQUIRES({escape_text(finding['requires'])});"
    if "ignored" in finding:
        yield f"ignored: {escape_text(finding['ignored'])}"
    begins = entry or finding.get("from", "")
    others = [escape_text(each["function"]) for each in finding.get("reached_from", ()) if each["function"] != begins]
    if others:
        yield f"reached from {', '.join(others[:_NAMED])}" + ", ..." * (len(others) > _NAMED) + ", too"


def _happens(run: KeptRun, finding: Mapping[str, Any]) -> Iterator[str]:
    """Each decision and call with its line, function by function; the calls of the stack, if no more is known."""
    at = {"function": finding["function"], "file": finding["file"], "line": finding["line"]}
    steps = finding["path"] or [*_calls(finding["stack"])]
    rows = [*steps, {**at, "what": f"fails: {finding['message']}"}]
    with where_it_ran(run) as seen:
        texts = {name: seen.lines(name) for name in dict.fromkeys(row["file"] for row in rows) if name is not None}
    codes = [_code(texts.get(row["file"], []), row["line"]) for row in rows]
    places, before = max(len(_place(row)) for row in rows), None
    width = max(map(len, codes))
    for row, code in zip(rows, codes, strict=True):
        function = row.get("function", "")
        if function and function != before:
            yield f"  {escape_text(function)}"
            before = function
        yield f"    {_place(row):<{places}}  {code:<{width}}  {escape_text(row['what'])}".rstrip()


def _code(lines: Sequence[bytes], line: int | None) -> str:
    """A line of the source, cut; "" if it is not known."""
    if not line or line > len(lines):
        return ""
    return clipped(escape_text(" ".join(lines[line - 1].decode("utf-8", "replace").split())), _LONGEST)


def _calls(stack: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The calls of a stack, the outermost first."""
    for inner, outer in zip(reversed(stack[:-1]), reversed(stack[1:]), strict=True):
        yield {**outer, "what": f"calls {inner['function']}"}


def _input(test: TestCase) -> Iterator[str]:
    """What the function is given, and which calls fail; numbers that the heap shows are not listed again."""
    apart = {"failure"} if test.command.heap is None else {"failure", "lazy"}
    shown = replace(test, inputs=tuple([each for each in test.inputs if each.kind not in apart]))
    fails = [each.name.replace("-failure", "") for each in test.inputs if each.kind == "failure" and any(each.data)]
    lines = [*world_text(shown), *(inputs_text(shown) if shown.inputs else ())]
    lines += [f"calls that fail: {escape_text(', '.join(fails))}"] * bool(fails)
    yield from ("", *lines) if lines else ()
    yield from (*heap_text(test), *schedule_text(test))


def _shown_by(run: KeptRun, finding: Mapping[str, Any], part: str, directory: str) -> Iterator[str]:
    """The C program, how to run it, and how to look longer if the finding is not certain."""
    program = program_of(run.root, finding)
    if program:
        yield f"program: {_named(directory, finding['reproducer'])}"
        _, begins, main = program.rpartition(_MAIN)
        yield from (f"  {escape_text(line)}" for line in f"{begins}{main}".strip().splitlines())
    folder = os.path.relpath(_folder(run))
    where = "" if folder == "." else f", in {escape_text(folder)}"
    command = _command(run, finding) if part != "failures" else ""
    if command:
        yield ""
        yield f"to run it{where}:"
        yield f"  {command}"
    if finding["certainty"] in ("likely", "undecided") and part == "findings":
        words = [*_flags(run.summary["options"]), *run.summary["program"]]
        yield ""
        yield f"to look at it longer{where}:"
        asked = f"{_place(finding)} --kind {finding['kind']} --per-function {_LONGER}"
        yield f"  unfork reach {asked} {' '.join(escape_text(shlex.quote(word)) for word in words)}"


def _flags(options: Mapping[str, Any]) -> Iterator[str]:
    """The options of a scan that say how its files are compiled."""
    yield from (f"-I{folder}" for folder in options.get("include", ()))
    yield from (f"-D{name}" for name in options.get("define", ()))
    if options.get("cflags"):
        yield from ("--cflags", options["cflags"])


def _command(run: KeptRun, finding: Mapping[str, Any]) -> str:
    """The command of a finding's C program, which its first line has, with the program's name; "" if it is gone."""
    path = within(run.root, finding["reproducer"])
    try:
        head = "" if path is None else path.read_text("utf-8", "replace").partition("\n")[0]
    except OSError:
        return ""
    words, is_there, _ = head.removeprefix("/* ").partition(f" && {_RUN} ")
    if not is_there or path is None:
        return ""
    name = os.path.relpath(path, _folder(run).resolve())
    return f"{escape_text(words.replace(f'FILE{path.suffix}', name))} && {_RUN}"


def _named(directory: str, name: str) -> str:
    return escape_text(os.path.normpath(os.path.join(directory, name)))
