"""Reads the contracts of a C text, in three notations, and makes the compiler's text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unfork.errors import InputError
from unfork.program.c.acsl_reader import acsl_contracts, note_regions
from unfork.program.c.c_source import CSource, Edit, apply_edits
from unfork.program.c.clause_reader import ClauseReader
from unfork.program.c.contracts import NO_CONTRACTS, Contract, ContractClauses, Contracts, Unread, gather_contracts
from unfork.program.c.declarations import Declared, function_of, owner_of_clauses
from unfork.program.c.expression_tokens import lexemes_of_code
from unfork.program.c.location_calls import ASSERTED
from unfork.program.c.macro_contracts import macro_contracts
from unfork.program.c.notations import CPROVER
from unfork.program.c.syntax import LOOPS, Node, TextPiece, outermost

PREFIX = "__CPROVER_"
_OF_FUNCTIONS = frozenset(("requires", "ensures", "assigns", "decreases"))
_OF_LOOPS = frozenset(("loop_invariant", "assigns", "decreases"))
_STATED = frozenset(f"{PREFIX}{word}" for word in ("assert", "assume", "precondition", "postcondition"))
_NOTE = re.compile(r"/\*@|//@")
_MAY_HAVE = re.compile(rf"/\*@|//@|{PREFIX}|UNFORK_")


def read_contracts(file: str, text: str) -> tuple[Contracts, str]:
    """The contracts of a C text, and the text for the compiler.

    The latter has no clauses unknown to the compiler, and calls in place of assertions (program/c/acsl_reader.py).
    The rest keeps its lines, by line markers, and the subjects of contracts keep their columns.

    The text is plain, or preprocessed with comments and macros kept (program/llvm/compiler.py): only then are macros
    of headers known. An unknown construct makes a function one of ``unread``, with file, line and word of the
    problem; outside of functions, InputError is raised.
    """
    if not _MAY_HAVE.search(text):
        return NO_CONTRACTS, text
    source = CSource(file, text)
    cprover, cuts = _cprover_contracts(source)
    macros, declarations = macro_contracts(source)
    acsl, calls = acsl_contracts(source)
    edits = [*declarations, *calls, *cuts]
    if source.is_expanded:
        # Macros have been expanded: a word with a macro's name is not one.
        definitions = [each for each in source.layout.directives if re.match(r"#\s*(?:define|undef)\b", each.text)]
        edits += [source.without(each.start, each.end) for each in definitions]
    return gather_contracts([*acsl, *cprover, *macros]), apply_edits(text, edits)


def has_clauses(text: str) -> bool:
    """Whether a text has CBMC's clauses, which a compiler rejects."""
    return PREFIX in text


def refuse_lost(file: str, text: str) -> None:
    """Raise InputError for a contract in a comment that the preprocessor drops: in a macro, or in its argument."""
    if not _NOTE.search(text):
        return
    source = CSource(file, text)
    for directive in source.layout.directives:
        if note := _NOTE.search(directive.text):
            raise source.problem(directive.start + note.start(), "a contract in a macro is not supported")
    for start, _ in note_regions(source):
        leaf = source.syntax.leaf_behind(start)
        around = "" if leaf is None else source.layout.code[outermost(leaf).start_byte : start]
        if around.count("(") > around.count(")"):
            raise source.problem(start, "a contract in parentheses is not supported")


# --- CBMC's clauses


def _cprover_contracts(source: CSource) -> tuple[list[Contract], list[Edit]]:
    """The contracts in CBMC's clauses after declarators and loop heads, and its assertions.

    Also the edits that remove them. Arithmetic is C's. As in CBMC, a function whose contract names no memory
    locations assigns nothing. Raises InputError for an unknown construct outside of functions.
    """
    contracts: list[Contract] = []
    cuts: list[Edit] = []
    for clauses in _groups(source):
        first = clauses[0]
        is_known = first.text.removeprefix(PREFIX) in _OF_FUNCTIONS | _OF_LOOPS
        owner = owner_of_clauses(source.syntax, first.start, clauses[-1].end)
        function = None if owner is None else function_of(source.syntax, owner, source.types)
        name = function.name if function else source.function_at(first.start)
        try:
            if first.text in _STATED:
                contracts += _stated(source, first, cuts)
            elif function is not None or (owner is not None and owner.type in LOOPS):
                cuts += [source.without(clause.start, clause.end) for clause in clauses]
                contracts.append(_contract(source, clauses, function, owner))
            elif is_known:
                cuts += [source.without(clause.start, clause.end) for clause in clauses]
                raise source.problem(first.start, f"{first.text} is not supported here: no function or loop before it")
        except InputError as problem:
            if not name:
                raise
            contracts.append(Unread(name, str(problem)))
    return contracts, cuts


