"""Symbolic values: immutable, hash-consed bit-vector terms that know their symbols, known bits and range."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from sys import getrefcount
from typing import TYPE_CHECKING, TypeAlias

from unfork.logic.terms.known_bits import RULES

Parameter: TypeAlias = "int | str | tuple[str, str] | None"

# operator -> what ``parameter`` holds. Widths are those of SMT-LIB: operands of one operator have equal widths, but for
# concat (high, low), zext, sext, extract, ite (condition of 1 bit first) and the conversions. Width 1 is boolean.
OPERATORS: dict[str, str] = {
    "const": "the value",
    "symbol": "the name",
    **dict.fromkeys(("not", "neg", "and", "or", "xor", "add", "mul", "udiv", "urem", "sdiv", "srem"), ""),
    **dict.fromkeys(("shl", "lshr", "ashr", "eq", "ult", "slt", "ite", "concat", "zext", "sext"), ""),
    "extract": "the lowest bit taken",
    # Floats are bit patterns; these take and give patterns. Negation, absolute value and copysign are bit operations.
    **dict.fromkeys(("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.rem", "fp.fma", "fp.sqrt"), "the format"),
    **dict.fromkeys(("fp.floor", "fp.ceil", "fp.trunc", "fp.rint", "fp.round", "fp.roundeven"), "the format"),
    **dict.fromkeys(("fp.min", "fp.max"), "the format"),
    **dict.fromkeys(("fp.eq", "fp.lt", "fp.le", "fp.isnan"), "the format; the result is 1 bit, false on NaN"),
    "fp.convert": "(format from, format to)",
    **dict.fromkeys(("fp.from_signed", "fp.from_unsigned"), "the format of the result"),
    **dict.fromkeys(
        ("fp.to_signed", "fp.to_unsigned"), "the format of the operand; out of range: only the top bit set"
    ),
}


@dataclass(init=False, eq=False, repr=False, slots=True, weakref_slot=True)
class Term:
    """A bit-vector expression of ``width`` bits; equal terms are one object: ``is`` and ``==`` are structural equality.

    Never assign to a field. ``parameter`` is described by OPERATORS. ``zeros`` and ``ones`` mask the bits known to be 0
    and 1; ``low`` and ``high`` bound the unsigned value. ``symbols`` are the free symbols; iterate them with ordered(),
    since a set of terms has no order that is the same in every run. ``digest`` is, and it orders operands.
    ``alternatives`` counts the leaves of a tree of ite whose leaves are all constant, and is 0 for any other term.
    ``is_wide`` says that there are many symbols: their set is then made when somebody asks for it, since a sum of a
    hundred thousand unknowns has as many sums below it.
    """

    op: str
    width: int
    args: tuple[Term, ...]
    parameter: Parameter
    digest: int
    symbols: frozenset[Term]
    zeros: int
    ones: int
    low: int
    high: int
    alternatives: int
    is_wide: bool

    if not TYPE_CHECKING:  # every other name would be an attribute too

        def __getattr__(self, name: str) -> frozenset[Term]:
            """The symbols of a wide term, which are not known yet: any other attribute that is missing is an error."""
            if name != "symbols":
                raise AttributeError(name)
            return _gather(self)

    @property
    def value(self) -> int:
        """The value of a constant."""
        assert type(self.parameter) is int
        return self.parameter

    @property
    def name(self) -> str:
        """The name of a symbol."""
        assert type(self.parameter) is str
        return self.parameter

    @property
    def offset(self) -> int:
        """The lowest bit that an extract takes."""
        assert type(self.parameter) is int
        return self.parameter

    def __repr__(self) -> str:
        return text(self, 4)

    def __reduce__(self) -> tuple[Callable[[Rows], Term], tuple[Rows]]:
        return _unflatten_one, (flatten((self,)),)


Value: TypeAlias = int | Term
Rows: TypeAlias = list[tuple[str, int, tuple[int, ...], Parameter]]

# Hash-consing needs one table per process: two tables would make equal terms unequal. It is the one global of unfork.
# It holds its terms strongly and in order of creation, operands before users; sweep() walks it backwards and drops
# those that nothing else refers to, each after its users. That costs less than a weak reference per term, and never
# frees a deep term recursively. Not for use from several threads.
_asked = [0]
_table: dict[tuple[str, int, tuple[Term, ...], Parameter], Term] = {}
_constants: dict[tuple[int, int], Term] = {}
_unions: dict[tuple[frozenset[Term], frozenset[Term]], frozenset[Term]] = {}
_sets: dict[frozenset[Term], frozenset[Term]] = {}
_SWEEP_AT_LEAST = 75_000
_sweep_at = [_SWEEP_AT_LEAST]
_WIDE = 256
"""With more symbols than this, a term is wide: their sets cost more than the terms."""
_NO_SYMBOLS: frozenset[Term] = frozenset()
_new = Term.__new__


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "little")


_CODES = {op: _number(op) for op in OPERATORS}


def constant(value: int, width: int) -> Term:
    """The node that stands for a constant among the operands of a term."""
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
    """The term as given, with no simplification: everyone but logic/terms/build.py and its rules wants build
    instead.
    """
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


def union(a: frozenset[Term], b: frozenset[Term]) -> frozenset[Term]:
    """All symbols of two sets; equal sets are one object as long as they are used."""
    if a >= b:
        return a
    if b >= a:
        return b
    both = _unions.get((a, b))
    if both is None:
        both = a | b
        both = _unions[a, b] = _sets.setdefault(both, both)
    return both


_known_symbols = Term.__dict__["symbols"].__get__
"""The set that a term holds; AttributeError where a wide term's is not known yet."""


