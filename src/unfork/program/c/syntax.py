"""The syntax of a C text: tree-sitter's tree, comments that begin with @, and directives.

Constructs unknown to the grammar are cut out first, and everything else keeps its offset: one character is one byte
of the tree's text. Directives go, since they may occur inside of any expression, which no grammar of C allows; both
branches of an ``#if`` stay. GNU's words become words of the grammar.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

import tree_sitter
import tree_sitter_c

Node: TypeAlias = tree_sitter.Node

_LAYOUT = re.compile(
    r"(?P<note>/\*@.*?\*/|//@[^\n]*)|(?P<comment>/\*.*?\*/|//(?:\\.|[^\n\\])*)"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<directive>^[ \t]*#(?:/\*.*?\*/|//(?:\\.|[^\n\\])*|\\.|[^\n])*)",
    re.S | re.M,
)
_GNU = {
    "goto": "jump",
    "__builtin_offsetof": "offsetof",
    "__real__": "~",
    "__imag__": "~",
    "_Complex": "",
    "__signed__": "signed",
    "__int128": "long",
    "_Static_assert": "int        x:",
    "\\": "",
}
_ATTRIBUTE = re.compile(r"\b__attribute(?:__)?\b")
_FOREIGN = re.compile(
    r"\bgoto(?=\s*\*)|\b(?:__builtin_offsetof|__real__|__imag__|_Complex|__signed__|__int128)\b"
    r"|(?<=struct \{ )_Static_assert\b|\\(?!\n)"
)
"""A computed goto, GNU's operators and types, the assertion with which gnulib checks expressions, words of ACSL."""
_TOKEN = re.compile(r"\S")
_BRACKETS = re.compile(r"[()\[\]{}]")
_STRUCTURE = re.compile(r"[;{}]|\b(?:if|else|while|for|do|switch|case|default|goto|break|continue|return)\b")
_STRUCTURAL = frozenset((";", "{", "}", "(", ")", "while"))
_C = tree_sitter.Language(tree_sitter_c.language())
_PROBLEMS = tree_sitter.Query(_C, "(ERROR) @problem (MISSING) @problem")

LOOPS = frozenset(("for_statement", "while_statement", "do_statement"))
_CHOICES = frozenset(("if_statement", "switch_statement"))
BLOCKS = LOOPS | _CHOICES | {"compound_statement"}
STATEMENTS = frozenset(f"{word}_statement" for word in ("expression", "return", "goto", "break", "continue"))
STATEMENTS = STATEMENTS | BLOCKS | {"labeled_statement", "case_statement", "declaration", "type_definition"}
NAMES = frozenset(("identifier", "type_identifier", "field_identifier"))
LABELS = frozenset(("labeled_statement", "case_statement"))
_AROUND_STATEMENTS = LOOPS | _CHOICES | LABELS | {"compound_statement", "else_clause"}


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A comment or a directive, from ``start`` to ``end`` of the text."""

    text: str
    start: int
    end: int


class Lines:
    """The lines of a text. Lines and columns count from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *[match.end() for match in re.finditer("\n", text)]]

    def location(self, offset: int) -> tuple[int, int]:
        """The line and the column of the character at an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a column; None if there is no such line."""
        return self._starts[line - 1] + column - 1 if 1 <= line <= len(self._starts) else None


class Layout:
    """A C text split into comments with @ (notes), other comments, directives (from the #), and code.

    Outside of code everything is blank; the contents of literals are x, as is every character outside of ASCII.
    """

    def __init__(self, text: str) -> None:
        self.notes: list[TextPiece] = []
        self.comments: list[TextPiece] = []
        self.directives: list[TextPiece] = []
        pieces: list[str] = []
        at = 0
        for match in _LAYOUT.finditer(text):
            start, end = match.span()
            match match.lastgroup:
                case "literal":
                    kept = re.sub(r"(\\\n)|.", lambda each: each[1] or "x", text[start + 1 : end - 1], flags=re.S)
                    pieces += (text[at : start + 1], kept, text[end - 1])
                case kind:
                    pieces += (text[at:start], blank(match[0]))
                    if kind == "note":
                        self.notes.append(TextPiece(match[0], start, end))
                    elif kind == "comment":
                        self.comments.append(TextPiece(match[0], start, end))
                    elif kind == "directive":
                        hash_sign = text.index("#", start)
                        self.directives.append(TextPiece(text[hash_sign:end], hash_sign, end))
            at = end
        pieces.append(text[at:])
        self.code = re.sub(r"[^\x00-\x7f]", "x", "".join(pieces))


def after_group(code: str, opening: int) -> int | None:
    """The offset after the brackets that open at an offset; None if they do not close."""
    waiting = 0
    for match in _BRACKETS.finditer(code, max(opening, 0)):
        waiting += 1 if match[0] in "([{" else -1
        if not waiting:
            return match.end()
    return None


