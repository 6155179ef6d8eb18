"""A solver's formulas as terms. Interpolants use only a few operators, and only those are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple

from unfork.logic import build
from unfork.logic.dialect import Node
from unfork.logic.term import Value


class Seen(NamedTuple, Generic[Node]):
    """An expression taken apart. ``leaf`` is its value if it has no parts; ``width`` is 1 for conditions."""

    operator: str
    parts: Sequence[Node]
    indices: Sequence[int]
    width: int
    leaf: Value | None


class Undecodable(Exception):
    """An operator that is not known here."""


def decoded(root: Node, look: Callable[[Node], Seen[Node]]) -> Value:
    """The value that an expression stands for. Raises Undecodable."""
    known: dict[Node, Value] = {}
    pending = [root]
    while pending:
        node = pending[-1]
        if node in known:
            pending.pop()
            continue
        seen = look(node)
        missing = [part for part in seen.parts if part not in known]
        if missing:
            pending += missing
            continue
        pending.pop()
        if seen.leaf is not None:
            known[node] = seen.leaf
            continue
        known[node] = _made(seen, [known[part] for part in seen.parts], [look(part).width for part in seen.parts])
    return known[root]


def _made(seen: Seen[Node], values: list[Value], widths: list[int]) -> Value:
    match seen.operator, values:
        case "not" | "bvnot", [value]:
            return build.not_(value, seen.width)
        case "and" | "bvand", [first, *rest]:
            for other in rest:
                first = build.and_(first, other, seen.width)
            return first
        case "or" | "bvor", [first, *rest]:
            for other in rest:
                first = build.or_(first, other, seen.width)
            return first
        case "xor" | "bvxor", [a, b]:
            return build.xor(a, b, seen.width)
        case "=", [a, b]:
            return build.eq(a, b, widths[0])
        case "=>", [a, b]:
            return build.either(build.negate(a), b)
        case "ite", [condition, a, b]:
            return build.ite(condition, a, b, seen.width)
        case "bvult", [a, b]:
            return build.ult(a, b, widths[0])
        case "bvslt", [a, b]:
            return build.slt(a, b, widths[0])
        case "bvadd", [a, b]:
            return build.add(a, b, seen.width)
        case "extract", [value]:
            return build.extract(value, seen.indices[1], seen.width)
        case "concat", [high, low]:
            return build.concat(high, low, widths[0], widths[1])
    raise Undecodable(seen.operator)
