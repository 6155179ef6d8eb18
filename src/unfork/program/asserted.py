"""Where assertions stand: calls are put into the text in front of statements, and found again in the IR.

What a compiler makes of a statement may begin in any line, or be nothing at all; a call stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unfork.later import Later
from unfork.program.ir import Bits, Call
from unfork.program.meeting import after_calls
from unfork.program.module import Function

if TYPE_CHECKING:
    from unfork.program import c_source, c_text
    from unfork.program.c_source import Edit, Source
else:
    c_source = Later("unfork.program.c_source")
    c_text = Later("unfork.program.c_text")

ASSERTED = "unfork_asserted"
"""The function that is called where an assertion stands, with the line and column of the statement behind it."""
Place = tuple[str, int, int]
"""A file, a line and a column, as an Assertion has them."""


def calls_before(source: Source, at: int) -> list[Edit]:
    """The edits that put a call in front of the statement that begins with token ``at``; lines and columns stay."""
    tokens = source.scan.tokens
    start = tokens[at].start
    file, line = source.position(start)
    column = source.column(start)
    call = f"extern void {ASSERTED}(int, int); {ASSERTED}({line}, {column});"
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    # The compiler is told where it is, so that what follows keeps its place.
    back = f'\n# {line} "{name}"\n{" " * (column - 1)}'
    if tokens[at - 1].text in (";", "{", "}", ":"):
        return [c_source.Edit(start, start, f"{{ {call} }}{back}")]
    behind = c_text.Statements(tokens).end(at, 0)
    if behind is None:
        raise source.problem(start, f"{tokens[at].text}: it cannot be told where this statement ends")
    end = tokens[behind - 1].end
    return [c_source.Edit(start, start, f"{{ {call}{back}"), c_source.Edit(end, end, " }")]


def asserted_places(function: Function) -> Mapping[Place, tuple[int, int]]:
    """The instructions, as block and index, in front of which the assertions of a function hold."""
    places: dict[Place, tuple[int, int]] = {}
    for block, index in sorted(after_calls(function, (ASSERTED,))):
        call = function.blocks[block].body[index - 1]
        match call:
            case Call(arguments=(Bits(value=line), Bits(value=column)), position=position) if position is not None:
                places[position.file, line, column] = (block, index)
    return places
