"""Counts what coverage is measured against, branch edges and source lines, without parsing functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from unfork.llvm.debug_info import DebugInfo

LABEL = re.compile(r'^(?:[-\w.$]+|"[^"]*"):.*$', re.M)
BRANCH = re.compile(r"^  br i1 ", re.M)
SWITCH = re.compile(r"^  switch (.*?)^  \]", re.M | re.S)
TARGET = re.compile(r'label (%(?:[-\w.$]+|"[^"]*"))')
INDIRECT = re.compile(r"^  indirectbr .*$", re.M)
LOCATION = re.compile(r", !dbg (!\d+)")
PLACE = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+),.* scope: (!\d+)", re.M)

Line = tuple[str, int]


class Outlines:
    """The functions of a module's text; ``bodies`` gives the offsets where each begins and ends."""

    def __init__(self, text: str, bodies: Mapping[str, tuple[int, int]], debug: DebugInfo) -> None:
        self._text = text
        self._bodies = bodies
        self._debug = debug

    def edges(self, name: str) -> int:
        """The number of branch edges in a function."""
        start, end = self._bodies[name]
        text = self._text[start:end]
        choices = (*SWITCH.findall(text), *INDIRECT.findall(text))
        return 2 * len(BRANCH.findall(text)) + sum(len(set(TARGET.findall(choice))) for choice in choices)

    def locations(self, name: str) -> list[list[str]]:
        """The locations of each block's instructions, as ``lines`` takes them."""
        start, end = self._bodies[name]
        body = self._text[self._text.index("\n", start) : end]
        pieces = LABEL.split(body)
        if not pieces[0].strip():
            del pieces[0]  # the entry has a label of its own
        return [LOCATION.findall(piece) for piece in pieces]

    def lines(self, locations: Collection[str]) -> set[Line]:
        """The source lines of ``locations``, found in one pass over the text."""
        places = (match.groups() for match in PLACE.finditer(self._text, self._debug.start))
        scoped_lines = {(scope, line) for number, line, scope in places if number in locations}
        return {(self._debug.scope(scope)[0], int(line)) for scope, line in scoped_lines if line != "0"}