def calls_of(code: str, words: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The ranges of words, each with its brackets; without those inside of others."""
    end = 0
    for match in words.finditer(code):
        if match.start() >= end:
            opening = _TOKEN.search(code, match.end())
            after = None if opening is None or opening[0] != "(" else after_group(code, opening.start())
            end = match.end() if after is None else after
            yield match.start(), end


def without(code: str, parts: Iterable[tuple[int, int]]) -> str:
    """The code with parts blanked out, which are in order."""
    pieces: list[str] = []
    at = 0
    for start, end in parts:
        pieces += (code[at:start], blank(code[start:end]))
        at = end
    return "".join([*pieces, code[at:]])


class Syntax:
    """The tree of the code of a Layout. Check ``is_read`` before inserting text at the beginning or end of a
    statement.
    """

    def __init__(self, code: str) -> None:
        self._code = code
        known = without(code, calls_of(code, _ATTRIBUTE))
        self._parsed = _FOREIGN.sub(lambda match: _GNU[match[0]].ljust(len(match[0])), known)
        self._tree = tree_sitter.Parser(_C).parse(self._parsed.encode("ascii"))

    @property
    def root(self) -> Node:
        """The whole text."""
        return self._tree.root_node

    @cached_property
    def _unread(self) -> list[Node]:
        """The tokens that the parser skipped or made up, so that the borders of statements are uncertain."""
        if not self.root.has_error:
            return []
        found = tree_sitter.QueryCursor(_PROBLEMS).captures(self.root).get("problem", ())
        return [
            node for node in found if (node.type in _STRUCTURAL if node.is_missing else self._hides_structure(node))
        ]

    def _hides_structure(self, error: Node) -> bool:
        is_statement = error.parent is not None and error.parent.type in _AROUND_STATEMENTS - {"case_statement"}
        return is_statement or _STRUCTURE.search(self.text(error)) is not None

    def text(self, node: Node) -> str:
        """The code of a node."""
        return self._code[node.start_byte : node.end_byte]

    def is_read(self, node: Node) -> bool:
        """Whether the borders of the statements in a node, and of those around it, are certain."""
        around = {each.id for each in ancestors(node)}
        doubts = [
            each for each in self._unread if node.start_byte <= each.end_byte and each.start_byte <= node.end_byte
        ]
        return not doubts and not any(each.is_error and each.id in around for each in self._unread)

    def leaf_behind(self, offset: int) -> Node | None:
        """The first token that begins at an offset or after it; None at the end of the text."""
        match = _TOKEN.search(self._parsed, offset)
        return None if match is None else self.root.descendant_for_byte_range(match.start(), match.end())

    def around(self, start: int, end: int) -> Node | None:
        """The smallest node with both the last token before an offset and the first token after another."""
        before, after = len(self._parsed[:start].rstrip()) - 1, _TOKEN.search(self._parsed, end)
        return None if before < 0 or after is None else self.root.descendant_for_byte_range(before, after.end())

    def statement_after(self, offset: int) -> Node | None:
        """The statement or declaration in a function whose first token comes next; None if none begins there."""
        node = self.leaf_behind(offset)
        while node is not None and not is_statement(node):
            parent = node.parent
            node = parent if parent is not None and parent.start_byte == node.start_byte else None
        return node

    @cached_property
    def functions(self) -> list[Node]:
        """The definitions of functions."""
        functions: list[Node] = []
        for node in self.all_of("function_definition"):
            # An apparent function inside of one is a macro with a block after it.
            if not functions or node.start_byte >= functions[-1].end_byte:
                functions.append(node)
        return functions

    def function_around(self, node: Node) -> Node | None:
        """The function's definition that a node is in; None outside of all."""
        at = bisect_right(self.functions, node.start_byte, key=lambda each: each.start_byte) - 1
        function = self.functions[at] if at >= 0 else None
        return None if function is None or node.end_byte > function.end_byte or node == function else function

    def all_of(self, *kinds: str) -> list[Node]:
        """The nodes of some kinds, in the order of the text."""
        query = _query(kinds)
        return sorted(
            (node for nodes in tree_sitter.QueryCursor(query).captures(self.root).values() for node in nodes),
            key=lambda node: (node.start_byte, -node.end_byte),
        )


def text_of(file: Path) -> str:
    """The current text of a C file, a character for each byte. Raises OSError."""
    return _text(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _text(file: Path, changed: int) -> str:
    return file.read_text("latin-1")


@lru_cache(maxsize=8)
def syntax_of(text: str) -> Syntax:
    """The tree of a text."""
    return Syntax(Layout(text).code)


@lru_cache(maxsize=64)
def _query(kinds: tuple[str, ...]) -> tree_sitter.Query:
    return tree_sitter.Query(_C, " ".join(f"({kind}) @node" for kind in kinds))


def blank(text: str) -> str:
    """Spaces in place of everything except the ends of lines."""
    return re.sub(r"[^\n]", " ", text)


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, from the inside out."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def outermost(node: Node) -> Node:
    """The file's declaration or definition with this node."""
    return [each for each in (node, *ancestors(node)) if each.parent is not None][-1]


def is_statement(node: Node) -> bool:
    """Whether a node is a statement or declaration of a function's body."""
    parent = node.parent
    if parent is None or node.type not in STATEMENTS or parent.type not in _AROUND_STATEMENTS:
        return False
    return not (parent.type == "for_statement" and node.type == "declaration")


def is_in_list(node: Node) -> bool:
    """Whether more statements may be inserted before one."""
    parent = node.parent
    while parent is not None and parent.type in LABELS:
        parent = parent.parent
    return parent is not None and parent.type == "compound_statement"


def inner_declarator(node: Node) -> Node | None:
    """The declarator inside a declarator; None if it is a name."""
    inner = node.child_by_field_name("declarator")
    if inner is None and node.type in ("parenthesized_declarator", "attributed_declarator"):
        inner = next((each for each in node.named_children if each.type.endswith(("declarator", "identifier"))), None)
    return inner


def name_of(declarator: Node | None) -> Node | None:
    """The name that a declarator declares; None if it has none."""
    while declarator is not None and declarator.type not in NAMES:
        declarator = inner_declarator(declarator)
    return declarator
