"""Reads contracts as CBMC writes them: ``__CPROVER_requires(...)`` and its like, after a declarator or a loop's head.

The text that they are cut from compiles without them. Arithmetic is C's. As in CBMC, a function whose contract names no
memory locations assigns nothing.
"""

from __future__ import annotations

from unfork.clang.c_source import Edit, Source
from unfork.clang.contracts import Contract, Parts
from unfork.clang.declarations import declared, owner_of_clauses
from unfork.clang.expression_reader import ExpressionReader
from unfork.clang.expression_tokens import lexemes_of_code
from unfork.clang.notations import CPROVER
from unfork.clang.syntax import LOOPS, Piece

PREFIX = "__CPROVER_"
_OF_FUNCTIONS = frozenset(("requires", "ensures", "assigns", "decreases"))
_OF_LOOPS = frozenset(("loop_invariant", "assigns", "decreases"))


def cprover_contracts(source: Source) -> tuple[list[Contract], list[Edit]]:
    """The contracts of a text, and the edits that cut them from it.

    Raises InputError for a word of CBMC's that is not known, with its line.
    """
    contracts: list[Contract] = []
    cuts: list[Edit] = []
    for clauses in _groups(source):
        first = clauses[0]
        owner = owner_of_clauses(source.syntax, first.start, clauses[-1].end)
        function = None if owner is None else declared(source.syntax, owner, source.types)
        is_loop = owner is not None and owner.type in LOOPS
        if first.text.removeprefix(PREFIX) not in _OF_FUNCTIONS | _OF_LOOPS:
            raise source.problem(first.start, f"{first.text} is not supported")
        if not is_loop and function is None:
            raise source.problem(first.start, f"{first.text} is not supported here: no function or loop before it")
        parts = Parts()
        for clause in clauses:
            _read(source, clause, parts, _OF_LOOPS if is_loop else _OF_FUNCTIONS)
            cuts.append(source.without(clause.start, clause.end))
        if function is not None:
            if parts.assigns is None:
                parts.assign("nothing, as there is no __CPROVER_assigns", (), *source.position(function.offset))
            contracts.append(parts.of_function(source, function, False))
        elif owner is not None:
            contracts.append(parts.of_loop(source, owner.start_byte, False))
    return contracts, cuts


def _groups(source: Source) -> list[list[Piece]]:
    """The clauses, those that only white space and comments are between together."""
    groups: list[list[Piece]] = []
    for clause in source.clauses:
        if groups and not source.layout.code[groups[-1][-1].end : clause.start].strip():
            groups[-1].append(clause)
        else:
            groups.append([clause])
    return groups


def _read(source: Source, token: Piece, parts: Parts, known: frozenset[str]) -> None:
    """Read a clause into ``parts``."""
    word = token.text.removeprefix(PREFIX)
    if word not in known:
        raise source.problem(token.start, f"{token.text} is not supported here")
    opening = source.layout.code.find("(", token.start, token.end)
    if opening < 0:
        raise source.problem(token.start, f"{token.text} without arguments in parentheses")
    start, end = opening + 1, token.end - 1
    reader = ExpressionReader(source, lexemes_of_code(source, start, end), end, CPROVER)
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
            if reader.next.text in (":", ";"):
                raise reader.unsupported(reader.next, f" in {token.text}")
            text = reader.text_since(first) if locations else ""
            parts.assign(text, locations, *source.position(token.start))
    reader.expect_end(f"is too much in {token.text}")
