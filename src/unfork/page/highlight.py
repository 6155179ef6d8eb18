"""C in colours: the one module that knows Pygments."""

from __future__ import annotations

from pygments.lexers.c_cpp import CLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Token

Piece = tuple[str, str]
"""A letter for the sort of the text, "" for plain, and the text."""
_SORTS = (
    (Comment.Preproc, "p"),
    (Comment.PreprocFile, "s"),
    (Comment, "c"),
    (Keyword.Type, "t"),
    (Keyword, "k"),
    (Name.Function, "f"),
    (Name.Builtin, "t"),
    (String, "s"),
    (Number, "n"),
    (Operator, "o"),
    (Punctuation, "o"),
)


def highlighted(text: str) -> list[list[Piece]]:
    """The lines of a C source as pieces; their texts together are the lines, whatever ``text`` holds."""
    lines: list[list[Piece]] = [[]]
    for token, part in CLexer(stripnl=False, ensurenl=False).get_tokens(text):
        sort = _sort(token)
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if not piece:
                continue
            line = lines[-1]
            if line and line[-1][0] == sort:
                line[-1] = (sort, line[-1][1] + piece)
            else:
                line.append((sort, piece))
    return lines


def _sort(token: object) -> str:
    if token is Token.Text:
        return ""
    return next((letter for kind, letter in _SORTS if token in kind), "")
