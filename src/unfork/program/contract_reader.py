"""Reads the contracts of a C text, in three notations, and gives the text that the compiler gets."""

from __future__ import annotations

import re

from unfork.program.acsl_reader import acsl_contracts
from unfork.program.c_source import Source
from unfork.program.contract_merge import merged
from unfork.program.contracts import NO_CONTRACTS, Contracts
from unfork.program.cprover_reader import PREFIX, cprover_contracts
from unfork.program.macro_contracts import Edit, macro_contracts

_MAY_HAVE = re.compile(rf"/\*@|//@|{PREFIX}|UNFORK_")


def read_contracts(file: str, text: str) -> tuple[Contracts, str]:
    """The contracts of a C text, and the text without those that the compiler does not know, with the same lines.

    The text is plain, or preprocessed with comments and macros left in (program/clang.py): only then are macros of
    headers known. Raises InputError with file, line and word for what is not known.
    """
    if not _MAY_HAVE.search(text):
        return NO_CONTRACTS, text
    source = Source(file, text)
    cprover, cuts = cprover_contracts(source)
    macros, edits = macro_contracts(source)
    contracts = merged(acsl_contracts(source), cprover, macros)
    edits += [Edit(start, end, _blank(text[start:end])) for start, end in cuts]
    if source.is_preprocessed:
        # Macros have been expanded: what still has a macro's name is none.
        definitions = [each for each in source.scan.directives if re.match(r"#\s*(?:define|undef)\b", each.text)]
        edits += [Edit(each.start, each.end, _blank(each.text)) for each in definitions]
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return contracts, text


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
