"""Random small C programs whose paths come to states that are alike: what joins and pruners must tell apart.

Inputs are made early and late, and have four values each: few enough to run all of them natively. Memory is of every
kind: arrays of locals and globals, structures, blocks, lists. Values stay small, so that paths come to the same ones.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

INPUTS = 4
"""A run makes at most so many inputs, of ``VALUES`` values each: their product is what a native sweep runs."""
VALUES = 4

PRELUDE = """\
typedef unsigned char u8; typedef __SIZE_TYPE__ size;
void *malloc(size); void free(void *); void *memcpy(void *, const void *, size); void *memset(void *, int, size);
void unfork_symbolic(void *, size, const char *);
#ifndef NATIVE_SWEEP
void unfork_check(_Bool); void unfork_assume(_Bool);
#endif
#ifndef PRELUDE
#define PRELUDE
static u8 in(void) { u8 x; unfork_symbolic(&x, 1, "x"); return x & 3; }
static int small(void) { u8 x; unfork_symbolic(&x, 1, "x"); unfork_assume(x < 4); return x; }
struct node { u8 v, w[2]; struct node *next; u8 *p; };
#endif
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and the globals that a native loop over inputs must restore."""

    name: str
    text: str
    globals: tuple[str, ...]


def generate(seed: int, name: str) -> Program:
    """The program of a seed; ``name`` prefixes everything that it defines."""
    return _Writer(random.Random(seed), name).program()


class _Writer:
    """Writes a statement per line, so that a fault's line says what it is."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.scalars = ["h", "k"]
        self.counters: list[str] = []
        self.cells: list[tuple[str, int]] = []
        self.pointers: list[str] = []
        self.nodes: list[str] = []
        self.globals: list[str] = []
        self.count = 0
        self.depth = 0
        self.inputs = INPUTS
        self.turns = 1
        self.is_asked = False
        self.risk = rng.choice((0.0, 0.05, 0.15))

    # Names and lines

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def line(self, text: str) -> None:
        self.is_asked = False
        self.lines.append("  " * (self.depth + 1) + text)

    def risky(self) -> bool:
        return self.rng.random() < self.risk

    # Expressions: integers, mostly from 0 to 9

    def input(self) -> str:
        """A new input, or a constant where none is left; one a line, since C leaves open which of two is first."""
        if self.is_asked or self.inputs < self.turns:
            return str(self.rng.randrange(VALUES))
        self.is_asked = True
        self.inputs -= self.turns
        return self.rng.choice(("in()", "in()", "small()"))

    def leaf(self) -> str:
        rng = self.rng
        draw = rng.random()
        if draw < 0.25:
            return str(rng.randrange(1, 5))
        if draw < 0.55:
            return rng.choice((*self.scalars, *self.counters))
        if draw < 0.72:
            return self.cell()
        if draw < 0.82 and self.pointers:
            return f"*{rng.choice(self.pointers)}"
        if draw < 0.9:
            return f"{rng.choice(self.nodes)}->{rng.choice(('v', 'w[0]', 'w[1]'))}"
        return self.input()

    def old(self) -> str:
        """A value that makes no input, for what is evaluated more often than once."""
        inputs, self.inputs = self.inputs, 0
        leaf = self.leaf()
        self.inputs = inputs
        return leaf

    def two(self) -> tuple[str, str]:
        """Leaves that differ: compilers drop what is taken from itself, and faults with it."""
        first = second = self.leaf()
        while first == second:
            second = self.leaf()
        return first, second

    def expression(self) -> str:
        """Products are of leaves alone, and kept small: nothing overflows, and nothing is always 0 or true."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.5:
            return self.leaf()
        first, second = self.two()
        is_read = "0" not in (first, second)  # compilers know what 0 & x and 0 * x are, and do not read x
        if draw < 0.8:
            sign = rng.choice("++-&|^")
            return f"{first} {sign if is_read or sign != '&' else '|'} {second}"
        if draw < 0.85:
            return f"({first} & 7) {'*' if is_read else '+'} ({second} & 7)"
        if draw < 0.92:
            return self.chosen(first, second)
        return f"({first} + {second}) {rng.choice('&|+')} {rng.randrange(1, 8)}"

    def condition(self) -> str:
        rng = self.rng
        draw = rng.random()
        if draw < 0.35 and self.inputs >= self.turns:
            return f"{self.input()} {rng.choice(('==', '<', '!='))} {rng.randrange(1, VALUES)}"
        if draw < 0.75:
            return f"{self.leaf()} {rng.choice(('==', '==', '<', '!=', '>='))} {rng.randrange(1, 4)}"
        if draw < 0.85:
            return f" {rng.choice(('==', '<', '!='))} ".join(self.two())
        if draw < 0.95 and len(self.pointers) > 1:
            return f"{' == '.join(rng.sample(self.pointers, 2))}"
        return f"({self.leaf()} & 1)"

    def index(self, length: int) -> str:
        """Of an array whose length is a power of two, or beyond its end where risks are taken."""
        if self.risky():
            return f"({self.leaf()} & {self.rng.choice((3, 3, 7))})"
        if self.rng.random() < 0.3:
            return str(self.rng.randrange(length))
        return f"({self.leaf()} & {length - 1})"

    def cell(self) -> str:
        array, length = self.rng.choice(self.cells)
        return f"{array}[{self.index(length)}]"

    # Statements

    def scalar(self) -> None:
        name = self.rng.choice(self.scalars)
        form = self.rng.randrange(3)
        if form == 0:
            self.line(f"{name} = {self.expression()}; {name} &= {self.rng.choice((3, 7, 15))};")
        elif form == 1:
            self.line(f"{name} = ({name} + {self.leaf()}) & 7;")
        else:
            self.line(f"{name} = {self.rng.randrange(4)};")

    def store(self) -> None:
        draw = self.rng.random()
        if draw < 0.5:
            place = self.cell()
        elif draw < 0.75:
            place = f"*{self.rng.choice(self.pointers)}"
        else:
            place = f"{self.rng.choice(self.nodes)}->{self.rng.choice(('v', 'w[1]', f'w[{self.leaf()} & 1]'))}"
        self.line(f"{place} = {self.expression()};")

    def chosen(self, first: str, second: str) -> str:
        """One of two values; of two equal ones a compiler would not read the condition."""
        condition = self.condition()
        return first if first == second else f"({condition} ? {first} : {second})"

    def redirect(self) -> None:
        """A pointer leads elsewhere."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.55:
            pointer = rng.choice(self.pointers)
            array, length = rng.choice(self.cells)
            target = rng.choice((f"&{array}[{self.index(length)}]", f"&{array}[0]", rng.choice(self.pointers)))
            self.line(f"{pointer} = {self.chosen(target, pointer) if draw < 0.3 else target};")
        elif draw < 0.8:
            node, other = rng.choice(self.nodes), rng.choice(self.nodes)
            self.line(f"if ({self.condition()}) {node} = {rng.choice((other, f'{other}->next'))};")
            self.line(f"if (!{node}) {node} = &s0;")
        else:
            node = rng.choice(self.nodes)
            self.line(f"{node}->p = {rng.choice(self.pointers)};")
            self.line(f"*{rng.choice(self.nodes)}->p = {self.leaf()};")

    def input_statement(self) -> None:
        name = self.new("c")
        self.line(f"int {name} = {self.input()};")
        if self.depth == 0:
            self.scalars.append(name)

    def branch(self) -> None:
        self.line(f"if ({self.condition()}) {{")
        self.body(self.rng.randrange(1, 3))
        while self.rng.random() < 0.25:
            self.line(f"}} else if ({self.condition()}) {{")
            self.body(1)
        if self.rng.random() < 0.5:
            self.line("} else {")
            self.body(1)
        self.line("}")

    def switch(self) -> None:
        self.line(f"switch ({self.leaf()}) {{")
        for label in sorted(self.rng.sample(range(5), self.rng.randrange(2, 4))):
            self.line(f"case {label}:")
            self.body(1)
            if self.rng.random() < 0.8:
                self.line("  break;")
        self.line("}")

    def loop(self) -> None:
        if self.turns > 1:
            return self.scalar()
        rng = self.rng
        i, turns = self.new("i"), rng.choice((2, 2, 3))
        bound = str(turns) if rng.random() < 0.6 else f"({self.old()} & {1 if turns == 2 else 3})"
        self.turns = turns
        self.line(f"for (int {i} = 0; {i} < {bound}; {i}++) {{")
        self.counters.append(i)
        self.body(rng.randrange(1, 3))
        if rng.random() < 0.3:
            self.line(f"  if ({self.condition()}) {rng.choice(('break', 'continue'))};")
            self.body(1)
        self.counters.remove(i)
        self.line("}")
        self.turns = 1

    def call(self) -> None:
        """A function with locals of its own, called at one place or two."""
        f, rng = f"{self.name}_{self.new('f')}", self.rng
        form = rng.randrange(4)
        if form == 0:
            self.helpers.append(
                f"static int {f}(u8 *p, int n) {{ u8 own[2] = {{{rng.randrange(4)}, {rng.randrange(4)}}}; "
                f"if (*p == n) own[n & 1] = *p; return own[0] + own[*p & 1]; }}"
            )
        elif form == 1:
            self.helpers.append(
                f"static int {f}(u8 *p, int n) {{ if (n <= 0 || n > 3) return *p; int below = {f}(p, n - 1); "
                f"return *p == n ? below : below + 1; }}"
            )
        elif form == 2:
            self.helpers.append(
                f"static int {f}(u8 *p, int n) {{ static int calls; calls = (calls + 1) & 3; "
                f"if (n == {rng.randrange(4)}) *p = calls; return calls; }}"
            )
        else:
            self.helpers.append(f"static void {f}s(u8 *p, int *n) {{ u8 t = *p; *p = *n; *n = t; }}")
            self.helpers.append(f"static int {f}(u8 *p, int n) {{ {f}s(p, &n); return n; }}")
        for _ in range(rng.choice((1, 1, 2))):
            pointer = rng.choice(self.pointers)
            self.line(f"{rng.choice(('h', 'k'))} = {f}({pointer}, {self.leaf()}) & 7;")

    def block(self) -> None:
        """A block of the heap, perhaps freed on some paths."""
        rng = self.rng
        m = self.new("m")
        length = rng.choice((2, 4))
        self.line(f"u8 *{m} = malloc({length});")
        self.line(f"memset({m}, {rng.choice(('0', '1', self.leaf()))}, {length});")
        if self.depth == 0:
            self.cells.append((m, length))
        if self.risky():
            self.line(f"if ({self.condition()}) free({m});")

    def copy(self) -> None:
        rng = self.rng
        (a, n), (b, m) = rng.choice(self.cells), rng.choice(self.cells)
        if a == b:
            return self.store()
        length = min(n, m)
        amount = str(length) if rng.random() < 0.4 else f"{self.leaf()} & {1 if length == 2 else 3}"
        self.line(f"memcpy({a}, {b}, {amount});")

    def chain(self) -> None:
        """A list, whose length inputs may decide."""
        p, i = self.new("l"), self.new("i")
        self.line(f"struct node *{p} = &s0;")
        self.line(f"for (int {i} = 0; {i} < ({self.old()} & 3); {i}++) {{")
        self.line(f"  struct node *n = malloc(sizeof *n); n->v = {i} + {self.rng.randrange(2)}; n->next = {p};")
        self.line(f"  n->w[0] = n->w[1] = {self.old()}; n->p = {self.rng.choice(self.pointers)}; {p} = n;")
        self.line("}")
        if self.depth == 0:
            self.nodes.append(p)
        self.line(f"for (struct node *e = {p}; e; e = e->next) h = (h + e->v) & 7;")

    def check(self) -> None:
        rng = self.rng
        draw = rng.random()
        if draw < 0.55:
            self.asked("unfork_check", "!=", range(2, 10))
        elif draw < 0.7:
            self.line(f"unfork_check({self.leaf()} + {self.cell()} != {rng.randrange(3, 9)});")
        elif draw < 0.8:
            self.asked("unfork_check", "<", range(4, 12))
        elif draw < 0.9:
            self.line(f"k = 12 / ({self.expression()} {rng.choice('+-')} {rng.randrange(3, 9)});")
        else:
            array, _ = rng.choice(self.cells)
            self.line(f"{array}[{self.leaf()} & 3] = {self.leaf()};")

    def asked(self, function: str, sign: str, numbers: range) -> None:
        """What is compared is a variable: of `(2 | x) != 4`, gcc would know the result without reading x."""
        self.line(f"{{ int t = {self.expression()}; {function}(t {sign} {self.rng.choice(numbers)}); }}")

    def ending(self) -> None:
        if self.rng.random() < 0.5:
            self.line(f"if ({self.condition()}) return h & 63;")
        else:
            self.asked("unfork_assume", "!=", range(5))

    def simple(self) -> None:
        self.rng.choice((self.scalar, self.scalar, self.scalar, self.store, self.store, self.redirect, self.copy))()

    def body(self, statements: int) -> None:
        self.depth += 1
        for _ in range(statements):
            draw = self.rng.random()
            if self.depth < 3 and draw < 0.2:
                self.branch()
            elif draw < 0.26:
                self.check()
            elif draw < 0.3:
                self.block()
            else:
                self.simple()
        self.depth -= 1

    def statement(self) -> None:
        draw = self.rng.random()
        if draw < 0.4:
            self.branch()
        elif draw < 0.55:
            self.simple()
        elif draw < 0.62:
            self.input_statement()
        else:
            self.rng.choice((self.loop, self.loop, self.call, self.block, self.switch, self.chain, self.ending))()
        if self.rng.random() < 0.2:
            self.check()

    # The program

    def memory(self) -> list[str]:
        """Declares what the statements work on; the lines of main that do."""
        rng = self.rng
        lines = ["  int h = 0, k = 0;"]
        for _ in range(rng.randrange(1, 4)):
            array, length = self.new("a"), rng.choice((2, 2, 4))
            same = rng.randrange(4)
            values = ", ".join(str(same if rng.random() < 0.5 else rng.randrange(4)) for _ in range(length))
            if rng.random() < 0.3:
                array = f"{self.name}_{array}"
                self.globals.append(array)
                self.helpers.append(f"static u8 {array}[{length}] = {{{values}}};")
            else:
                lines.append(f"  u8 {array}[{length}] = {{{values}}};")
            self.cells.append((array, length))
        for _ in range(rng.randrange(1, 3)):
            pointer = self.new("p")
            lines.append(f"  u8 *{pointer} = {rng.choice(self.cells)[0]};")
            self.pointers.append(pointer)
        lines.append(f"  struct node s0 = {{{rng.randrange(4)}, {{1, {rng.randrange(4)}}}, 0, {self.pointers[0]}}};")
        lines.append(
            f"  struct node s1 = {{{rng.randrange(4)}, {{2, 1}}, &s0, {self.pointers[-1]}}}, *n0 = &s0, *n1 = &s1;"
        )
        self.nodes += ["n0", "n1"]
        return lines

    def program(self) -> Program:
        memory = self.memory()
        for _ in range(self.rng.randrange(1, 3)):
            self.input_statement()
        for _ in range(self.rng.randrange(2, 6)):
            self.statement()
        for _ in range(self.rng.randrange(1, 3)):
            self.check()
        main = ["int main(void) {", *memory, *self.lines, "  return (h + k) & 63;", "}", ""]
        helpers = [self._lift(text) for text in self.helpers]
        return Program(self.name, PRELUDE + "\n".join([*helpers, *main]), tuple(self.globals))

    def _lift(self, helper: str) -> str:
        """A static local cannot be restored from outside: it moves to file scope, under a name of its own."""
        head, mark, rest = helper.partition("static int calls; ")
        if not mark:
            return helper
        full = f"{head.split('(')[0].split()[-1]}_calls"
        self.globals.append(full)
        return f"static int {full};\n{head}{rest.replace('calls', full)}"
