"""Random small C programs over choices of pointers and null, and what is computed from their addresses as numbers.

Pointers come in pairs: one into an object and the beginning of that object, or both null. So each difference has one
meaning in every layout. Pairs move, become null, lie in memory, in unions and in integers, and are compared.
"""

from __future__ import annotations

import random

from tests.support import generated_states
from tests.support.generated_states import INPUTS, VALUES, Program

PRELUDE = f"""{generated_states.PRELUDE}\
typedef unsigned long u64;
#ifndef ADDRESSES
#define ADDRESSES
union word {{ u8 *p; u64 n; }};
struct file {{ u8 *at, *from; union word word; u64 cookie; }};
#endif
"""
PAIRS = (("p", "pb"), ("q", "qb"), ("f->at", "f->from"), ("f->word.p", "wb"))
"""A pointer, and the beginning of the object that it points into."""
FARTHEST = 12


def generate(seed: int, name: str) -> Program:
    """The program of a seed; ``name`` prefixes everything that it defines."""
    return _Writer(random.Random(seed), name).program()


class _Writer:
    """Writes a statement per line, so that a fault's line says what it is."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.objects = ("a", f"{name}_b", "m")
        self.lines: list[str] = []
        self.inputs = INPUTS

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def condition(self) -> str:
        """What an input says, or what pointers say where no input is left."""
        rng = self.rng
        if self.inputs and rng.random() < 0.8:
            self.inputs -= 1
            return f"in() {rng.choice(('==', '<', '!='))} {rng.randrange(1, VALUES)}"
        return self.comparison()

    def comparison(self) -> str:
        rng = self.rng
        (x, xb), (y, _) = rng.sample(PAIRS, 2)
        forms = (f"{x} == {y}", f"{x} != {xb}", f"!{x}", f"(u64){x} == (u64){y}", f"{x} > {xb}", f"{xb} == {y}")
        return rng.choice((*forms, f"{x} - {xb} == {rng.randrange(4)}", f"{x} == {rng.choice(self.objects)} + 1"))

    # Statements

    def start(self) -> None:
        """A pair leads to an object, or nowhere."""
        (x, xb), item = self.rng.choice(PAIRS), self.rng.choice(self.objects)
        draw = self.rng.random()
        if draw < 0.3:
            self.line(f"if ({self.condition()}) {x} = {xb} = 0;")
        elif draw < 0.6:
            self.line(f"if ({self.condition()}) {xb} = {item}, {x} = {item} + {self.rng.randrange(3)};")
        else:
            self.line(f"if ({self.condition()}) {{ if (!{x}) {x} = {xb} = {item}; if ({x} - {xb} < 9) {x}++; }}")

    def move(self) -> None:
        x, xb = self.rng.choice(PAIRS)
        step = self.rng.choice(("1", "1", "2", "in()")) if self.inputs else "1"
        self.inputs -= step == "in()"
        self.line(f"if ({x} && {x} - {xb} < {FARTHEST - 3}) {x} += {step};")

    def copy(self) -> None:
        (x, xb), (y, yb) = self.rng.sample(PAIRS, 2)
        self.line(f"if ({self.condition()}) {x} = {y}, {xb} = {yb};")

    def rebase(self) -> None:
        """As far into another object as a pair is into its own."""
        (x, xb), (y, yb), item = *self.rng.sample(PAIRS, 2), self.rng.choice(self.objects)
        distance = self.rng.choice((f"({y} - {yb})", f"((u64){y} - (u64){yb})", "n", "n"))
        self.line(f"if ({self.condition()}) {x} = {item} + {distance}, {xb} = {item};")

    def measure(self) -> None:
        """A distance is kept, which was another one on other paths."""
        x, xb = self.rng.choice(PAIRS)
        self.line(f"if ({self.condition()}) n = {x} - {xb};")
        if self.rng.random() < 0.5:
            self.line(f"if (n > {self.rng.randrange(1, 4)}) n = {self.rng.randrange(5)};")

    def round_trip(self) -> None:
        """An address becomes a number, and a pointer again."""
        (x, _), (y, yb) = self.rng.sample(PAIRS, 2)
        forms = (
            f"{{ u64 t = (u64){x}; {x} = (u8 *)t; }}",
            f"{{ u64 t; memcpy(&t, &{x}, 8); {x} = (u8 *)(t ^ (u64){y} ^ (u64){y}); }}",
            f"{{ union word w; w.p = {x}; if (w.n) w.n += 1; {x} = {x} ? w.p - 1 : w.p; }}",
            f"{{ u64 t = (u64){y} - (u64){yb}; {y} = (u8 *)((u64){yb} + t); }}",
            f"f->cookie = (u64){x} + 1; {x} = (u8 *)(f->cookie - 1);",
            f"{{ u64 t = (u64){x} | (u64)1 << 50; {x} = (u8 *)(t & ~((u64)1 << 50)); }}",
            f"if ({x} && {y}) {x} = (u8 *)((u64){y} + ((u64){x} - (u64){y}));",
        )
        self.line(self.rng.choice(forms))

    def access(self) -> None:
        x, _ = self.rng.choice(PAIRS)
        form = self.rng.choice((f"*{x} = (h & 3) + 1;", f"h += *{x};", f"h += {x}[0] == {x}[1];"))
        self.line(f"if ({x}) {form}" if self.rng.random() < 0.9 else form)

    def remember(self) -> None:
        x, xb = self.rng.choice(PAIRS)
        value = self.rng.choice((f"(u64)({x} - {xb})", f"({self.comparison()})", f"((u64){x} - (u64){xb})"))
        self.line(f"h = h * 3 + {value}; h &= 63;")

    def check(self) -> None:
        rng = self.rng
        (x, xb), (y, yb) = rng.sample(PAIRS, 2)
        number = rng.randrange(1, 4)
        forms = (
            f"{x} - {xb} != {number}",
            f"{x} - {xb} < {number + 1}",
            f"{x} - {xb} != ({y} - {yb}) + {number}",
            f"{x} != {y}",
            f"!({x} == {xb} && {y} != {yb})",
            f"(u64){x} != (u64){yb}",
            f"h != {rng.randrange(1, 8)}",
        )
        self.line(f"unfork_check({rng.choice(forms)});")

    # The program

    def program(self) -> Program:
        rng = self.rng
        statements = (self.start, self.start, self.move, self.copy, self.rebase, self.rebase, self.round_trip)
        statements = (*statements, self.measure, self.access)
        self.start()
        for _ in range(rng.randrange(5, 11)):
            rng.choice((*statements, self.remember))()
            if rng.random() < 0.15:
                self.check()
        for _ in range(rng.randrange(1, 4)):
            self.check()
        main = [
            f"static u8 {self.name}_b[16];",
            "int main(void) {",
            "  u64 h = 0, n = 0;",
            "  u8 a[16] = {0}, *m = malloc(16), *p = 0, *pb = 0, *q = 0, *qb = 0, *wb = 0;",
            "  struct file *f = malloc(sizeof *f);",
            "  f->at = f->from = f->word.p = 0; f->cookie = 0;",
            "  for (int i = 0; i < 16; i++) m[i] = 0;",
            *self.lines,
            "  return h & 63;",
            "}",
            "",
        ]
        return Program(self.name, PRELUDE + "\n".join(main), (f"{self.name}_b",))
