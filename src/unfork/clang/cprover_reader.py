"""Reads contracts as CBMC writes them: ``__CPROVER_requires(...)`` and its like, behind a declarator or a loop's head.

The text that they are cut from compiles without them. Arithmetic is C's. As in CBMC, a function whose contract names no
places assigns nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.clang.c_source import Source
from unfork.clang.c_text import Statements, Token
from unfork.clang.contract_merge import gathered
from unfork.clang.contract_parts import Parts
from unfork.clang.contracts import Contracts, FunctionContract, LoopContract
from unfork.clang.expression_reader import ExpressionReader
from unfork.clang.expression_tokens import lexemes_of_code
from unfork.clang.loop_heads import function_before, loop_of_head
from unfork.clang.notations import CPROVER

PREFIX = "__CPROVER_"
_OF_FUNCTIONS = frozenset(("requires", "ensures", "assigns", "decreases"))
_OF_LOOPS = frozenset(("loop_invariant", "assigns", "decreases"))


def cprover_contracts(source: Source) -> tuple[Contracts, list[tuple[int, int]]]:
    """The contracts of a text, and which parts of it they are.

    Raises InputError for a word of CBMC's that is not known, with its line.
    """
    functions: list[FunctionContract] = []
    loops: list[LoopContract] = []
    cuts: list[tuple[int, int]] = []
    tokens = source.scan.tokens
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if not token.text.startswith(PREFIX) or source.is_system(token.start):
            at += 1
            continue
        loop = loop_of_head(tokens, at)
        function = None if loop is not None else function_before(tokens, at, source.types)
        if token.text.removeprefix(PREFIX) not in _OF_FUNCTIONS | _OF_LOOPS:
            raise source.problem(token.start, f"{token.text} is not supported")
        if loop is None and function is None:
            raise source.problem(token.start, f"{token.text} is not supported here: no function or loop before it")
        parts = Parts()
        while at < len(tokens) and tokens[at].text.startswith(PREFIX):
            behind = _clause(source, at, parts, _OF_FUNCTIONS if loop is None else _OF_LOOPS)
            cuts.append((tokens[at].start, tokens[behind - 1].end))
            at = behind
        if loop is not None:
            loops.append(parts.of_loop(source, tokens[loop].start, False))
        elif function is not None:
            offset = tokens[function.name_at].start
            if parts.assigns is None:
                parts.assign("nothing, as there is no __CPROVER_assigns", (), *source.position(offset))
            functions.append(parts.of_function(function.name, function.parameters, source, offset, False))
    return gathered(functions, loops, ()), cuts


def _clause(source: Source, at: int, parts: Parts, known: frozenset[str]) -> int:
    """Read the clause at token ``at`` into ``parts``: the number of the token behind it."""
    tokens = source.scan.tokens
    token = tokens[at]
    word = token.text.removeprefix(PREFIX)
    if word not in known:
        raise source.problem(token.start, f"{token.text} is not supported here")
    behind = _behind(source, tokens, at)
    start, end = tokens[at + 1].end, tokens[behind - 1].start
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
            places = () if reader.is_at_end else reader.places(None)
            if reader.next.text in (":", ";"):
                raise reader.unsupported(reader.next, f" in {token.text}")
            text = reader.text_since(first) if places else ""
            parts.assign(text, places, *source.position(token.start))
    reader.expect_end(f"is too much in {token.text}")
    return behind


def _behind(source: Source, tokens: Sequence[Token], at: int) -> int:
    behind = Statements(tokens).behind_group(at + 1) if tokens[at + 1 : at + 2] and tokens[at + 1].text == "(" else None
    if behind is None:
        raise source.problem(tokens[at].start, f"{tokens[at].text} without arguments in parentheses")
    return behind
