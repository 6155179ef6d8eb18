"""Symbolic values: immutable, hash-consed bit-vector terms that know their symbols, known bits and range."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

Parameter: TypeAlias = "int | str | tuple[str, str] | None"

# Operator -> meaning of ``parameter``. Widths are SMT-LIB's: operands have equal widths, except for concat (high, low),
# zext, sext, extract, ite (condition of 1 bit first) and the conversions. Width 1 is boolean.
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
    """A bit-vector expression of ``width`` bits. Equal terms are one object: ``is`` and ``==`` are structural equality.

    Never assign to a field. OPERATORS describes ``parameter``. ``zeros`` and ``ones`` mask the bits known to be 0 and
    1; ``low`` and ``high`` bound the unsigned value. ``symbols`` are the free symbols; iterate over
    sort_terms(symbols), since the order of a set differs between runs. ``digest`` is the same in every run, and orders
    operands. ``alternatives`` counts the leaves of an ite tree whose leaves are all constant; it is 0 for other terms.
    A term with many symbols ``is_wide``: it collects them on first access, since a sum of a hundred thousand unknowns
    has as many sums below it.
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
            """Collects the symbols of a wide term. Raises AttributeError for other names."""
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


Value: TypeAlias = int | Term
Rows: TypeAlias = list[tuple[str, int, tuple[int, ...], Parameter]]

_unions: dict[tuple[frozenset[Term], frozenset[Term]], frozenset[Term]] = {}
_sets: dict[frozenset[Term], frozenset[Term]] = {}


def union(a: frozenset[Term], b: frozenset[Term]) -> frozenset[Term]:
    """The union of two symbol sets; equal sets are one object while in use."""
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
"""The stored set; AttributeError for a wide term that has not collected it yet."""


def forget_unions() -> None:
    """Drop the sets that only sharing keeps alive."""
    _unions.clear()
    _sets.clear()


def _gather(root: Term) -> frozenset[Term]:
    """The symbols of a wide term, collected from the terms below it and stored."""
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


def sort_terms(terms: Iterable[Term]) -> list[Term]:
    """Terms in an order that is the same in every run."""
    return sorted(terms, key=_digest)


def _digest(term: Term) -> int:
    return term.digest


def postorder(roots: Iterable[Term], known: Container[Term] = ()) -> list[Term]:
    """The distinct terms below and including ``roots``, operands before users, without those in ``known``."""
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


def constants_by_width(terms: Iterable[Term]) -> dict[int, list[int]]:
    """The constants among ``terms``, in their order."""
    constants: dict[int, list[int]] = {}
    for term in terms:
        if term.op == "const":
            constants.setdefault(term.width, []).append(term.value)
    return constants


def flatten(roots: Sequence[Term]) -> Rows:
    """The terms of postorder(roots) as rows that name their operands by row number."""
    rows: Rows = []
    index: dict[Term, int] = {}
    for term in postorder(roots):
        index[term] = len(rows)
        rows.append((term.op, term.width, tuple(index[a] for a in term.args), term.parameter))
    return rows


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
