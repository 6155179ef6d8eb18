"""Random terms: operations drawn on what is there already, and beside each term what it must be worth."""

from __future__ import annotations

import operator
from collections.abc import Callable
from random import Random

from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

SYMBOLS = 3
MODELS = 4


def signed(a: int, width: int) -> int:
    return a - (1 << width) if a >= 1 << (width - 1) else a


def divide(a: int, b: int, width: int) -> int:
    """SMT-LIB's bvsdiv, by its definition through the unsigned division of magnitudes."""
    x, y = signed(a, width), signed(b, width)
    quotient = abs(x) // abs(y) if y else (1 << width) - 1
    return -quotient if (x < 0) != (y < 0) else quotient


def remainder(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    rest = abs(x) % abs(y) if y else abs(x)
    return -rest if x < 0 else rest


def on_signed(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: int(function(signed(a, w), signed(b, w)))


def plainly(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, w: int(function(a, b))


ARITHMETIC: dict[str, Callable[[int, int, int], int]] = {
    "add": plainly(operator.add),
    "sub": plainly(operator.sub),
    "mul": plainly(operator.mul),
    "and_": plainly(operator.and_),
    "or_": plainly(operator.or_),
    "xor": plainly(operator.xor),
    "udiv": lambda a, b, w: a // b if b else -1,
    "urem": lambda a, b, w: a % b if b else a,
    "sdiv": divide,
    "srem": remainder,
    "shl": lambda a, b, w: a << min(b, w),
    "lshr": lambda a, b, w: a >> min(b, w),
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w),
}
COMPARISON: dict[str, Callable[[int, int, int], int]] = {
    "eq": plainly(operator.eq),
    "ne": plainly(operator.ne),
    "ult": plainly(operator.lt),
    "ule": plainly(operator.le),
    "ugt": plainly(operator.gt),
    "uge": plainly(operator.ge),
    "slt": on_signed(operator.lt),
    "sle": on_signed(operator.le),
    "sgt": on_signed(operator.gt),
    "sge": on_signed(operator.ge),
}
Node = tuple[Value, int, list[int]]  # the value, its width, what it is worth under each model


class Builder:
    """Draws random operations on what is there already, and computes beside each term what it must be worth."""

    def __init__(self, random: Random, width: int) -> None:
        self.random = random
        self.models: list[dict[Term, int]] = [{} for _ in range(MODELS)]
        self.nodes: list[Node] = []
        for i in range(SYMBOLS):
            size = width if i else self.random.choice((1, width, 8))
            name = symbol(f"law{i}", size)
            worth = [self.number(size) for _ in range(MODELS)]
            for model, value in zip(self.models, worth, strict=True):
                model[name] = value
            self.nodes.append((name, size, worth))

    def number(self, width: int) -> int:
        mask = (1 << width) - 1
        half = 1 << (width - 1)
        edges = (0, 1, 2, half - 1, half, half + 1, mask - 1, mask, 127, 128, 255, 8)
        return (self.random.choice(edges) if self.random.random() < 0.6 else self.random.randint(0, mask)) & mask

    def pick(self, width: int = 0) -> Node:
        """One of the nodes, or a constant, brought to ``width`` bits if that is given."""
        if width and self.random.randint(0, 3) == 0:
            value = self.number(width)
            return value, width, [value] * MODELS
        newest = len(self.nodes) - 1
        node = self.nodes[newest - self.random.randint(0, min(newest, 5))]
        return self.resized(node, width) if width and node[1] != width else node

    def resized(self, node: Node, width: int) -> Node:
        value, size, worth = node
        if size > width:
            low = self.random.randint(0, size - width)
            return build.extract(value, low, width), width, [w >> low & (1 << width) - 1 for w in worth]
        if self.random.random() < 0.5:
            return build.zext(value, size, width), width, worth
        return build.sext(value, size, width), width, [signed(w, size) & (1 << width) - 1 for w in worth]

    def grow(self) -> None:
        kind = self.random.choice(("arithmetic", "comparison", "ite", "unary", "concat", "resize", "boolean", "sum"))
        a = self.pick()
        width = a[1]
        mask = (1 << width) - 1
        match kind:
            case "arithmetic" | "comparison":
                table = ARITHMETIC if kind == "arithmetic" else COMPARISON
                name = self.random.choice(sorted(table))
                b = self.pick(width)
                if self.random.randint(0, 7) == 0:
                    a, b = b, a
                value = getattr(build, name)(a[0], b[0], width)
                worth = [table[name](x, y, width) & mask for x, y in zip(a[2], b[2], strict=True)]
                self.nodes.append((value, width if kind == "arithmetic" else 1, worth))
            case "ite":
                c, b = self.pick(1), self.pick(width)
                worth = [x if t else y for t, x, y in zip(c[2], a[2], b[2], strict=True)]
                self.nodes.append((build.ite(c[0], a[0], b[0], width), width, worth))
            case "unary":
                negative = self.random.random() < 0.5
                value = (build.neg if negative else build.not_)(a[0], width)
                self.nodes.append((value, width, [(-x if negative else ~x) & mask for x in a[2]]))
            case "concat":
                b = self.pick()
                if width + b[1] <= 80:
                    worth = [x << b[1] | y for x, y in zip(a[2], b[2], strict=True)]
                    self.nodes.append((build.concat(a[0], b[0], width, b[1]), width + b[1], worth))
            case "sum":
                self.nodes.append(self.summed())
            case "resize":
                self.nodes.append(self.resized(a, self.random.randint(1, 40)))
            case "boolean":
                a, b = self.pick(1), self.pick(1)
                conjoin = self.random.random() < 0.5
                value = (build.both if conjoin else build.either)(a[0], b[0])
                worth = [x & y if conjoin else x | y for x, y in zip(a[2], b[2], strict=True)]
                self.nodes.append((value, 1, worth))

    def summed(self) -> Node:
        """A sum of multiples of nodes that are extended to one width, added up in any order, as C's promotions do."""
        width = self.random.choice((16, 32, 32, 64))
        count = self.random.randint(2, 5)
        addends = [self.widened(self.random.choice(self.nodes), width) for _ in range(count)]
        while len(addends) > 1:
            first, second = (addends.pop(self.random.randrange(len(addends))) for _ in range(2))
            name = self.random.choice(("add", "add", "add", "sub"))
            value = getattr(build, name)(first[0], second[0], width)
            mask = (1 << width) - 1
            worth = [ARITHMETIC[name](x, y, width) & mask for x, y in zip(first[2], second[2], strict=True)]
            addends.append((value, width, worth))
        return addends[0]

    def widened(self, node: Node, width: int) -> Node:
        """The node as an addend of ``width`` bits, now and then more than once."""
        node = self.resized(node, width) if node[1] != width else node
        factor = self.random.choice((1, 1, 1, 2, 3, 6, self.number(width)))
        if factor == 1:
            return node
        value = build.mul(node[0], factor, width)
        return value, width, [x * factor & (1 << width) - 1 for x in node[2]]


def grown(seed: int, steps: int) -> Builder:
    random = Random(seed)
    builder = Builder(random, random.choice((1, 2, 3, 4, 5, 7, 8, 8, 16, 32, 64)))
    for _ in range(steps):
        builder.grow()
    return builder
