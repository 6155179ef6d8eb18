"""How a query uses its symbols, to choose the integers that stand for them: signed or unsigned."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.term import Term, postorder

_SIGNED = frozenset(("slt", "sdiv", "srem", "ashr"))
_UNSIGNED = frozenset(("ult", "udiv", "urem", "lshr"))
_THROUGH = frozenset(("add", "neg", "not", "mul", "and", "or", "xor", "ite"))
_MOST = 1 << 20


def unsigned_symbols(constraints: Sequence[Term]) -> frozenset[Term]:
    """The symbols that are read as unsigned more often than as signed, directly or through sums."""
    terms = postorder(constraints)
    votes: dict[Term, int] = dict.fromkeys(terms, 0)
    """For each term, how many users want its signed value less those that want the unsigned one."""
    for term in reversed(terms):
        op, args = term.op, term.args
        if op in _SIGNED or op == "sext":
            vote = 1
        elif op in _UNSIGNED or op == "zext":
            vote = -1
        elif op == "extract":
            vote = 1 if term.width == 1 and term.offset == args[0].width - 1 else votes[term]
        elif op == "concat":
            votes[args[1]] -= 1
            args, vote = args[:1], votes[term]
        elif op in _THROUGH:
            vote = votes[term]
        else:
            continue
        for a in args:
            if a.width > 1:
                votes[a] = max(-_MOST, min(_MOST, votes[a] + vote))
    return frozenset(term for term in terms if term.op == "symbol" and votes[term] < 0)
