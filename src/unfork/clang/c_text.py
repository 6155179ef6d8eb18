"""The tokens of a C text, its comments that begin with @, its directives, and where its statements end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<space>(?:\s|\\\n)+)|(?P<note>/\*@.*?\*/|//@[^\n]*)|(?P<comment>/\*.*?\*/|//(?:[^\n\\]|\\.)*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<word>\w+)|(?P<mark>.)",
    re.S,
)
_DIRECTIVE = re.compile(r"(?:/\*.*?\*/|//(?:[^\n\\]|\\.)*|\\.|[^\n])*", re.S)
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_MOST_NESTED = 200


@dataclass(frozen=True, slots=True)
class Token:
    """A token, comment or directive, from ``start`` to ``end`` of the text."""

    text: str
    start: int
    end: int
    depth: int
    """The number of braces around it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text is made of; comments without @ are left out."""

    tokens: tuple[Token, ...]
    notes: tuple[Token, ...]
    """The comments that begin with @."""
    directives: tuple[Token, ...]
    """What stands behind # at a line's start, with the #."""


def scanned(text: str) -> Scan:
    """The tokens, notes and directives of a C text."""
    tokens: list[Token] = []
    notes: list[Token] = []
    directives: list[Token] = []
    at = depth = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None
        kind, end = match.lastgroup, match.end()
        if kind == "mark" and match[0] == "#" and not text[text.rfind("\n", 0, at) + 1 : at].strip():
            directive = _DIRECTIVE.match(text, at)
            end = directive.end() if directive else end
            directives.append(Token(text[at:end], at, end, depth))
        elif kind == "note":
            notes.append(Token(match[0], at, end, depth))
        elif kind in ("word", "mark", "text"):
            depth -= match[0] == "}"
            tokens.append(Token(match[0], at, end, depth))
            depth += match[0] == "{"
        at = end
    return Scan(tuple(tokens), tuple(notes), tuple(directives))


class Statements:
    """Finds where statements end, by their tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    def end(self, at: int, nested: int) -> int | None:
        """The number of the token after the statement that begins at ``at``; None if it cannot be told."""
        if nested > _MOST_NESTED:
            return None
        inner: int | None
        while True:
            word = self._text(at)
            if word == "{":
                return self.behind_group(at)
            if word == "do":
                inner = self.end(at + 1, nested + 1)
                closed = self._behind_head(inner, "while")
                return closed + 1 if closed is not None and self._text(closed) == ";" else None
            if word in ("while", "for", "switch"):
                inner = self._behind_head(at, word)
                if inner is None:
                    return None
                at = inner
            elif word == "if":
                inner = self._behind_head(at, word)
                inner = None if inner is None else self.end(inner, nested + 1)
                if inner is None or self._text(inner) != "else":
                    return inner
                at = inner + 1
            elif self._text(at + 1) == ":" and word.isidentifier() and word != "default":
                at += 2
            else:
                return self._behind_semicolon(at)

    def _text(self, at: int) -> str:
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _behind_head(self, at: int | None, word: str) -> int | None:
        """The number of the token after ``word (...)``; None if that does not stand here."""
        if at is None or self._text(at) != word or self._text(at + 1) != "(":
            return None
        return self.behind_group(at + 1)

    def behind_group(self, at: int) -> int | None:
        """The number of the token after the brackets that open at ``at``; None if they do not close."""
        waiting: list[str] = []
        while at < len(self._tokens):
            text = self._text(at)
            if text in _CLOSING:
                waiting.append(_CLOSING[text])
            elif text in _CLOSING.values():
                if text != waiting.pop():
                    return None
                if not waiting:
                    return at + 1
            at += 1
        return None

    def _behind_semicolon(self, at: int) -> int | None:
        while (text := self._text(at)) not in (";", "}", ""):
            following = self.behind_group(at) if text in _CLOSING else at + 1
            if following is None:
                return None
            at = following
        return at + 1 if text == ";" else None
