"""Locations in a C file that debug information lacks: closing brackets of calls, beginnings of statements, real
lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from unfork.program.c.c_source import CSource
from unfork.program.c.syntax import LOOPS, Lines, Node, is_statement

_CONDITIONAL = frozenset(("if_statement", "while_statement", "do_statement", "switch_statement"))


@dataclass(frozen=True, slots=True)
class FileLocation:
    """A location in a file, counted from 1; ``column`` is None if only the line is certain."""

    line: int
    column: int | None


class SourceLocations:
    """Locations in one file. Debug information has the lines of line directives; others are the file's."""

    def __init__(self, name: str, text: str) -> None:
        self._source = CSource(name, text)
        self._lines = Lines(text)

    def line(self, file: str, given: int) -> int | None:
        """The line of this file that is line ``given`` of ``file`` in debug information; None if there is none."""
        return self._source.line_of(file, given)

    def closing(self, line: int, column: int) -> FileLocation | None:
        """The closing bracket of the call whose function name is at a location; None if there is no such call."""
        name = self._token_at(line, column)
        call = None if name is None or name.type != "identifier" else name.parent
        if call is None or call.type != "call_expression" or call.child_by_field_name("function") != name:
            return None
        return self._spot(call.end_byte - 1)

    def loop(self, line: int) -> FileLocation | None:
        """The keyword of the loop that begins on a line; None if none does, or several do."""
        begun = [node.start_byte for node in self._source.syntax.all_of(*sorted(LOOPS))]
        spots = [spot for spot in map(self._spot, begun) if spot.line == line]
        return spots[0] if len(spots) == 1 else None

    def loop_at(self, line: int, column: int) -> FileLocation | None:
        """The keyword of a loop, or of the end of one, at a location."""
        token = self._token_at(line, column)
        if token is None or token.type not in ("for", "while", "do"):
            return None
        spot = self._spot(token.start_byte)
        return spot if spot == FileLocation(line, column) else None

    def statement(self, line: int, column: int) -> FileLocation:
        """The beginning of the statement or full expression around a location; only the line if that is ambiguous."""
        token = self._token_at(line, column)
        full = None if token is None else _full_expression(token)
        return FileLocation(line, None) if full is None else self._spot(full.start_byte)

    def _token_at(self, line: int, column: int) -> Node | None:
        """The token at a location, or the next one on its line."""
        offset = self._lines.offset(line, column)
        leaf = None if offset is None or column < 1 else self._source.syntax.leaf_behind(offset)
        return leaf if leaf is not None and self._spot(leaf.start_byte).line == line else None

    def _spot(self, offset: int) -> FileLocation:
        return FileLocation(*self._lines.location(offset))


def _full_expression(node: Node) -> Node | None:
    """The full construct around a node: a statement, an initializer, part of a statement's head, or a declaration of
    the file.
    """
    while not is_statement(node):
        parent = node.parent
        if parent is None or parent.is_error:
            return None
        if parent.parent is None:
            return node
        is_value = parent.type == "init_declarator" and parent.child_by_field_name("value") == node
        is_condition = (
            parent.type == "parenthesized_expression" and parent.parent.type in _CONDITIONAL and node.is_named
        )
        if is_value or is_condition or (parent.type == "for_statement" and node.is_named):
            return node
        node = parent
    return node
