"""Random C expressions without side effects and without faults, over the inputs and variables of a program."""

from __future__ import annotations

import random

WIDTHS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
INTEGERS = tuple(WIDTHS)
INTERESTING = (0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 63, 64, 100, 127, 128, 200, 255, 256, 1000, 32767, 65535, 0x12345)


class Expressions:
    """Writes one program: a statement per line, so that a fault's line says what it is."""

    inputs: tuple[str, ...] = ()

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.lines: list[str] = []
        self.head: list[str] = []
        self.helpers: list[str] = []
        self.globals: list[str] = []
        self.scalars: list[tuple[str, str]] = []
        self.arrays: list[tuple[str, str, int]] = []
        self.count = 0
        self.depth = 0
        self.loops = 0
        self.checked = rng.random() < 0.6
        self.risk = rng.choice((0.0, 0.03, 0.1, 0.25))

    # Names and lines

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    def risky(self) -> bool:
        return self.rng.random() < self.risk

    def mix(self, value: str) -> None:
        self.line(f"h = h * 31u + (u32)({value});")

    def type(self) -> str:
        return self.rng.choice(INTEGERS)

    # Expressions: no side effects and no faults (gcc folds some overflows away before its sanitizer sees them)

    def constant(self) -> str:
        value = self.rng.choice(INTERESTING) if self.rng.random() < 0.7 else self.rng.randrange(1 << 16)
        return f"(-{value})" if self.rng.random() < 0.2 else str(value) + self.rng.choice(("", "", "u", "l", "ul"))

    def leaf(self) -> str:
        draw = self.rng.random()
        if draw < 0.2:
            return self.constant()
        if draw < 0.55 or not self.scalars:
            return self.rng.choice(self.inputs)
        return self.rng.choice(self.scalars)[0]

    def expression(self, depth: int = 3) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.leaf()
        draw = rng.random()
        a = self.expression(depth - 1)
        if draw < 0.12:
            return f"({self.type()})({a})"
        if draw < 0.18:
            return f"(~({a}))" if rng.random() < 0.5 else f"(!({a}))"
        b = self.expression(depth - 1)
        unsigned = rng.choice(("u32", "u64"))
        if draw < 0.36:
            operator = rng.choice("+-*" if rng.random() < 0.8 else "*")
            narrow = rng.choice(("i8", "i16", "u8", "i8"))
            if rng.random() < 0.4:
                return f"(({narrow})({a}) {operator} ({narrow})({b}))"
            return f"(({unsigned})({a}) {operator} ({unsigned})({b}))"
        if draw < 0.50:
            return f"(({a}) {rng.choice(('&', '|', '^'))} ({b}))"
        if draw < 0.64:
            kind = rng.choice(("u32", "u64", "i32", "i64", "u16", "i8"))
            mask = {"u64": 63, "i64": 63, "u32": 31, "i32": 31}.get(kind, 7)
            operator = ">>" if kind[0] == "i" or rng.random() < 0.5 else "<<"
            return f"(({kind})({a}) {operator} (({b}) & {mask}))"
        if draw < 0.72:
            kind = rng.choice(("u32", "u64", "i32", "u8"))
            operator = rng.choice("/%")
            if kind == "i32":
                return f"((i32)({a}) {operator} (i32)((({b}) & 127) + 1))"
            return f"(({kind})({a}) {operator} ({kind})(({b}) | 1))"
        if draw < 0.86:
            return f"(({a}) {rng.choice(('<', '<=', '>', '>=', '==', '!='))} ({b}))"
        if draw < 0.91:
            return f"(({a}) {rng.choice(('&&', '||'))} ({b}))"
        if draw < 0.97:
            return f"(({self.condition()}) ? ({a}) : ({b}))"
        return self.builtin(a, b)

    def builtin(self, a: str, b: str) -> str:
        return self.rng.choice(
            (
                f"__builtin_popcount((u32)({a}))",
                f"__builtin_clz((u32)({a}) | 1u)",
                f"__builtin_ctzl((u64)({a}) | 4096ul)",
                f"__builtin_bswap32((u32)({a}))",
                f"__builtin_bswap16((u16)({a}))",
                f"(u64)(((unsigned __int128)(u64)({a}) * (u64)({b})) >> 64)",
                f"__builtin_parity((u32)({a}))",
                f"__builtin_ffs((i32)({a}))",
            )
        )

    def condition(self) -> str:
        rng = self.rng
        draw = rng.random()
        if draw < 0.5:
            return f"{self.leaf()} {rng.choice(('<', '>', '==', '!=', '<=', '>='))} {self.constant()}"
        if draw < 0.6:
            return f"({self.leaf()} & {1 << rng.randrange(8)})"
        return self.expression(2)

    def index(self, length: int) -> str:
        """An index for ``length`` elements, now and then a little out of them."""
        e = self.expression(2)
        if self.risky():
            # Not below the first element: nothing guards that of a global natively.
            return self.rng.choice((f"(i32)((u32)({e}) % {length + 1})", f"(u8)((u32)({e}) % {length + 2})"))
        return f"(u32)({e}) % {length}" if self.rng.random() < 0.8 else f"(u8)({e}) % {length}"
