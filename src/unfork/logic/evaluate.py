"""The value of a term under an assignment of its symbols, and substitution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from unfork.logic import concrete, fp
from unfork.logic.term import Term, Value

Operate = Callable[[Term, list[int]], int]


class Model:
    """Values of symbols; a symbol without one is 0. ``memo`` keeps what terms came to, and is not part of its value."""

    __slots__ = ("memo", "values")

    def __init__(self, values: Mapping[Term, int]) -> None:
        self.values: Mapping[Term, int] = values
        self.memo: dict[Term, int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (dict(self.values),)

    def __repr__(self) -> str:
        return f"Model({dict(self.values)!r})"


def evaluate(term: Value, model: Model) -> int:
    """The unsigned value of ``term`` under ``model``."""
    if type(term) is int:
        return term
    assert type(term) is Term
    memo = model.memo
    found = memo.get(term)
    if found is not None:
        return found
    values = model.values
    stack = [term]
    while stack:
        current = stack[-1]
        if current in memo:
            stack.pop()
            continue
        op = current.op
        if op == "const":
            memo[current] = current.value
        elif op == "symbol":
            memo[current] = values.get(current, 0)
        else:
            missing = [one for one in current.args if one not in memo]
            if missing:
                stack.extend(missing)
                continue
            binary = concrete.BINARY.get(op)
            args = current.args
            if binary is not None:
                memo[current] = binary(memo[args[0]], memo[args[1]], args[0].width)
            else:
                memo[current] = OPERATIONS[op](current, [memo[one] for one in args])
        stack.pop()
    return memo[term]


def _extract(term: Term, args: list[int]) -> int:
    return args[0] >> term.offset & (1 << term.width) - 1


def _to_integer(signed: bool) -> Operate:
    def run(term: Term, args: list[int]) -> int:
        found = fp.to_int(args[0], str(term.parameter), term.width, signed)
        return 1 << term.width - 1 if found is None else found

    return run


def _from_integer(signed: bool) -> Operate:
    return lambda term, args: fp.from_int(args[0], term.args[0].width, signed, str(term.parameter))


def _convert(term: Term, args: list[int]) -> int:
    assert isinstance(term.parameter, tuple)
    return fp.convert(args[0], term.parameter[0], term.parameter[1])


def _arithmetic(op: str) -> Operate:
    return lambda term, args: fp.arithmetic(op, str(term.parameter), *args)


def _compare(predicate: str) -> Operate:
    return lambda term, args: int(fp.compare(predicate, str(term.parameter), args[0], args[1]))


OPERATIONS: dict[str, Operate] = {
    "not": lambda term, args: concrete.not_(args[0], term.width),
    "neg": lambda term, args: concrete.neg(args[0], term.width),
    "ite": lambda term, args: args[1] if args[0] else args[2],
    "concat": lambda term, args: args[0] << term.args[1].width | args[1],
    "extract": _extract,
    "zext": lambda term, args: args[0],
    "sext": lambda term, args: concrete.sext(args[0], term.args[0].width, term.width),
    **{
        f"fp.{op}": _arithmetic(op)
        for op in ("add", "sub", "mul", "div", "rem", "fma", "sqrt", "floor", "ceil", "trunc", "rint", "round")
    },
    **{f"fp.{op}": _arithmetic(op) for op in ("roundeven", "min", "max")},
    "fp.eq": _compare("oeq"),
    "fp.lt": _compare("olt"),
    "fp.le": _compare("ole"),
    "fp.isnan": lambda term, args: int(fp.is_nan(args[0], str(term.parameter))),
    "fp.convert": _convert,
    "fp.from_signed": _from_integer(True),
    "fp.from_unsigned": _from_integer(False),
    "fp.to_signed": _to_integer(True),
    "fp.to_unsigned": _to_integer(False),
}
