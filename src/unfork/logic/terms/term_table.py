"""The table of all terms: makes each term once, and drops those without references."""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable
from hashlib import blake2b
from sys import getrefcount

from unfork.logic.terms.known_bits import RULES
from unfork.logic.terms.term import OPERATORS, Parameter, Rows, Term, flatten, forget_unions, union

# Hash-consing needs one table per process: two tables would make equal terms unequal. It is the one global of unfork.
# It holds its terms strongly, in order of creation, operands before users; sweep() walks it backwards and drops each
# unreferenced term after its users. That costs less than a weak reference per term, and never frees a deep term
# recursively. Not for use from several threads.
_asked = [0]
_table: dict[tuple[str, int, tuple[Term, ...], Parameter], Term] = {}
_constants: dict[tuple[int, int], Term] = {}
_SWEEP_AT_LEAST = 75_000
_sweep_at = [_SWEEP_AT_LEAST]
_WIDE = 256
"""A term with more symbols is wide: the sets would cost more than the terms."""
_NO_SYMBOLS: frozenset[Term] = frozenset()
_new = Term.__new__


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "little")


_CODES = {op: _number(op) for op in OPERATORS}


def constant(value: int, width: int) -> Term:
    """The node for a constant among the operands of a term."""
    known = _constants.get((value, width))
    if known is not None:
        return known
    term = _new(Term)
    term.op = "const"
    term.width = width
    term.args = ()
    term.parameter = value
    term.digest = hash((_CODES["const"], width, value))
    term.symbols = _NO_SYMBOLS
    term.zeros = (1 << width) - 1 ^ value
    term.ones = term.low = term.high = value
    term.alternatives = 1
    term.is_wide = False
    _constants[value, width] = term
    return term


def symbol(name: str, width: int) -> Term:
    """The free variable of this name and width in bits."""
    key = ("symbol", width, (), name)
    known = _table.get(key)
    if known is not None:
        return known
    term = _new(Term)
    term.op = "symbol"
    term.width = width
    term.args = ()
    term.parameter = name
    term.digest = hash((_CODES["symbol"], width, _number(name)))
    term.symbols = frozenset((term,))
    term.zeros = term.ones = term.low = 0
    term.high = (1 << width) - 1
    term.alternatives = 0
    term.is_wide = False
    _table[key] = term
    return term


def make(op: str, width: int, args: tuple[Term, ...], parameter: Parameter = None) -> Term:
    """The term without simplification. Only build.py and its rules call this; others use build."""
    _asked[0] += 1
    key = (op, width, args, parameter)
    known = _table.get(key)
    if known is not None:
        return known
    if len(_table) > _sweep_at[0]:
        sweep()
    term = _new(Term)
    term.op = op
    term.width = width
    term.args = args
    term.parameter = parameter
    term.alternatives = 0
    rule = RULES.get(op)
    if rule is None:
        term.zeros = term.ones = term.low = 0
        term.high = (1 << width) - 1
    else:
        term.zeros, term.ones, term.low, term.high = rule(width, args, parameter)  # type: ignore[arg-type]  # int by op
    if len(args) == 2:
        a, b = args
        term.digest = hash((_CODES[op], width, a.digest, b.digest))
        if a.is_wide or b.is_wide:
            term.is_wide = True
        else:
            first, second = a.symbols, b.symbols
            symbols = first if first is second or not second else union(first, second) if first else second
            term.symbols = symbols
            term.is_wide = len(symbols) > _WIDE
    else:
        _complete(term)
    _table[key] = term
    return term


def _complete(term: Term) -> None:
    args, parameter = term.args, term.parameter
    extra = parameter if type(parameter) is int else 0 if parameter is None else _number(repr(parameter))
    term.digest = hash((_CODES[term.op], term.width, extra, *[a.digest for a in args]))
    term.is_wide = any(a.is_wide for a in args)
    if not term.is_wide:
        symbols = args[0].symbols
        for a in args[1:]:
            if a.symbols is not symbols:
                symbols = union(symbols, a.symbols)
        term.symbols = symbols
        term.is_wide = len(symbols) > _WIDE
    if term.op == "ite" and args[1].alternatives and args[2].alternatives:
        term.alternatives = args[1].alternatives + args[2].alternatives


def sweep() -> int:
    """Drop terms without references; returns how many. Runs by itself as the table grows."""
    before = len(_table)
    forget_unions()
    terms = list(_table.values())
    while terms:
        term = terms.pop()
        if term.op == "symbol":  # its own set refers to it
            if getrefcount(term) > 4 or getrefcount(term.symbols) > 2:
                continue
            term.symbols = _NO_SYMBOLS
        elif getrefcount(term) > 3:  # the table, this variable, and getrefcount's argument
            continue
        del _table[term.op, term.width, term.args, term.parameter]
    for key in [key for key, term in _constants.items() if getrefcount(term) <= 3]:
        del _constants[key]
    _sweep_at[0] = max(_SWEEP_AT_LEAST, 2 * len(_table))
    return before - len(_table)


def count_requests() -> int:
    """How many terms were requested, new or known: independent of the table's contents."""
    return _asked[0]


def unflatten(rows: Rows) -> list[Term]:
    """The term of every row: the inverse of flatten()."""
    terms: list[Term] = []
    extend(terms, rows)
    return terms


def extend(terms: list[Term], rows: Rows) -> None:
    """Append the terms of further rows, whose operands are numbered from the start of ``terms``."""
    for op, width, args, parameter in rows:
        op = sys.intern(op)
        if op == "const":
            assert type(parameter) is int
            terms.append(constant(parameter, width))
        elif op == "symbol":
            assert type(parameter) is str
            terms.append(symbol(parameter, width))
        else:
            terms.append(make(op, width, tuple([terms[i] for i in args]), parameter))


def _reduce(term: Term) -> tuple[Callable[[Rows], Term], tuple[Rows]]:
    return _unflatten_one, (flatten((term,)),)


def _unflatten_one(rows: Rows) -> Term:
    return unflatten(rows)[-1]


copyreg.pickle(Term, _reduce)  # an unpickled term is the one in its process's table