def _gather(root: Term) -> frozenset[Term]:
    """The symbols of a wide term, collected from the terms below it, and kept from now on."""
    gathered: set[Term] = set()
    seen = {root}
    waiting = [root]
    while waiting:
        for a in waiting.pop().args:
            if a in seen:
                continue
            seen.add(a)
            try:
                gathered |= _known_symbols(a)
            except AttributeError:
                waiting.append(a)
    symbols = frozenset(gathered)
    root.symbols = _sets.setdefault(symbols, symbols)
    return root.symbols


def sweep() -> int:
    """Forget the terms that nothing refers to; returns how many. Runs by itself as the table grows."""
    before = len(_table)
    _unions.clear()
    _sets.clear()
    terms = list(_table.values())
    while terms:
        term = terms.pop()
        if term.op == "symbol":  # its own set refers to it
            if getrefcount(term) > 4 or getrefcount(term.symbols) > 2:
                continue
            term.symbols = _NO_SYMBOLS
        elif getrefcount(term) > 3:  # the table, this variable and the argument of getrefcount
            continue
        del _table[term.op, term.width, term.args, term.parameter]
    for key in [key for key, term in _constants.items() if getrefcount(term) <= 3]:
        del _constants[key]
    _sweep_at[0] = max(_SWEEP_AT_LEAST, 2 * len(_table))
    return before - len(_table)


def count_requests() -> int:
    """How often a term was asked for, whether it was there already or not: what the table holds does not count."""
    return _asked[0]


def sort_terms(terms: Iterable[Term]) -> list[Term]:
    """The terms of a set in an order that is the same in every run."""
    return sorted(terms, key=_digest)


def _digest(term: Term) -> int:
    return term.digest


def postorder(roots: Iterable[Term], known: Container[Term] = ()) -> list[Term]:
    """The distinct terms below and including ``roots``, operands before users; not those that are ``known``."""
    result: list[Term] = []
    seen: set[Term] = set()
    stack = list(roots)
    stack.reverse()
    while stack:
        term = stack[-1]
        if term in seen or term in known:
            stack.pop()
            continue
        missing = [a for a in term.args if a not in seen and a not in known]
        if missing:
            stack.extend(reversed(missing))
        else:
            stack.pop()
            seen.add(term)
            result.append(term)
    return result


def flatten(roots: Sequence[Term]) -> Rows:
    """The terms of postorder(roots) as rows that name their operands by row number."""
    rows: Rows = []
    index: dict[Term, int] = {}
    for term in postorder(roots):
        index[term] = len(rows)
        rows.append((term.op, term.width, tuple(index[a] for a in term.args), term.parameter))
    return rows


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


def _unflatten_one(rows: Rows) -> Term:
    return unflatten(rows)[-1]


def text(term: Term, depth: int) -> str:
    """The term as an S-expression, cut to ``...`` below ``depth`` levels."""
    if term.op == "const":
        return f"{term.value:#x}" if term.value > 9 else str(term.value)
    if term.op == "symbol":
        return term.name
    if depth <= 0:
        return "..."
    head = term.op if term.parameter is None else f"{term.op}[{term.parameter}]"
    if term.op in ("zext", "sext", "extract"):
        head += f":{term.width}"
    return f"({head} {' '.join([text(a, depth - 1) for a in term.args])})"
