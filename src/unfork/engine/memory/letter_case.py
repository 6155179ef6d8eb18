"""The case of letters in the C locale."""

from __future__ import annotations

from unfork.logic.terms import build
from unfork.logic.terms.term import Value


def to_lower(character: Value, width: int) -> Value:
    """A character after tolower."""
    upper = build.ult(build.sub(character, ord("A"), width), 26, width)
    return build.ite(upper, build.add(character, 32, width), character, width)


def to_upper(character: Value, width: int) -> Value:
    """A character after toupper."""
    lower = build.ult(build.sub(character, ord("a"), width), 26, width)
    return build.ite(lower, build.sub(character, 32, width), character, width)
