"""Finds loops and functions around places in a C text, by its tokens."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from unfork.clang.c_text import Statements, Token
from unfork.clang.declarations import Declared, declared

_OPENING = {")": "(", "}": "{", "]": "["}
_GROUPED = frozenset(("__attribute__", "__attribute", "__asm__", "asm"))


@dataclass(frozen=True, slots=True)
class Definition:
    """A function with a body: tokens ``opening`` (the brace) to before ``behind``."""

    function: Declared
    opening: int
    behind: int


def loop_of_head(tokens: Sequence[Token], behind: int) -> int | None:
    """The keyword of the loop whose head ends before token ``behind``; None if no head of a loop does."""
    if not behind:
        return None
    if tokens[behind - 1].text == "do":
        return behind - 1
    keyword = _before_group(tokens, behind - 1)
    if keyword is None or tokens[keyword].text not in ("while", "for"):
        return None
    if tokens[keyword].text == "while" and tokens[keyword - 1].text == "}":
        start = _before_group(tokens, keyword - 1)
        if start is not None and tokens[start].text == "do":
            return start
    return keyword


def function_before(tokens: Sequence[Token], behind: int, types: Container[str]) -> Declared | None:
    """The function whose declarator, with attributes, ends before token ``behind``; None if none does."""
    start = behind
    while start and not (tokens[start - 1].text in (";", "}") and tokens[start - 1].depth == 0):
        start -= 1
    function = declared(tokens, start, types)
    if function is None:
        return None
    at = behind
    while at > function.behind:
        before = _before_group(tokens, at - 1)
        if before is None or (tokens[before].text not in _GROUPED and before >= function.behind):
            return None
        at = before
    return function


def definitions(tokens: Sequence[Token], types: Container[str]) -> Iterator[Definition]:
    """The functions with a body."""
    statements = Statements(tokens)
    at = start = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text == "{":
            function = declared(tokens, start, types)
            behind = statements.behind_group(at)
            if behind is None:
                return
            if function is not None and function.behind <= at:
                yield Definition(function, at, behind)
                start = behind
            at = behind
        else:
            at += 1
            start = at if token.text == ";" else start


def _before_group(tokens: Sequence[Token], closing: int) -> int | None:
    """The token in front of the brackets that token ``closing`` closes; None if there is none."""
    waiting = 0
    opening = _OPENING.get(tokens[closing].text)
    if opening is None:
        return None
    for at in range(closing, 0, -1):
        waiting += (tokens[at].text in _OPENING) - (tokens[at].text in _OPENING.values())
        if not waiting:
            return at - 1
    return None
