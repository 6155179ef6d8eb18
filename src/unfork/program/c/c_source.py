"""A C text with its preprocessor lines evaluated: the origin of each character, macros, and names of types."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from unfork.errors import InputError
from unfork.program.c.declarations import function_of
from unfork.program.c.expressions import STANDARD_TYPES, Integral, integer_type
from unfork.program.c.syntax import Layout, Lines, Syntax, TextPiece, blank, calls_of, name_of, without

_MARKER = re.compile(r'#\s*(?:line\s+)?(\d+)(?:\s+"((?:[^"\\]|\\.)*)"([\s\d]*))?')
_PREPROCESSED = re.compile(r'#\s*\d+\s+"')
_WORDS = re.compile(r"#\s*(\w+)\s*(?:(\w+)(\([^()]*\))?(.*))?", re.S)
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_KNOWN = re.compile(
    r"__CPROVER_(?:requires|ensures|assigns|frees|decreases|loop_invariant|assert|assume|precondition|postcondition)\b"
)
_CLAUSE = re.compile(rf"\b(?:{_KNOWN.pattern}|__CPROVER_\w+(?=\s*\())")
_NAMED_TYPE = re.compile(r"(?<=\bUNFORK_OLD\()[^,()]+|(?<=\bUNFORK_RESULT\()[^,()]+")
"""The type argument of a macro."""


@dataclass(frozen=True, slots=True)
class Macro:
    """The definition of a macro; ``parameters`` is None if it takes no arguments."""

    parameters: tuple[str, ...] | None
    body: str
    is_certain: bool
    """Whether the definition is outside of every ``#if``."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text from ``start`` to ``end`` by ``text``; everything else keeps its lines."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits; those at one offset apply in the given order."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join([*pieces, text[at:]])


def _last(code: str, offset: int) -> str:
    """The last character before an offset that is not white space."""
    while offset and code[offset - 1].isspace():
        offset -= 1
    return code[offset - 1 : offset]


@dataclass(frozen=True, slots=True)
class _Section:
    """From ``start`` on, at line ``first``, the text is that of ``file``."""

    start: int
    first: int
    file: str
    is_system: bool


class CSource:
    """A C text, plain or preprocessed (with line markers and the directives that define macros).

    A text without a file, such as an option's value, has ``file`` "": its origin is known to the caller.
    """

    def __init__(self, file: str, text: str) -> None:
        self.text = text
        self.layout = Layout(text)
        self._lines = Lines(text)
        self._sections = list(_sections(file, text, self.layout))
        self._starts = [section.start for section in self._sections]

    @cached_property
    def clauses(self) -> list[TextPiece]:
        """CBMC's clauses and assertions, each with its brackets, outside of the system's headers.

        An unknown word is a clause if it follows a bracket; otherwise it is C, such as a type or a call.
        """
        code = self.layout.code
        return [
            TextPiece(re.split(r"\W", code[start:end], maxsplit=1)[0], start, end)
            for start, end in calls_of(code, _CLAUSE)
            if not self.is_system(start) and (_KNOWN.match(code, start) or _last(code, start) == ")")
        ]

    @cached_property
    def syntax(self) -> Syntax:
        """The tree of the text. Clauses are not C: they are not in it."""
        code = _NAMED_TYPE.sub(lambda match: "0".ljust(len(match[0])), self.layout.code)
        return Syntax(without(code, [(clause.start, clause.end) for clause in self.clauses]))

    @cached_property
    def types(self) -> dict[str, Integral | None]:
        """The names of types; those of integer types with the type."""
        return {**STANDARD_TYPES, **_types(self.syntax)}

    @cached_property
    def _macros(self) -> dict[str, list[tuple[int, Macro | None]]]:
        return _macros(self.layout)

    @cached_property
    def is_expanded(self) -> bool:
        """Whether no macro is left outside of comments: none is defined, or a preprocessor has marked lines."""
        return not self._macros or any(_PREPROCESSED.match(directive.text) for directive in self.layout.directives)

    def position(self, offset: int) -> tuple[str, int]:
        """The file and the line of the character at ``offset``."""
        section = self._section(offset)
        return section.file, section.first + self._line(offset) - self._line(section.start)

    def line_of(self, file: str, given: int) -> int | None:
        """The line of this text that is line ``given`` of ``file``, by its last name; None if there is none."""
        firsts = [self._line(section.start) for section in self._sections]
        ends = [*(first - 1 for first in firsts[1:]), self._line(len(self.text)) + 1]
        for section, first, end in zip(self._sections, firsts, ends, strict=True):
            line = first + given - section.first
            if first <= line < end and PurePath(section.file).name == PurePath(file).name:
                return line
        return None

    def column(self, offset: int) -> int:
        """The column of ``offset``, from 1."""
        return self._lines.location(offset)[1]

    def marker(self, offset: int) -> str:
        """A line marker that gives the next character the location of the one at ``offset``."""
        file, line = self.position(offset)
        name = file.replace("\\", "\\\\").replace('"', '\\"')
        return f'\n# {line} "{name}"\n{" " * (self.column(offset) - 1)}'

    def function_at(self, offset: int) -> str:
        """The function in whose definition an offset is; "" outside of all."""
        leaf = self.syntax.leaf_behind(offset)
        node = None if leaf is None else self.syntax.function_around(leaf)
        function = None if node is None else function_of(self.syntax, node, self.types)
        return "" if function is None else function.name

    def is_system(self, offset: int) -> bool:
        """Whether the text at ``offset`` comes from a header of the system."""
        return self._section(offset).is_system

    def problem(self, offset: int, message: str) -> InputError:
        """An error with ``message`` about the text at ``offset``."""
        file, line = self.position(offset)
        return InputError(f"{file}:{line}: {message}" if file else message)

    def without(self, start: int, end: int) -> Edit:
        """The edit that blanks out a range."""
        return Edit(start, end, blank(self.text[start:end]))

    def macro(self, name: str, offset: int) -> Macro | None:
        """The definition of a name at ``offset``."""
        macro = None
        for start, definition in self._macros.get(name, ()):
            if start < offset:
                macro = definition
        return macro

    def _line(self, offset: int) -> int:
        return self._lines.location(offset)[0]

    def _section(self, offset: int) -> _Section:
        return self._sections[bisect_right(self._starts, offset) - 1]


