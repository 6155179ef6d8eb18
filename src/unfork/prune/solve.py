"""Reading off what a symbol must be, or may be: inverting terms, and bounds that are met.

Nothing here has to be right: what it gives is substituted, and what follows is proved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfork.logic import build
from unfork.logic.evaluate import substitute
from unfork.logic.term import Term, Value

_ORDERS = {"unsigned": build.ule, "signed": build.sle}


def solved(term: Term, value: Value, known: Mapping[Term, Value]) -> dict[Term, Value]:
    """Symbols that ``term`` being worth ``value`` determines, where one operand at a time is unknown."""
    solutions: dict[Term, Value] = {}
    waiting: list[tuple[Term, Value]] = [(term, value)]
    while waiting:
        term, value = waiting.pop()
        args, width = term.args, term.width
        match term.op:
            case "symbol":
                if term not in known:
                    solutions.setdefault(term, value)
            case "concat":
                low = args[1].width
                waiting.append((args[0], build.extract(value, low, args[0].width)))
                waiting.append((args[1], build.extract(value, 0, low)))
            case "zext" | "sext":
                waiting.append((args[0], build.extract(value, 0, args[0].width)))
            case "not":
                waiting.append((args[0], build.not_(value, width) if width > 1 else build.negate(value)))
            case "neg":
                waiting.append((args[0], build.neg(value, width)))
            case "add" | "xor":
                unknown = [a for a in args if not a.symbols <= known.keys()]
                if len(unknown) == 1:
                    other = args[1] if args[0] is unknown[0] else args[0]
                    rest = substitute(other, known) if other.op != "const" else other.value
                    inverse = build.sub if term.op == "add" else build.xor
                    waiting.append((unknown[0], inverse(value, rest, width)))
    return solutions


def unified(term: Term, value: Value, known: Mapping[Term, Value]) -> dict[Term, Value]:
    """The symbols of ``term`` as the parts of ``value`` in their places, where both were computed alike."""
    solutions: dict[Term, Value] = {}
    if not isinstance(value, Term):
        return solutions
    waiting = [(term, value)]
    met: set[tuple[Term, Term]] = set()
    while waiting:
        pair = waiting.pop()
        mine, its = pair
        if pair in met:
            continue
        met.add(pair)
        if mine.op == "symbol":
            if mine not in known:
                solutions.setdefault(mine, its.value if its.op == "const" else its)
        elif (mine.op, mine.width, mine.parameter, len(mine.args)) == (its.op, its.width, its.parameter, len(its.args)):
            waiting.extend([one for one in zip(mine.args, its.args, strict=True) if one[0].width == one[1].width])
    return solutions


def bounded_values(conditions: Sequence[Term], symbols: Sequence[Term]) -> dict[Term, Value]:
    """For each symbol its greatest lower bound, else its least upper bound, by the other symbols' values; else 0."""
    chosen: dict[Term, Value] = {}
    left = list(symbols)
    while left:
        s = next((one for one in left if _bounds(conditions, one, left) != ([], [], [])), left[0])
        left.remove(s)
        equal, low, high = _bounds(conditions, s, [*left, s])
        chosen[s] = 0
        if equal:
            chosen[s] = substitute(equal[0], chosen)
        elif low or high:
            order, first = (low or high)[0]
            value = substitute(first, chosen)
            for its_order, bound in (low or high)[1:]:
                if its_order == order:
                    bound = substitute(bound, chosen)
                    is_better = _ORDERS[order](value, bound, s.width) if low else _ORDERS[order](bound, value, s.width)
                    value = build.ite(is_better, bound, value, s.width)
            chosen[s] = value
    return chosen


_COMPARISONS = {
    "eq": ("equal", False),
    "ule": ("unsigned", False),
    "ult": ("unsigned", True),
    "sle": ("signed", False),
    "slt": ("signed", True),
}
Bounds = list[tuple[str, Value]]


def _bounds(conditions: Sequence[Term], s: Term, unknown: Sequence[Term]) -> tuple[list[Value], Bounds, Bounds]:
    """What the conditions say of ``s`` alone: values that it equals, lower bounds, upper bounds.

    A bound that it must not be itself is moved by one.
    """
    equal: list[Value] = []
    low: Bounds = []
    high: Bounds = []
    apart: list[Value] = []
    for condition in conditions:
        is_negated = condition.op == "not"
        term = condition.args[0] if is_negated else condition
        if term.op not in _COMPARISONS:
            continue
        a, b = term.args
        other = b if a is s else a if b is s else None
        if other is None or not other.symbols.isdisjoint(unknown):
            continue
        value: Value = other.value if other.op == "const" else other
        order, is_strict = _COMPARISONS[term.op]
        strict = 1 if is_strict != is_negated else 0
        if order == "equal":
            (apart if is_negated else equal).append(value)
        elif (a is s) != is_negated:
            high.append((order, build.sub(value, strict, s.width)))
        else:
            low.append((order, build.add(value, strict, s.width)))
    low = [(order, build.add(one, 1, s.width) if one in apart else one) for order, one in low]
    high = [(order, build.sub(one, 1, s.width) if one in apart else one) for order, one in high]
    return equal, low, high
