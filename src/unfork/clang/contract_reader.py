"""Reads the contracts of a C text, in three notations, and gives the text that the compiler gets."""

from __future__ import annotations

import re

from unfork.clang.acsl_reader import acsl_contracts, note_regions
from unfork.clang.c_source import Source, edited
from unfork.clang.contracts import NO_CONTRACTS, Contracts, gathered
from unfork.clang.cprover_reader import PREFIX, cprover_contracts
from unfork.clang.macro_contracts import macro_contracts
from unfork.clang.syntax import outermost

_NOTE = re.compile(r"/\*@|//@")
_MAY_HAVE = re.compile(rf"/\*@|//@|{PREFIX}|UNFORK_")


def read_contracts(file: str, text: str) -> tuple[Contracts, str]:
    """The contracts of a C text, and the text for the compiler.

    That has no clauses that the compiler does not know, and calls where assertions stand (clang/acsl_reader.py). What
    remains keeps its lines, as line markers say, and what contracts are about keeps its columns.

    The text is plain, or preprocessed with comments and macros left in (llvm/compiler.py): only then are macros of
    headers known. Raises InputError with file, line and word for what is not known.
    """
    if not _MAY_HAVE.search(text):
        return NO_CONTRACTS, text
    source = Source(file, text)
    cprover, cuts = cprover_contracts(source)
    macros, declarations = macro_contracts(source)
    acsl, calls = acsl_contracts(source)
    edits = [*declarations, *calls, *cuts]
    if source.is_expanded:
        # Macros have been expanded: what still has a macro's name is none.
        definitions = [each for each in source.layout.directives if re.match(r"#\s*(?:define|undef)\b", each.text)]
        edits += [source.without(each.start, each.end) for each in definitions]
    return gathered([*acsl, *cprover, *macros]), edited(text, edits)


def has_clauses(text: str) -> bool:
    """Whether a text has CBMC's clauses, which a compiler rejects."""
    return PREFIX in text


def refuse_lost(file: str, text: str) -> None:
    """Raise InputError for a contract in a comment that the preprocessor drops: in a macro, or what one is given."""
    if not _NOTE.search(text):
        return
    source = Source(file, text)
    for directive in source.layout.directives:
        if note := _NOTE.search(directive.text):
            raise source.problem(directive.start + note.start(), "a contract in a macro is not supported")
    for start, _ in note_regions(source):
        leaf = source.syntax.leaf_behind(start)
        around = "" if leaf is None else source.layout.code[outermost(leaf).start_byte : start]
        if around.count("(") > around.count(")"):
            raise source.problem(start, "a contract in parentheses is not supported")