def _sections(file: str, text: str, layout: Layout) -> Iterator[_Section]:
    section = _Section(0, 1, file, False)
    yield section
    for directive in layout.directives:
        match = _MARKER.fullmatch(directive.text.strip())
        if match is not None:
            named = section.file if match[2] is None else re.sub(r"\\(.)", r"\1", match[2])
            is_system = section.is_system if match[2] is None else "3" in match[3].split()
            section = _Section(min(directive.end + 1, len(text)), int(match[1]), named, is_system)
            yield section


def _macros(layout: Layout) -> dict[str, list[tuple[int, Macro | None]]]:
    """The definitions of each macro, from which offset on; None where it is undefined."""
    macros: dict[str, list[tuple[int, Macro | None]]] = {}
    conditions = 0
    for directive in layout.directives:
        match = _WORDS.match(directive.text)
        if match is None:
            continue
        word, name, parameters, body = match.groups()
        conditions += (word in _OPENING) - (word == "endif")
        if word == "define" and name:
            names = None if parameters is None else tuple(each.strip() for each in parameters[1:-1].split(","))
            macro = Macro(() if names == ("",) else names, body.replace("\\\n", "  "), conditions == 0)
            macros.setdefault(name, []).append((directive.end, macro))
        elif word == "undef" and name:
            # Under a condition it is as uncertain as a definition.
            macros.setdefault(name, []).append((directive.end, Macro(None, "", False) if conditions else None))
    return macros


def _types(syntax: Syntax) -> dict[str, Integral | None]:
    """The names that ``typedef`` gives to types; with None if the type is not an integer type."""
    types: dict[str, Integral | None] = {}
    for node in syntax.all_of("type_definition"):
        words = node.child_by_field_name("type")
        plain = "" if words is None else " ".join(syntax.text(words).split())
        given = integer_type(plain) or {**STANDARD_TYPES, **types}.get(plain)
        has_mode = re.search(r"\b(?:__mode__|mode)\s*\(", syntax.text(node)) is not None
        for declarator in node.children_by_field_name("declarator"):
            name = name_of(declarator)
            if name is not None:
                kind = given if declarator.type == "type_identifier" and not has_mode else None
                word = syntax.text(name)
                types[word] = kind if types.get(word, kind) == kind else None
    return types
