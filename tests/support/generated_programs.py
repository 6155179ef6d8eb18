"""Random small C programs over one or two symbolic bytes, whose exit status is computed from everything they did."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.support.generated_expressions import WIDTHS
from tests.support.generated_objects import Objects

PRELUDE = """\
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long u64;
typedef signed char i8; typedef short i16; typedef int i32; typedef long i64; typedef __SIZE_TYPE__ size;
void unfork_symbolic(void *, size, const char *); void *malloc(size); void *calloc(size, size); void free(void *);
void *realloc(void *, size); void *memcpy(void *, const void *, size); void *memmove(void *, const void *, size);
void *memset(void *, int, size); int memcmp(const void *, const void *, size); int strcmp(const char *, const char *);
size strlen(const char *); char *strchr(const char *, int); int strncmp(const char *, const char *, size);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size); void *memchr(const void *, int, size);
int atoi(const char *); long strtol(const char *, char **, int);
char *strrchr(const char *, int); char *strstr(const char *, const char *); size strspn(const char *, const char *);
size strcspn(const char *, const char *); int isdigit(int); int toupper(int); int isalpha(int); int abs(int);
char *strpbrk(const char *, const char *); char *strncat(char *, const char *, size); size strnlen(const char *, size);
double fabs(double);
double floor(double); double ceil(double); double trunc(double); double fmod(double, double); double sqrt(double);
void abort(void); void exit(int); char *strcat(char *, const char *);
"""
SHAPES = (("u8",), ("u8",), ("u8",), ("i8",), ("i8",), ("u8", "u8"), ("u8", "i8"), ("u16",), ("i16",))


@dataclass(frozen=True, slots=True)
class Program:
    """A program, the C types of its symbolic variables, and the globals that a native loop must restore."""

    name: str
    text: str
    inputs: tuple[str, ...]
    globals: tuple[str, ...]
    checks_overflow: bool


def generate(seed: int, name: str) -> Program:
    """The program of a seed; ``name`` prefixes everything that it defines."""
    return _Writer(random.Random(seed), name).program()


class _Writer(Objects):
    """Statements about values and control, and the program around them."""

    # Statements

    def scalar(self) -> None:
        rng = self.rng
        kind = self.type()
        name = self.new("v")
        draw = rng.random()
        if draw < 0.55:
            self.line(f"{kind} {name} = ({kind})({self.expression()});")
        elif draw < 0.7:
            a, b, c = self.new("n"), self.new("d"), rng.choice(("i32", "i64", "u32", "i8", "u16", "u64"))
            self.line(f"{c} {a} = ({c})({self.expression()});")
            self.line(f"{c} {b} = ({c})({self.expression(2)});")
            if not self.risky():
                self.line(f"if ({b} == 0 || {b} == ({c})-1) {b} = 5;")
            self.line(f"{kind} {name} = ({kind})({a} {rng.choice('/%')} {b});")
        elif draw < 0.8:
            a, b, c = self.new("n"), self.new("d"), rng.choice(("i32", "i64", "u32", "i8", "u16", "u64"))
            self.line(f"{c} {a} = ({c})({self.expression()});")
            self.line(f"{self.type()} {b} = {self.expression(2)};")
            if not self.risky():
                self.line(f"{b} &= 7;")
                self.line(f"if ({a} < 1 || {a} > 4000) {a} = 3;")
            self.line(f"{kind} {name} = ({kind})({a} {rng.choice(('<<', '>>'))} {b});")
        elif draw < 0.9 and self.arrays:
            array, _, length = rng.choice(self.arrays)
            self.line(f"{kind} {name} = ({kind}){array}[{self.index(length)}];")
        else:
            self.line(f"_Bool q{name} = {self.expression()};")
            self.line(f"{kind} {name} = ({kind})(q{name} + (u64){self.leaf()});")
        if self.depth == 0:
            self.scalars.append((name, kind))
        self.mix(name)

    def signed(self) -> None:
        """Signed arithmetic that may overflow, where that is looked for: between variables, so that nothing folds."""
        rng = self.rng
        kind, a, b, c = rng.choice(("i32", "i64", "i32")), self.new("l"), self.new("r"), self.new("v")
        scale = rng.choice(("", "", " * 1000", " * 100000", " << 23", " << 24")) if self.risky() else ""
        scale = scale if kind == "i32" else scale and " * 0x40000000000ul"
        self.line(f"{kind} {a} = ({kind})((u{kind[1:]})({self.expression(2)}){scale});")
        self.line(f"{kind} {b} = ({kind})({self.expression(2)});")
        if not self.checked or not self.risky():
            self.line(f"{a} %= 30000, {b} %= 30000;")
        form = rng.random()
        if form < 0.8:
            self.line(f"{kind} {c} = {a} {rng.choice('+-*')} {b};")
        elif form < 0.9:
            self.line(f"{kind} {c} = -{a};")
        else:
            self.line(f"{kind} {c} = {a}++ ^ --{b};")
            self.mix(f"{a} ^ {b}")
        self.mix(c)

    def update(self) -> None:
        targets = [s for s in self.scalars if s[0] not in self.inputs] or [("h", "u32")]
        name, kind = self.rng.choice(targets)
        if self.rng.random() < 0.3 and WIDTHS[kind] < 32:
            self.line(f"{name}{self.rng.choice(('++', '--'))};")
        elif self.rng.random() < 0.5:
            operator = self.rng.choice(("^", "|", "&"))
            self.line(f"{name} {operator}= ({kind})({self.expression(2)});")
        elif WIDTHS[kind] < 32 or kind[0] == "u":
            self.line(f"{name} {self.rng.choice('+-')}= ({'u8' if kind[0] == 'i' else kind})({self.expression(2)});")
        else:
            self.line(f"{name} = ({kind})({self.expression(2)});")

    def block(self, budget: int) -> None:
        self.depth += 1
        for _ in range(budget):
            self.statement()
        self.depth -= 1

    def branch(self) -> None:
        self.line(f"if ({self.condition()}) {{")
        self.block(self.rng.randrange(1, 3))
        if self.rng.random() < 0.6:
            self.line("} else {")
            self.block(self.rng.randrange(1, 3))
        self.line("}")

    def loop(self) -> None:
        rng = self.rng
        if self.loops >= 2:
            return self.update()
        self.loops += 1
        i = self.new("i")
        kind = rng.choice(("u8", "u32", "i32", "u64", "i16"))
        bound = f"({self.expression(1)} & {rng.choice((1, 3, 3, 7))})"
        form = rng.random()
        if form < 0.6:
            self.line(f"for ({kind} {i} = 0; {i} < ({kind}){bound}; {i}++) {{")
        else:
            self.line(f"{kind} {i} = ({kind}){bound};")
            self.line(f"while ({i} > 0) {{" if form < 0.8 else "do {")
            self.line(f"{i}--;")
        self.depth += 1
        if rng.random() < 0.3:
            self.line(f"if ({self.condition()}) {rng.choice(('break', 'continue'))};")
        self.mix(i)
        self.depth -= 1
        self.block(rng.randrange(1, 3))
        self.line("}" if form < 0.8 else f"}} while ({i} > 0 && {i} < 8);")
        self.loops -= 1

    def switch(self) -> None:
        rng = self.rng
        mask = rng.choice((3, 7, 15, 255))
        self.line(f"switch (({self.expression(2)}) & {mask}) {{")
        labels = rng.sample(range(mask + 1), rng.randrange(2, min(mask + 1, 6)))
        for label in labels:
            self.line(f"case {label}: {{")
            self.block(1)
            self.line("}" if rng.random() < 0.3 else "} break;")
        if rng.random() < 0.6:
            self.line("default: {")
            self.block(1)
            self.line("}")
        self.line("}")

    def function(self) -> None:
        rng = self.rng
        f = f"{self.name}_{self.new('f')}"
        kind, result = self.type(), self.type()
        form = rng.randrange(6)
        if form == 0:
            self.helpers.append(f"static {result} {f}({kind} a, i32 b) {{ return ({result})(a ^ (b & 0xff)); }}")
            self.helpers.append(f"static {result} {f}b({kind} a, i32 b) {{ return ({result})(a < b ? b : a); }}")
            table = self.new("t")
            nothing = ", 0" if self.risky() else ""
            self.line(f"{result} (*{table}[])({kind}, i32) = {{{f}, {f}b, {f}{nothing}}};")
            i = self.index(3) if not nothing else f"(u32)({self.expression(1)}) % 4"
            self.mix(f"{table}[{i}](({kind})({self.leaf()}), (i32)({self.leaf()}))")
        elif form == 1:
            self.helpers.append(
                f"static u32 {f}(u32 n, {kind} a) {{ return n == 0 ? (u32)a : {f}(n - 1, ({kind})(a / 2)) * 3u + n; }}"
            )
            self.mix(f"{f}((u32)({self.expression(1)}) & {rng.choice((3, 7))}, ({kind})({self.leaf()}))")
        elif form == 2:
            self.helpers.append(
                f"static u32 {f}(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); u32 s = 0; "
                "for (int i = 0; i < n; i++) s = s * 3u + (u32)(i & 1 ? (u64)__builtin_va_arg(l, u64) : "
                "(u64)__builtin_va_arg(l, int)); __builtin_va_end(l); return s; }"
            )
            self.mix(f"{f}((u32)({self.leaf()}) % 4, (int)({self.leaf()}), (u64)({self.leaf()}), (int)({self.leaf()}))")
        elif form == 3:
            g = f"{self.name}_{self.new('g')}"
            self.head.append(f"static {kind} {g} = {rng.randrange(100)};")
            self.globals.append(g)
            self.helpers.append(f"static {kind} *{f}({kind} a) {{ if (a & 1) {g} = a; return &{g}; }}")
            self.line(f"*{f}(({kind})({self.leaf()})) ^= ({kind})5;")
            self.mix(g)
        elif form == 4:
            self.helpers.append(
                f"static void {f}({kind} *a, {result} *b) {{ {kind} t = *a; *a = ({kind})*b; *b = ({result})t; }}"
            )
            a, b = self.new("x"), self.new("x")
            self.line(f"{kind} {a} = ({kind})({self.expression(2)}); {result} {b} = ({result})({self.leaf()});")
            self.line(f"{f}(&{a}, &{b});")
            self.mix(f"(u64){a} + 3u * (u64){b}")
        else:
            self.helpers.append(
                f"static int {f}(int a) {{ static {kind} n = 1; n = ({kind})(n * 3u + (u32)a); return (int)(n & 63); }}"
            )
            self.mix(f"{f}((int)({self.leaf()}))")

    def floating(self) -> None:
        rng = self.rng
        f, g = self.new("f"), self.new("f")
        kind, bits = rng.choice((("float", "u32"), ("double", "u64")))
        self.line(
            f"{kind} {f} = ({kind})({rng.choice(('i8', 'u8', 'i32', 'u16', 'u64', 'i64'))})({self.expression(1)});"
        )
        form = rng.randrange(7)
        if form == 0:
            self.line(f"{kind} {g} = {f} {rng.choice('+-*')} {rng.choice(('0.1', '3', '-0.5', '1e20', '0.1f'))};")
        elif form == 1:
            self.line(f"{kind} {g} = {f} / ({kind})({rng.choice(('i8', 'u8'))})({self.leaf()});")
        elif form == 2:
            shift = 24 if bits == "u32" else 56
            self.line(f"{bits} b{g} = (({bits})(u8)({self.expression(1)}) << {shift}) | (({bits})1 << {shift - 4});")
            self.line(f"{kind} {g}; memcpy(&{g}, &b{g}, sizeof {g});")
        elif form == 3:
            self.line(f"{kind} {g} = ({kind})(({'float' if kind == 'double' else 'double'}){f} * 0.3);")
        elif form == 4:
            self.line(f"{kind} {g} = {f} > 10 ? {f} : -{f};")
        elif form == 5:
            self.line(f"{kind} {g} = ({kind})(u8)({self.leaf()}) * ({kind})(i8)({self.leaf()}) - {f};")
        else:
            self.line(f"{kind} {g} = __builtin_fabs({f}) + 0.25;")
        self.mix(f"({f} < {g}) + 2 * ({f} == {g}) + 4 * ({g} != {g}) + 8 * !({f} >= {g})")
        if rng.random() < 0.5:
            self.line(f"if ({g} > -1000 && {g} < 1000) h += (u32)(int){g};")
        if rng.random() < 0.7:
            c = self.new("c")
            self.line(f"{bits} {c} = 1; if ({g} == {g}) memcpy(&{c}, &{g}, sizeof {c});")
            self.mix(f"{c} ^ ({c} >> {16 if bits == 'u32' else 44})")

    def ending(self) -> None:
        draw = self.rng.random()
        if draw < 0.4 and self.risky():
            self.line(f"if ({self.condition()}) abort();")
        elif draw < 0.7:
            self.line(f"if ({self.condition()}) exit((int)(h & 63));")
        else:
            label = self.new("out")
            self.line(f"if ({self.condition()}) goto {label};")
            self.mix("3")
            self.line(f"{label}:;")

    def overflow_builtin(self) -> None:
        r, kind = self.new("r"), self.type()
        call = self.rng.choice(("add", "sub", "mul"))
        self.line(f"{kind} {r};")
        self.line(
            f"_Bool o{r} = __builtin_{call}_overflow(({self.type()})({self.expression(1)}), "
            f"({self.type()})({self.expression(1)}), &{r});"
        )
        self.mix(f"(u64){r} * 2u + o{r}")

    def mathematics(self) -> None:
        f, g = self.new("f"), self.new("g")
        self.line(f"double {f} = (double)(i32)({self.expression(1)}) / {self.rng.choice(('3', '7.5', '-2', '16'))};")
        call = self.rng.choice(("floor({})", "ceil({})", "trunc({})", "fabs({})", "sqrt(fabs({}))", "(float){}", "-{}"))
        self.line(f"double {g} = {call.format(f)};")
        self.mix(f"{g} > -1e9 && {g} < 1e9 ? (i64){g} : 5")
        self.line(f"union {{ double d; u64 u; }} u{g} = {{{g}}};")
        self.mix(f"u{g}.u ^ u{g}.u >> 40")

    def statement(self) -> None:
        rng = self.rng
        simple = (
            self.scalar,
            self.signed,
            self.update,
            self.access,
            self.union,
            self.pointers,
            self.function,
            self.blocks,
        )
        others = [self.floating, self.strings, self.structure, self.heap, self.grid, self.array]
        others += (self.middle, self.unaligned, self.chain, self.records, self.table, self.library, self.mathematics)
        rare = (self.ending, self.variable_length, self.overflow_builtin)
        if self.depth >= 2:
            rng.choice((self.scalar, self.update, self.access, self.union))()
        elif self.depth == 1:
            rng.choice((*simple, *others, self.overflow_builtin))()
        else:
            draw = rng.random()
            if draw < 0.4:
                rng.choice(simple)()
            elif draw < 0.65:
                rng.choice(others)()
            elif draw < 0.75:
                rng.choice(rare)()
            else:
                rng.choice((self.branch, self.branch, self.loop, self.switch))()

    def program(self) -> Program:
        rng = self.rng
        types = rng.choice(SHAPES)
        self.inputs = ("x", "y")[: len(types)]
        declared = []
        for name, kind in zip(self.inputs, types, strict=True):
            declared.append(f'  {kind} {name}; unfork_symbolic(&{name}, sizeof {name}, "{name}");')
            self.scalars.append((name, kind))
        declared.append("  u32 h = 1;")
        for _ in range(rng.choice((1, 2, 3, 4, 5))):
            self.statement()
        self.mix(self.expression(2))
        body = [*declared, *self.lines, "  h ^= h >> 16;", "  h ^= h >> 8;", "  return (int)(h & 255);"]
        # A static local cannot be restored from outside: its function moves to file scope under a name of its own.
        helpers = [self._lift(text) for text in self.helpers]
        text = PRELUDE + "\n".join([*self.head, *helpers, "int main(void) {", *body, "}", ""])
        return Program(self.name, text, types, tuple(self.globals), self.checked)

    def _lift(self, helper: str) -> str:
        before, mark, after = helper.partition("{ static ")
        if not mark:
            return helper
        declaration, _, rest = after.partition(";")
        kind, variable = declaration.split()[:2]
        full = before.split("(")[0].split()[-1] + "_" + variable
        self.globals.append(full)
        rest = rest.replace(" n ", f" {full} ").replace("(n ", f"({full} ")
        return f"static {kind} {full} = 1;\n{before}{{{rest}"
