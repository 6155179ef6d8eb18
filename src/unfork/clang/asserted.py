"""Where assertions stand: calls are put into the text in front of statements (facts/marks.py finds them again).

What a compiler makes of a statement may begin in any line, or be nothing at all; a call stays where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.later import Later

if TYPE_CHECKING:
    from unfork.clang import c_source, c_text
    from unfork.clang.c_source import Edit, Source
else:
    c_source = Later("unfork.clang.c_source")
    c_text = Later("unfork.clang.c_text")

ASSERTED = "unfork_asserted"
"""The function that is called where an assertion stands, with the line and column of the statement behind it."""


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
