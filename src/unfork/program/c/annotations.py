"""Turns comments `/*@ merge_proc ...; @*/` in C into calls that mark where paths part and where they join.

Scheurer16, section 6: the comment stands before a block (or if, for, while, do, switch), after which paths meet. The
text gets two calls, and no new line; the compiler then determines where control leaves the block normally. Paths
that leave it otherwise (return, goto, break) never reach the second call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from unfork.errors import InputError
from unfork.program.c import c_source, expression_reader, expressions, syntax
from unfork.program.c.location_calls import BEGIN, END

_NOTE = re.compile(
    r'(?:merge_point\s*;\s*)?merge_proc\s+"?([^;{}"]+?)"?\s*;(?:\s*merge_params\s*\{(.*)\}\s*;?)?\s*', re.S
)


@dataclass(frozen=True, slots=True)
class PredicateSet:
    """``lattice: (type placeholder) -> { expressions }`` of merge_params; ``type`` None stands for any."""

    lattice: str
    type: str | None
    placeholder: str
    expressions: tuple[tuple[str, expressions.Expression], ...]
    """The text of each, and its expression."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """``merge_proc how; merge_params {...};``."""

    how: str
    predicates: tuple[PredicateSet, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A C text with calls in place of annotations. ``lines`` maps the number of each to its line."""

    text: str
    lines: Mapping[int, int]
    misplaced: tuple[int, ...]
    """Lines of annotations without a block."""


def read_annotation(text: str) -> Annotation:
    """The annotation in a comment. Raises ValueError with a one-line message."""
    match = _NOTE.fullmatch(text.strip())
    if match is None:
        raise ValueError("should be: merge_proc HOW; merge_params { LATTICE: (TYPE v) -> { EXPRESSION, ... } };")
    how = "".join(match[1].split()) if ":" not in match[1] else " ".join(match[1].split())
    if match[2] is None:
        return Annotation(how, ())
    reader = expression_reader.plain_reader(match[2])
    try:
        sets = [_predicate_set(reader)]
        while reader.accept(",") or reader.accept(";"):
            if not reader.is_at_end:
                sets.append(_predicate_set(reader))
        reader.expect_end("is too much")
    except InputError as problem:
        raise ValueError(str(problem)) from None
    return Annotation(how, tuple(sets))


def _predicate_set(reader: expression_reader.ExpressionReader) -> PredicateSet:
    lattice = reader.name()
    for token in (":", "("):
        reader.expect(token)
    words = [reader.name()]
    while not reader.accept(")"):
        words.append(reader.name())
    for token in ("->", "{"):
        reader.expect(token)
    stated: list[tuple[str, expressions.Expression]] = []
    while not stated or reader.accept(","):
        first = reader.next
        expression = reader.expression()
        stated.append((reader.text_since(first), expression))
    reader.expect("}")
    return PredicateSet(lattice, " ".join(words[:-1]) or None, words[-1], tuple(stated))


def insert_calls(file: str, text: str, first: int) -> AnnotatedText | None:
    """The text with calls added, numbered from ``first``; None if it has no annotation.

    Raises InputError, with file and line, for a malformed annotation.
    """
    if "merge_" not in text:
        return None
    source = c_source.CSource(file, text)
    openings: list[c_source.Edit] = []
    closings: list[c_source.Edit] = []
    lines: dict[int, int] = {}
    misplaced: list[int] = []
    for note in source.layout.notes:
        said = note.text[3:-2].strip().removesuffix("@").strip() if note.text[1] == "*" else note.text[3:].strip()
        if not said.startswith("merge_"):
            continue
        line = source.position(note.start)[1]
        try:
            read_annotation(said)
        except ValueError as problem:
            raise source.problem(note.start, str(problem)) from None
        end = _end_of_block(source, note)
        if end is None:
            misplaced.append(line)
            continue
        number = first + len(lines)
        lines[number] = line
        shown = " ".join(said.split()).replace("\\", "\\\\").replace('"', '\\"')
        opening = f"{{ extern void {BEGIN}(void); extern void {END}(const char *, int, int); {BEGIN}(); "
        openings.append(c_source.Edit(note.start, note.end, opening + "\n" * note.text.count("\n")))
        # Of blocks that end together, the inner one began last.
        closings.insert(0, c_source.Edit(end, end, f' {END}("{shown}", {number}, {line}); }}'))
    if not lines and not misplaced:
        return None
    text = c_source.apply_edits(text, [*closings, *openings])
    return AnnotatedText(text, lines, tuple(misplaced))


def _end_of_block(source: c_source.CSource, note: syntax.TextPiece) -> int | None:
    """The offset at which the block after an annotation ends; None if no block follows inside a function."""
    block = source.syntax.statement_after(note.end)
    function = None if block is None else source.syntax.function_around(block)
    if block is None or function is None or block.type not in syntax.BLOCKS or not source.syntax.is_read(function):
        return None
    return block.end_byte