def _contract(source: CSource, clauses: Sequence[TextPiece], function: Declared | None, owner: Node | None) -> Contract:
    """The contract in clauses about a function, or about the loop that owns them."""
    parts = ContractClauses()
    for clause in clauses:
        _read(source, clause, parts, _OF_LOOPS if function is None else _OF_FUNCTIONS)
    if function is None:
        assert owner is not None
        return parts.of_loop(source, owner.start_byte, False)
    if parts.assigns is None:
        parts.assign("nothing, as there is no __CPROVER_assigns", (), *source.position(function.offset))
    return parts.of_function(source, function, False)


def _stated(source: CSource, word: TextPiece, edits: list[Edit]) -> Sequence[Contract]:
    """The assertion in a statement, with the edit that leaves a call in its place.

    C that is no condition of a contract, because it calls functions, is left to the compiler and to models.
    """
    start, end = word.start, word.end
    opening = source.layout.code.find("(", start, end)
    is_plain = "==>" not in source.text[start:end] and PREFIX not in source.text[opening:end]
    if word.text == "__CPROVER_assume" and is_plain:
        return ()
    try:
        if word.text == "__CPROVER_assume" or opening < 0 or source.syntax.statement_after(end) is None:
            raise source.problem(start, f"{word.text} is not supported here with words of contracts")
        reader = ClauseReader(source, lexemes_of_code(source, opening + 1, end - 1), end - 1, CPROVER)
        parts = ContractClauses(asserts=[reader.clause()])
        if not reader.is_at_end:
            reader.expect(",")  # a description follows
    except InputError:
        if is_plain:
            return ()
        edits.append(source.without(start, end))
        raise
    line, column = source.position(start)[1], source.column(start)
    call = f"__extension__ ({{ extern void {ASSERTED}(int, int); {ASSERTED}({line}, {column}); }})"
    edits.append(Edit(start, end, f"{call}{source.marker(end)}"))
    return parts.assertions(source, start, False)


def _groups(source: CSource) -> list[list[TextPiece]]:
    """The clauses, grouped where only white space and comments separate them."""
    groups: list[list[TextPiece]] = []
    for clause in source.clauses:
        if groups and not source.layout.code[groups[-1][-1].end : clause.start].strip():
            groups[-1].append(clause)
        else:
            groups.append([clause])
    return groups


def _read(source: CSource, token: TextPiece, parts: ContractClauses, known: frozenset[str]) -> None:
    """Read a clause into ``parts``."""
    word = token.text.removeprefix(PREFIX)
    if word not in known:
        raise source.problem(token.start, f"{token.text} is not supported here")
    opening = source.layout.code.find("(", token.start, token.end)
    if opening < 0:
        raise source.problem(token.start, f"{token.text} without arguments in parentheses")
    start, end = opening + 1, token.end - 1
    reader = ClauseReader(source, lexemes_of_code(source, start, end), end, CPROVER)
    match word:
        case "requires":
            parts.requires.append(reader.clause())
        case "ensures":
            parts.ensures.append(reader.clause(frozenset(("old", "result"))))
        case "loop_invariant":
            parts.invariants.append(reader.clause(frozenset(("loop",))))
        case "decreases":
            if parts.measure is not None:
                raise source.problem(token.start, f"{token.text} is not supported twice")
            parts.measure = reader.clause()
            if reader.next.text == ",":
                raise source.problem(token.start, f"{token.text} of several measures is not supported")
        case "assigns":
            first = reader.next
            locations = () if reader.is_at_end else reader.locations(None)
            text = reader.text_since(first) if locations else ""
            parts.assign(text, locations, *source.position(token.start))
    reader.expect_end(f"is too much in {token.text}")
