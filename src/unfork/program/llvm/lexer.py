"""The tokens of LLVM's textual IR, and a cursor over one instruction's worth of them."""

from __future__ import annotations

import re

TOKEN = re.compile(r'[c%@!#$]?"[^"]*"|[%@!#$][-\w.$]+|[-\w.+$]+|[()\[\]{}<>,=*|!:#]')

ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")

OPENING = frozenset("([{<")
CLOSING = frozenset(")]}>")


class ReadError(Exception):
    """Text that is not readable as LLVM IR: an instruction becomes an unknown one, a module is rejected."""


class TokenCursor:
    """A position in a list of tokens. Reading past the end yields the empty token."""

    __slots__ = ("at", "tokens")

    def __init__(self, tokens: list[str]) -> None:
        # Sentinels: readers look ahead at most two tokens.
        tokens += ("", "", "")
        self.tokens = tokens
        self.at = 0

    def take(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise ReadError(f"expected {token!r}, found {self.tokens[self.at]!r}")
        self.at += 1

    def accept(self, token: str) -> bool:
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def skip_group(self) -> None:
        """Step over a bracketed group that starts here."""
        depth = 0
        tokens = self.tokens
        at = self.at
        while True:
            token = tokens[at]
            at += 1
            if token in OPENING:
                depth += 1
            elif token in CLOSING:
                depth -= 1
            elif token == "":
                raise ReadError("unbalanced brackets")
            if depth == 0:
                self.at = at
                return


def cursor_over(text: str) -> TokenCursor:
    """A cursor at the first token of ``text``."""
    return TokenCursor(TOKEN.findall(text))


def plain_name(token: str) -> str:
    """The name in ``%x``, ``@x``, ``%"a b"``, or a label, without sigil, quotes and escapes."""
    if token[:1] in "%@!$#":
        token = token[1:]
    if token[:1] == '"':
        return unescape(token[1:-1]).decode("utf-8", "surrogateescape")
    return token


def unescape(text: str) -> bytes:
    """The bytes of a string literal, from its inside."""
    data = text.encode("utf-8", "surrogateescape")
    if b"\\" not in data:
        return data
    return ESCAPE.sub(lambda escape: b"\\" if escape[1] == b"\\" else bytes((int(escape[1], 16),)), data)
