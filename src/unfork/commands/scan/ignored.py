"""Comments that ignore findings: ``/* unfork: ignore KIND REASON */``."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from unfork.options.error_kinds import ERROR_KINDS
from unfork.program.c.function_lines import FunctionLines, function_at, function_lines
from unfork.program.c.syntax import Layout, Lines

_IGNORE = re.compile(r"^[ \t/*]*unfork:[ \t]*ignore\b[ \t]*(?P<kind>[^\s*]*)[ \t]*(?P<reason>.*?)[ \t]*(?:\*/)?$", re.M)


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment at ``line``, which ignores findings of ``kind`` at the line ``at``."""

    line: int
    at: int
    kind: str
    reason: str

    @property
    def fault(self) -> str | None:
        """Why it has no effect; None if it has one."""
        if self.kind not in ERROR_KINDS:
            return f"{self.kind or 'nothing'} is no kind of error: {', '.join(ERROR_KINDS)}"
        return None if self.reason else "it says no reason"


class Ignores:
    """The ignore comments of a C text. After code a comment applies to its own line, otherwise to the next line of
    code.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.all = tuple(_ignores(text)) if "unfork:" in text else ()

    def of(self, kind: str, line: int | None) -> Ignore | None:
        """The comment that ignores a finding."""
        return next((each for each in self.all if (each.kind, each.at) == (kind, line) and each.fault is None), None)

    def function_at(self, line: int) -> str | None:
        """The function that contains a line, if any."""
        function = function_at(self._functions, line)
        return None if function is None else function.name

    @cached_property
    def _functions(self) -> list[FunctionLines]:
        return function_lines(self._text)


def _ignores(text: str) -> Iterator[Ignore]:
    layout, lines = Layout(text), Lines(text)
    with_code = [number for number, line in enumerate(layout.code.split("\n"), 1) if line.strip()]
    for comment in layout.comments:
        for match in _IGNORE.finditer(comment.text):
            line, _ = lines.location(comment.start + match.start("kind"))
            first, last = (lines.location(offset)[0] for offset in (comment.start, comment.end))
            at = bisect_left(with_code, first)
            if first not in with_code[at : at + 1]:
                at = bisect_left(with_code, last)
            yield Ignore(line, with_code[at] if at < len(with_code) else last, match["kind"], match["reason"])


def without_effect(files: Mapping[str, Ignores]) -> Iterator[str]:
    """A line for each comment that has no effect."""
    for file, ignores in files.items():
        for each in ignores.all:
            if each.fault is not None:
                yield f"{file}:{each.line}: 'unfork: ignore {each.kind}' has no effect: {each.fault}"


def unmatched(
    files: Mapping[str, Ignores], used: Collection[tuple[str, Ignore]], explored: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """A line for each comment that matches no finding, unless its function was not explored.

    ``explored`` says how far functions were explored, by file and name.
    """
    for file, ignores in files.items():
        for each in ignores.all:
            if each.fault is not None or (file, each) in used:
                continue
            name = ignores.function_at(each.at)
            extent = "all" if name is None else explored.get((file, name), "not")
            if extent != "not":
                part = f" in {name}, which was explored in part" if extent == "part" else ""
                yield f"{file}:{each.line}: 'unfork: ignore {each.kind}' matches nothing{part}"
