"""Turns comments `/*@ merge_proc ...; @*/` in C into calls that mark where paths part and where they are joined.

Scheurer16, section 6: the comment stands before a block (or if, for, while, do, switch), after which paths meet. The
text gets two calls, and no new line; the compiler, which knows C, then finds where control leaves the block normally.
Paths that leave it otherwise (return, goto, break) never reach the second call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.errors import InputError
from unfork.program.c_expression import Expression, ExpressionReader

BEGIN, END = "unfork_merge_begin", "unfork_merge_block"
"""The functions called before and after a block. The second gets the annotation, its number and its line."""

_TOKEN = re.compile(
    r"(?P<space>(?:\s|\\\n)+)|(?P<note>/\*@.*?\*/|//@[^\n]*)|(?P<comment>/\*.*?\*/|//(?:[^\n\\]|\\.)*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|(?P<word>\w+)|(?P<mark>.)",
    re.S,
)
_DIRECTIVE = re.compile(r"(?:/\*.*?\*/|//(?:[^\n\\]|\\.)*|\\.|[^\n])*", re.S)
_NOTE = re.compile(
    r'(?:merge_point\s*;\s*)?merge_proc\s+"?([^;{}"]+?)"?\s*;(?:\s*merge_params\s*\{(.*)\}\s*;?)?\s*', re.S
)
_BLOCKS = frozenset(("{", "if", "for", "while", "do", "switch"))
_BEFORE = frozenset(";{}):") | {"else", "do"}
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_MOST_NESTED = 200


@dataclass(frozen=True, slots=True)
class PredicateSet:
    """``lattice: (type placeholder) -> { expressions }`` of merge_params; ``type`` None stands for any."""

    lattice: str
    type: str | None
    placeholder: str
    expressions: tuple[tuple[str, Expression], ...]
    """The text of each, and what it says."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """``merge_proc how; merge_params {...};``."""

    how: str
    predicates: tuple[PredicateSet, ...]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A C text with calls in place of annotations. ``places`` maps the number of each to its line."""

    text: str
    places: Mapping[int, int]
    misplaced: tuple[int, ...]
    """Lines of annotations that no block follows."""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    depth: int
    """The number of braces around it."""


def read_annotation(text: str) -> Annotation:
    """The annotation that the inside of a comment holds. Raises ValueError with a one-line message."""
    match = _NOTE.fullmatch(text.strip())
    if match is None:
        raise ValueError("should be: merge_proc HOW; merge_params { LATTICE: (TYPE v) -> { EXPRESSION, ... } };")
    how = "".join(match[1].split()) if ":" not in match[1] else " ".join(match[1].split())
    if match[2] is None:
        return Annotation(how, ())
    reader = ExpressionReader(match[2])
    sets = [_predicate_set(reader)]
    while reader.accept(",") or reader.accept(";"):
        if reader.next:
            sets.append(_predicate_set(reader))
    reader.expect_end()
    return Annotation(how, tuple(sets))


def _predicate_set(reader: ExpressionReader) -> PredicateSet:
    lattice = reader.word()
    for token in (":", "("):
        reader.expect(token)
    words = reader.words()
    if not words:
        reader.word()
    for token in (")", "->", "{"):
        reader.expect(token)
    expressions = [reader.noted()]
    while reader.accept(","):
        expressions.append(reader.noted())
    reader.expect("}")
    return PredicateSet(lattice, " ".join(words[:-1]) or None, words[-1], tuple(expressions))


def annotated(file: str, text: str, first: int) -> Annotated | None:
    """The text with calls added, numbered from ``first``; None if it has no annotation.

    Raises InputError, with file and line, for a malformed annotation.
    """
    if "merge_" not in text:
        return None
    tokens, notes = _tokens(text)
    changes: list[tuple[int, int, int, str]] = []
    places: dict[int, int] = {}
    misplaced: list[int] = []
    for note in notes:
        said = note.text[3:-2].strip().removesuffix("@").strip() if note.text[1] == "*" else note.text[3:].strip()
        if not said.startswith("merge_"):
            continue
        line = text.count("\n", 0, note.start) + 1
        try:
            read_annotation(said)
        except ValueError as problem:
            raise InputError(f"{file}:{line}: {problem}") from None
        end = _end_of_block(tokens, note)
        if end is None:
            misplaced.append(line)
            continue
        number = first + len(places)
        places[number] = line
        shown = " ".join(said.split()).replace("\\", "\\\\").replace('"', '\\"')
        opening = f"{{ extern void {BEGIN}(void); extern void {END}(const char *, int, int); {BEGIN}(); "
        changes.append((note.start, note.end, 0, opening + "\n" * note.text.count("\n")))
        changes.append((end, end, -note.start, f' {END}("{shown}", {number}, {line}); }}'))
    if not places and not misplaced:
        return None
    for start, stop, _, replacement in sorted(changes, key=lambda change: (change[0], change[2]), reverse=True):
        text = text[:start] + replacement + text[stop:]
    return Annotated(text, places, tuple(misplaced))


def _tokens(text: str) -> tuple[list[_Token], list[_Token]]:
    """The tokens of C, without comments and directives, and the comments that begin with @."""
    tokens: list[_Token] = []
    notes: list[_Token] = []
    at = depth = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None
        kind, end = match.lastgroup, match.end()
        if kind == "mark" and match[0] == "#" and not text[text.rfind("\n", 0, at) + 1 : at].strip():
            directive = _DIRECTIVE.match(text, at)
            end = directive.end() if directive else end
        elif kind == "note":
            notes.append(_Token(match[0], at, end, depth))
        elif kind in ("word", "mark", "text"):
            depth -= match[0] == "}"
            tokens.append(_Token(match[0], at, end, depth))
            depth += match[0] == "{"
        at = end
    return tokens, notes


def _end_of_block(tokens: Sequence[_Token], note: _Token) -> int | None:
    """The offset at which the block after an annotation ends; None if no block follows inside a function."""
    at = next((number for number, token in enumerate(tokens) if token.start >= note.end), None)
    if not at or note.depth < 1 or tokens[at].text not in _BLOCKS or tokens[at - 1].text not in _BEFORE:
        return None
    behind = _Statements(tokens).end(at, 0)
    return None if behind is None else tokens[behind - 1].end


class _Statements:
    """Finds where statements end, by their tokens."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens

    def end(self, at: int, nested: int) -> int | None:
        """The number of the token after the statement that begins at ``at``; None if it cannot be told."""
        if nested > _MOST_NESTED:
            return None
        inner: int | None
        while True:
            word = self._text(at)
            if word == "{":
                return self._behind_group(at)
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
        return self._behind_group(at + 1)

    def _behind_group(self, at: int) -> int | None:
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
            following = self._behind_group(at) if text in _CLOSING else at + 1
            if following is None:
                return None
            at = following
        return at + 1 if text == ";" else None
