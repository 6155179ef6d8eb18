"""The value of a term under a model, and substitution in terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from unfork.logic.terms import concrete
from unfork.logic.terms.build import rebuild
from unfork.logic.terms.choice import plain
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol


class Model:
    """An assignment of ints to symbols; others are 0. Immutable except for its cache."""

    __slots__ = ("__weakref__", "memo", "values")

    def __init__(self, values: dict[Term, int]) -> None:
        self.values = values
        self.memo: dict[Term, int] = {}

    def __reduce__(self) -> tuple[Callable[[list[tuple[str, int, int]]], Model], tuple[list[tuple[str, int, int]]]]:
        return _remember, ([(s.name, s.width, value) for s, value in self.values.items()],)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.values == other.values

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))

    def __repr__(self) -> str:
        return f"Model({', '.join(f'{s.name}={value:#x}' for s, value in self.values.items())})"


def _remember(rows: list[tuple[str, int, int]]) -> Model:
    return Model({symbol(name, width): value for name, width, value in rows})


def evaluate(value: Value, model: Model) -> int:
    """The value under the model, which caches the value of every term it computes."""
    if type(value) is int:
        return value
    assert type(value) is Term
    memo = model.memo
    known = memo.get(value)
    if known is not None:
        return known
    get = memo.get
    stack = [value]
    while stack:
        term = stack[-1]
        args = term.args
        if len(args) == 2:
            first, second = args
            a = first.parameter if first.op == "const" else get(first)
            b = second.parameter if second.op == "const" else get(second)
            if a is not None and b is not None:
                memo[term] = _binary(term, a, b)  # type: ignore[arg-type]  # ints
            elif term.op == "and" and (a == 0 or b == 0):
                memo[term] = 0
            else:
                stack.append(first if a is None else second)
                continue
        elif term.op == "ite":
            condition = get(args[0])
            needed = args[0] if condition is None else args[1] if condition else args[2]
            a = needed.parameter if needed.op == "const" else get(needed)
            if condition is None or a is None:
                stack.append(needed)
                continue
            memo[term] = a  # type: ignore[assignment]  # an int
        elif not args:
            memo[term] = term.value if term.op == "const" else model.values.get(term, 0)
        else:
            missing = [a for a in args if a not in memo]
            if missing:
                stack.append(missing[0])
                continue
            memo[term] = _other(term, memo)
        stack.pop()
    return memo[value]


def _binary(term: Term, a: int, b: int) -> int:
    """An operator of two operands."""
    function = concrete.BINARY.get(term.op)
    if function is not None:
        return function(a, b, term.args[0].width)
    if term.op == "concat":
        return a << term.args[1].width | b
    return rebuild(term, (a, b))  # type: ignore[return-value]  # an int, of ints


def _other(term: Term, memo: dict[Term, int]) -> int:
    """An operator of one operand, or a floating one of any number."""
    op, width, first = term.op, term.width, term.args[0]
    a = memo[first]
    match op:
        case "not":
            return a ^ (1 << width) - 1
        case "extract":
            return a >> term.offset & (1 << width) - 1
        case "zext":
            return a
        case "sext":
            return a | (1 << width) - (1 << first.width) if a >> first.width - 1 else a
        case "neg":
            return -a & (1 << width) - 1
    return rebuild(term, [memo[x] for x in term.args])  # type: ignore[return-value]  # an int, of ints


def substitute(value: Value, mapping: Mapping[Term, Value]) -> Value:
    """The value with each term in ``mapping`` replaced; it is rebuilt, and so simplified."""
    return value if type(value) is int else substitution(mapping)(value)


def substitution(mapping: Mapping[Term, Value]) -> Callable[[Value], Value]:
    """A function that substitutes in many values and builds shared parts once. Copies ``mapping``."""
    done: dict[Term, Value] = {key: value for key, value in mapping.items() if value is not key}
    symbols = frozenset(done) if all(key.op == "symbol" for key in done) else None
    return lambda value: _replace(value, symbols, done)


def _replace(value: Value, symbols: frozenset[Term] | None, done: dict[Term, Value]) -> Value:
    if type(value) is int:
        return value
    assert type(value) is Term
    if symbols is not None and symbols.isdisjoint(value.symbols):
        return plain(value)
    stack = [value]
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        if not term.args or (symbols is not None and symbols.isdisjoint(term.symbols)):
            done[term] = plain(term)
            stack.pop()
            continue
        if term.op == "ite":  # a choice that is decided needs one branch alone
            condition = done.get(term.args[0])
            if condition is None:
                stack.append(term.args[0])
                continue
            if type(condition) is int:
                chosen = term.args[1] if condition else term.args[2]
                if chosen in done:
                    done[term] = done[chosen]
                    stack.pop()
                else:
                    stack.append(chosen)
                continue
        missing = [a for a in term.args if a not in done]
        if missing:
            stack.extend(missing)
            continue
        args = [done[a] for a in term.args]
        unchanged = all(new is old or new == plain(old) for new, old in zip(args, term.args, strict=True))
        done[term] = term if unchanged else rebuild(term, args)
        stack.pop()
    return done[value]
