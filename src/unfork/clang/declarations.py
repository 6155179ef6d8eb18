"""Finds the function that a declaration or a definition in a C text is about, by its tokens."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from unfork.clang.c_text import Statements, Token
from unfork.clang.expressions import TYPE_WORDS

_GROUPED = frozenset(("__attribute__", "__attribute", "__declspec", "_Alignas", "__asm__", "asm")) | {
    *("__typeof__", "typeof", "_Static_assert", "static_assert", "_Pragma")
}
"""Words whose brackets are no parameters."""
_SKIPPED = frozenset(
    ("const", "volatile", "restrict", "__restrict", "__restrict__", "register", "static", "extern", "inline")
) | {"__inline", "__inline__", "__extension__", "_Noreturn", "_Atomic", "__const"}
_TYPES = TYPE_WORDS | {"void", "float", "double", "__int128"}
_BEFORE_STATEMENTS = frozenset(";{}:)")
_NO_TYPES = frozenset(("return", "goto", "break", "continue", "else", "do", "while", "for", "if", "switch", "case"))
_TAGGED = frozenset(("struct", "union", "enum"))


@dataclass(frozen=True, slots=True)
class Declared:
    """A function, with the names of its parameters ("" for none).

    ``name_at`` and ``behind`` number the tokens of the name and behind the parameters.
    """

    name: str
    parameters: tuple[str, ...]
    name_at: int
    behind: int


def declared(tokens: Sequence[Token], at: int, types: Container[str]) -> Declared | None:
    """The function whose declaration begins at token ``at``; None if none does. ``types`` are names of types."""
    statements = Statements(tokens)
    opened = 0
    while at < len(tokens):
        word = tokens[at].text
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if word in _GROUPED and following == "(":
            behind = statements.behind_group(at + 1)
        elif word == "{" and tokens[at - 1].text not in (")", "="):
            behind = statements.behind_group(at)
        elif (word == "(" and following in ("*", "(")) or (word == "(" and _is_name(following)):
            # The declarator is in parentheses: (*name(...))(...) or (name)(...).
            opened += 1
            behind = at + 1
        elif _is_name(word) and word not in _TAGGED and word not in types and following == "(":
            return _function(tokens, at, at + 1, types, statements)
        elif _is_name(word) and opened and following == ")" and tokens[at - 1].text == "(":
            return _function(tokens, at, at + 2, types, statements)
        elif word in (";", "=", "}", ")", ","):
            return None
        else:
            behind = at + 1
        if behind is None:
            return None
        at = behind
    return None


def declared_names(tokens: Sequence[Token], types: Container[str]) -> frozenset[str]:
    """The names that declarations in a body may give to variables: rather too many than too few."""
    names: set[str] = set()
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else "{"
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        is_first = before in _BEFORE_STATEMENTS or (before == "(" and at > 1 and tokens[at - 2].text == "for")
        if not is_first or not token.text.isidentifier() or token.text in _NO_TYPES:
            continue
        if not _is_name(token.text) or token.text in types or following == "*" or _is_name(following):
            names |= _declared_in(tokens, at, types)
    return frozenset(names)


def _declared_in(tokens: Sequence[Token], at: int, types: Container[str]) -> set[str]:
    """The names in the declaration that begins at token ``at``: what stands in front of , = ; and brackets."""
    names: set[str] = set()
    is_value = False
    depth = 0
    for number in range(at + 1, len(tokens)):
        word = tokens[number].text
        if word == ";":
            break
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        is_value = (is_value and not (word == "," and depth == 0)) or word in ("=", "[")
        following = tokens[number + 1].text if number + 1 < len(tokens) else ""
        if _is_name(word) and word not in types and not is_value and following in (",", "=", ";", "[", ")", "("):
            names.add(word)
    return names


def _is_name(word: str) -> bool:
    return word.isidentifier() and word not in _TYPES and word not in _SKIPPED and word not in _GROUPED


def _function(
    tokens: Sequence[Token], name: int, opening: int, types: Container[str], statements: Statements
) -> Declared | None:
    behind = statements.behind_group(opening) if opening < len(tokens) and tokens[opening].text == "(" else None
    if behind is None:
        return None
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens[opening + 1 : behind - 1]:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token.text)
    if parts in ([[]], [["void"]]):
        parts = []
    names = tuple(_parameter(part, types) for part in parts if part != ["."] * 3)
    return Declared(tokens[name].text, names, name, behind)


def _parameter(words: Sequence[str], types: Container[str]) -> str:
    """The name of a parameter; "" if it has none."""
    name = ""
    is_typed = False
    for number, word in enumerate(words):
        if word == "[" or word in _GROUPED or (word == "(" and name):
            break
        if not word.isidentifier() or word in _SKIPPED:
            continue
        is_type = word in _TYPES or word in _TAGGED or words[max(number - 1, 0)] in _TAGGED
        if is_type or (not is_typed and (word in types or len(words) > 1)):
            is_typed = True
        else:
            name = word
    return name
