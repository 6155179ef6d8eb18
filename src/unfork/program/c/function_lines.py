"""The lines of a C text that its functions take up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unfork.program.c.syntax import name_of, syntax_of


@dataclass(frozen=True, slots=True)
class FunctionLines:
    """A function's definition, from its ``first`` line to its ``last``. Lines count from 1."""

    name: str
    first: int
    last: int


def function_lines(text: str) -> list[FunctionLines]:
    """The functions that a text defines, in its order."""
    syntax = syntax_of(text)
    named = [(node, name_of(node.child_by_field_name("declarator"))) for node in syntax.functions]
    return [
        FunctionLines(syntax.text(name), node.start_point[0] + 1, node.end_point[0] + 1)
        for node, name in named
        if name is not None
    ]


def function_at(functions: Iterable[FunctionLines], line: int) -> FunctionLines | None:
    """The function that contains a line, if any."""
    return next((each for each in functions if each.first <= line <= each.last), None)
