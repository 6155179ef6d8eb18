"""Where assertions stand: calls are put into the text in front of statements (facts/marks.py finds them again).

What a compiler makes of a statement may begin in any line, or be nothing at all; a call stays where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.later import Later

if TYPE_CHECKING:
    from unfork.clang import c_source, syntax
    from unfork.clang.c_source import Edit, Source
    from unfork.clang.syntax import Node
else:
    c_source = Later("unfork.clang.c_source")
    syntax = Later("unfork.clang.syntax")

ASSERTED = "unfork_asserted"
"""The function that is called where an assertion stands, with the line and column of the statement behind it."""


def calls_before(source: Source, node: Node) -> list[Edit]:
    """The edits that put a call in front of a statement, or of a block's last brace; lines and columns stay."""
    start, end = node.start_byte, node.end_byte
    if not source.syntax.is_read(syntax.function_around(node) or node):
        raise source.problem(start, "it cannot be told where the statements of this function begin and end")
    file, line = source.position(start)
    column = source.column(start)
    call = f"extern void {ASSERTED}(int, int); {ASSERTED}({line}, {column});"
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    # The compiler is told where it is, so that what follows keeps its place.
    back = f'\n# {line} "{name}"\n{" " * (column - 1)}'
    if syntax.is_in_list(node):
        return [c_source.Edit(start, start, f"{{ {call} }}{back}")]
    return [c_source.Edit(start, start, f"{{ {call}{back}"), c_source.Edit(end, end, " }")]
