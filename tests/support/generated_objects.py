"""Random C statements about objects in memory: arrays, pointers, structures, the heap, text."""

from __future__ import annotations

from tests.support.generated_expressions import WIDTHS, Expressions


class Objects(Expressions):
    """Statements that make an object, use it, and mix what it holds into the result."""

    def array(self) -> None:
        rng = self.rng
        kind, name, length = self.type(), self.new("a"), rng.choice((2, 3, 4, 5, 8, 9, 16))
        where = rng.random()
        if where < 0.3:
            full = f"{self.name}_{name}"
            values = ", ".join(str(rng.randrange(120)) for _ in range(length))
            self.head.append(f"static {kind} {full}[{length}] = {{{values}}};")
            self.globals.append(full)
            name = full
        elif where < 0.45:
            full = f"{self.name}_{name}"
            values = ", ".join(str(rng.randrange(120)) for _ in range(length))
            self.head.append(f"static const {kind} {full}[{length}] = {{{values}}};")
            self.mix(f"{full}[{self.index(length)}]")
            return
        else:
            values = ", ".join(f"({kind})({self.leaf()})" for _ in range(rng.randrange(1, length + 1)))
            self.line(f"{kind} {name}[{length}] = {{{values}}};")
        if self.depth == 0:
            self.arrays.append((name, kind, length))
        self.line(f"{name}[{self.index(length)}] = ({kind})({self.expression(2)});")
        self.mix(f"{name}[{self.index(length)}]")

    def access(self) -> None:
        if not self.arrays:
            return self.array()
        name, kind, length = self.rng.choice(self.arrays)
        if self.rng.random() < 0.5:
            self.line(f"{name}[{self.index(length)}] = ({kind})({self.expression(2)});")
            self.mix(f"{name}[{self.index(length)}]")
        else:
            i = self.new("i")
            self.line(f"for (u32 {i} = 0; {i} < {length}; {i}++) h = h * 7u + (u32){name}[{i}];")

    def pointers(self) -> None:
        rng = self.rng
        kind, p, q = self.type(), self.new("p"), self.new("q")
        a, b = self.new("m"), self.new("m")
        n, m = rng.choice((1, 2, 4, 6)), rng.choice((2, 3, 8))
        self.line(f"{kind} {a}[{n}], {b}[{m}];")
        self.line(f"for (u32 i = 0; i < {n}; i++) {a}[i] = ({kind})(i * 3 + (u64){self.leaf()});")
        self.line(f"for (u32 i = 0; i < {m}; i++) {b}[i] = ({kind})(i * 5);")
        self.line(f"{kind} *{p} = ({self.condition()}) ? &{a}[{self.index(n)}] : {b} + {self.index(m)};")
        if self.risky():
            self.line(f"if ({self.condition()}) {p} = 0;")
        self.line(f"*{p} = ({kind})({self.expression(2)});")
        form = rng.randrange(5)
        if form == 0:
            self.line(f"{kind} **{q} = &{p};")
            self.line(f"(**{q}) ^= ({kind})3;")
        elif form == 1:
            self.line(f"{kind} *{q}[3] = {{{a}, {b}, {p}}};")
            self.mix(f"*{q}[{self.index(3)}]")
        elif form == 2:
            self.line(f"u64 {q} = (u64){p};")
            self.line(f"*({kind} *){q} += ({kind})1;" if kind[0] == "u" else f"*({kind} *){q} = 9;")
        elif form == 3:
            self.line(f"u8 *{q} = (u8 *){p};")
            self.mix(f"{q}[{self.index(WIDTHS[kind] // 8)}]")
        else:
            self.mix(f"{p} == {a}")
        self.mix(f"*{p}")
        self.mix(f"(u64){a}[{self.index(n)}] + (u64){b}[{self.index(m)}] * 2u")

    def structure(self) -> None:
        rng = self.rng
        tag = f"{self.name}_{self.new('S')}"
        packed = " __attribute__((packed))" if rng.random() < 0.2 else ""
        kinds = [self.type() for _ in range(4)]
        bits = rng.randrange(1, 17), rng.randrange(1, 30), rng.randrange(1, 9)
        self.head.append(
            f"struct{packed} {tag} {{ {kinds[0]} a; u32 b : {bits[0]}; i32 c : {bits[1]}; {kinds[1]} d[3]; "
            f"u8 e : {bits[2]}; struct {{ {kinds[2]} f; {kinds[3]} g; }} s; u64 w : 40; }};"
        )
        s, t = self.new("s"), self.new("s")
        self.line(f"struct {tag} {s} = {{0}};")
        self.line(f"{s}.a = ({kinds[0]})({self.expression(2)});")
        self.line(f"{s}.b = (u32)({self.expression(2)});")
        self.line(f"{s}.c = (i32)({self.expression(2)});")
        self.line(f"{s}.d[{self.index(3) if self.risk == 0 else '(u32)(' + self.leaf() + ') % 3'}] = 7;")
        self.line(f"{s}.e = (u8)({self.expression(2)});")
        self.line(f"{s}.s.f = ({kinds[2]})({self.leaf()});")
        self.line(f"{s}.w = (u64)({self.expression(2)});")
        form = rng.randrange(4)
        if form == 0:
            f = f"{self.name}_{self.new('f')}"
            self.helpers.append(
                f"static struct {tag} {f}(struct {tag} s, i32 k) {{ s.b += (u32)k; s.c ^= 5; s.d[1] = 3; return s; }}"
            )
            self.line(f"struct {tag} {t} = {f}({s}, (i32)({self.leaf()}));")
        elif form == 1:
            self.line(f"struct {tag} {t} = ({self.condition()}) ? {s} : (struct {tag}){{.b = 1, .c = -1}};")
        elif form == 2:
            self.line(f"struct {tag} {t}s[3] = {{{s}, {{0}}, {s}}};")
            self.line(f"{t}s[(u32)({self.leaf()}) % 3].c = 1;")
            self.line(f"struct {tag} {t} = {t}s[(u32)({self.leaf()}) % 3];")
        else:
            self.line(f"struct {tag} {t};")
            self.line(f"memcpy(&{t}, &{s}, sizeof {t});")
            self.line(f"{t}.e++;")
        for field in rng.sample(("a", "b", "c", "d[0]", "d[1]", "d[2]", "e", "s.f", "s.g", "w"), 6):
            self.mix(f"{rng.choice((s, t))}.{field}")

    def union(self) -> None:
        rng = self.rng
        u = self.new("u")
        self.line(f"union {{ u64 l; u32 w[2]; u16 s[4]; u8 b[8]; i8 c; i32 i; float f; double d; }} {u};")
        self.line(f"{u}.l = (u64)({self.expression(2)}) * {rng.choice(('1ul', '0x0101010101010101ul', '0x10001ul'))};")
        fields = (f"b[{self.index(8)}]", f"w[{self.index(2)}]", f"s[{self.index(4)}]", "c", "i", "l >> 9", "f > 1.0f")
        self.line(f"{u}.{rng.choice(('b', 'w', 's'))}[1] = (u8)({self.expression(2)});")
        for field in rng.sample(fields, 3):
            self.mix(f"{u}.{field}")

    def heap(self) -> None:
        rng = self.rng
        kind, p = self.type(), self.new("h")
        n = self.new("n")
        top = rng.choice((3, 7, 7, 15))
        self.line(f"u32 {n} = ((u32)({self.expression(2)}) & {top}) + 1;")
        if rng.random() < 0.5:
            self.line(f"{kind} *{p} = calloc({n}, sizeof *{p});")
        else:
            self.line(f"{kind} *{p} = malloc({n} * sizeof *{p});")
            if rng.random() < 0.5:
                self.line(f"memset({p}, {rng.choice(('0', '1', '255', '(int)' + self.leaf()))}, {n} * sizeof *{p});")
            else:
                self.line(f"for (u32 i = 0; i < {n}; i++) {p}[i] = ({kind})(i + (u64){self.leaf()});")
        inside = f"(u32)({self.expression(2)}) % {n}"
        near = f"(u32)({self.expression(1)}) % ({n} + 1)"
        self.line(f"{p}[{near if self.risky() else inside}] = ({kind})({self.expression(2)});")
        self.mix(f"{p}[{near if self.risky() else inside}]")
        form = rng.random()
        if form < 0.2:
            self.line(f"{p} = realloc({p}, ({n} + 2) * sizeof *{p});")
            self.line(f"{p}[{n}] = 1;")
            self.mix(f"(u64){p}[{n} - 1] + (u64){p}[{n}]")
        elif form < 0.4 and self.risky():
            self.line(f"if ({self.condition()}) free({p});")
            self.mix(f"{p}[0]")
            return
        if rng.random() < 0.5:
            self.line(f"free({p});")
            if self.risky():
                self.line(f"if ({self.condition()}) free({p});")

    def blocks(self) -> None:
        rng = self.rng
        a, b, n = self.new("t"), self.new("t"), self.new("n")
        length = rng.choice((4, 8, 12))
        self.line(f"u8 {a}[{length}] = {{1, 2, {self.leaf()} & 255, 0}}, {b}[{length}] = {{1, 2, 3}};")
        self.line(f"{a}[{self.index(length)}] = (u8)({self.expression(1)});")
        self.line(f"u32 {n} = (u32)({self.expression(1)}) % {length + (2 if self.risky() else 1)};")
        for _ in range(rng.randrange(1, 4)):
            form = rng.randrange(9)
            if form == 0:
                self.line(f"memcpy({a}, {b}, {n});")
            elif form == 1:
                self.line(f"memset({b}, (int)({self.expression(1)}), {n});")
            elif form == 2:
                self.line(f"i32 c{self.count} = memcmp({a}, {b}, {n});")
                self.mix(f"(c{self.count} > 0) - (c{self.count} < 0)")
            elif form == 3:
                self.line(f"memmove({a} + 1, {a}, {n} ? {n} - 1 : 0);")
            elif form == 4:
                self.line(f"u8 *f{self.count} = memchr({a}, (int)({self.expression(1)}), {n});")
                self.mix(f"f{self.count} ? f{self.count} - {a} : 99")
            elif form == 5:
                self.line(f"memcpy({b} + ({length} - {n}), {a}, {n});")
            elif form == 6:
                w = self.new("w")
                self.line(f"u32 {w}; memcpy(&{w}, {a} + (u32)({self.leaf()}) % {length - 3}, 4);")
                self.mix(w)
            elif form == 7:
                self.line(f"*(u16 *)({b} + 2 * ((u32)({self.leaf()}) % {length // 2})) = (u16)({self.expression(2)});")
            else:
                w = self.new("w")
                self.line(f"u64 {w} = (u64)({self.expression(1)}); memcpy({b}, &{w}, {n} < 8 ? {n} : 8);")
            self.count += 1
        i = self.new("i")
        self.line(f"for (u32 {i} = 0; {i} < {length}; {i}++) h = h * 5u + {a}[{i}] * 3u + {b}[{i}];")

    def strings(self) -> None:
        rng = self.rng
        a, b = self.new("z"), self.new("z")
        word = "".join(rng.choice("abcd") for _ in range(rng.randrange(0, 5)))
        self.line(f'char {a}[8] = "{word}", {b}[8] = "abca";')
        self.line(f"{a}[(u32)({self.expression(1)}) % 6] = (char)({self.expression(1)});")
        for _ in range(rng.randrange(1, 4)):
            self.count += 1
            form = rng.randrange(7)
            c = f"c{self.count}"
            if form == 0:
                self.line(f"i32 {c} = strcmp({a}, {b});")
                self.mix(f"({c} > 0) - ({c} < 0)")
            elif form == 1:
                self.mix(f"strlen({a})")
            elif form == 2:
                self.line(f"char *{c} = strchr({a}, (int)({self.expression(1)}));")
                self.mix(f"{c} ? {c} - {a} : 55")
            elif form == 3:
                self.line(f"i32 {c} = strncmp({a}, {b}, (u32)({self.leaf()}) % 6);")
                self.mix(f"({c} > 0) - ({c} < 0)")
            elif form == 4:
                self.line(f"strcpy({b}, {a});")
            elif form == 5:
                self.line(f"strncpy({b}, {a}, (u32)({self.leaf()}) % {9 if self.risky() else 8});")
            else:
                self.line(f"{b}[3] = 0;")
                self.line(f"{a}[4] = 0;")
                self.line(f"strcat({a}, {b});" if self.risky() else f"h += (u32)strlen({a} + 1);")
        i = self.new("i")
        self.line(f"for (u32 {i} = 0; {i} < 8; {i}++) h = h * 5u + (u8){a}[{i}] + 3u * (u8){b}[{i}];")

    def variable_length(self) -> None:
        n, v = self.new("n"), self.new("v")
        kind = self.type()
        self.line(f"u32 {n} = ((u32)({self.expression(1)}) & 3) + 1;")
        self.line("{")
        self.line(f"{kind} {v}[{n}];")
        self.line(f"for (u32 i = 0; i < {n}; i++) {v}[i] = ({kind})(i * (u64){self.leaf()});")
        over = 1 if self.risky() else 0
        self.line(f"h = h * 31u + (u32){v}[(u32)({self.leaf()}) % ({n} + {over})];")
        self.line("}")

    def grid(self) -> None:
        g, kind = self.new("g"), self.type()
        self.line(f"{kind} {g}[3][4] = {{{{1, 2}}, {{({kind})({self.leaf()})}}}};")
        self.line(f"{g}[(u32)({self.leaf()}) % 3][(u32)({self.leaf()}) % 4] = ({kind})({self.expression(1)});")
        self.line(f"{kind} (*r{g})[4] = &{g}[(u32)({self.leaf()}) % 3];")
        self.mix(f"(*r{g})[(u32)({self.expression(1)}) % 4]")

    def middle(self) -> None:
        """A pointer into the middle of an array, used on both sides of it."""
        a, p, kind = self.new("a"), self.new("p"), self.type()
        self.line(f"{kind} {a}[9];")
        self.line(f"for (i32 i = 0; i < 9; i++) {a}[i] = ({kind})(i * i ^ (u64)({self.leaf()}));")
        self.line(f"{kind} *{p} = {a} + 4;")
        low = 9 + self.risky()
        self.line(f"{p}[(i32)((u32)({self.expression(2)}) % {low}) - 4] = ({kind})({self.expression(2)});")
        self.line(f"{p} -= (i32)((u32)({self.expression(2)}) % 5);")
        self.mix(f"*{p} ^ (u64){p}[({self.leaf()}) & 3] ^ (u64)({p} - {a})")
        self.mix(f"{p} < &{a}[2]")
        self.mix(f"((u8 *){p})[{self.index(WIDTHS[kind] // 8)}]")

    def unaligned(self) -> None:
        """Wide stores and loads at symbolic byte offsets that overlap."""
        b = self.new("b")
        self.line(f"u8 {b}[16] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};")
        for _ in range(self.rng.randrange(2, 5)):
            kind = self.rng.choice(("u16", "u32", "u64", "u8"))
            # Natively, an unaligned access that is out of bounds in part only may go unseen.
            room = 17 - WIDTHS[kind] // 8 + (kind == "u8" and self.risky())
            place = f"{b} + (u32)({self.expression(1)}) % {room}"
            if self.rng.random() < 0.6:
                self.line(f"*({kind} *)({place}) = ({kind})({self.expression(2)});")
            else:
                self.mix(f"*({kind} *)({place}) >> {self.rng.choice((0, 3, 7))}")
        i = self.new("i")
        self.line(f"for (u32 {i} = 0; {i} < 16; {i}++) h = h * 7u + {b}[{i}];")

    def chain(self) -> None:
        """A list on the heap, of symbolic length."""
        n, p, q = f"{self.name}_{self.new('N')}", self.new("p"), self.new("q")
        kind, i = self.type(), self.new("i")
        self.head.append(f"struct {n} {{ {kind} v; struct {n} *next; u8 tag; }};")
        self.line(f"struct {n} *{p} = 0;")
        self.line(f"for (u32 {i} = 0; {i} < ((u32)({self.expression(1)}) & 3); {i}++) {{")
        self.line(f"  struct {n} *{q} = malloc(sizeof *{q});")
        self.line(f"  {q}->v = ({kind})({self.expression(1)}); {q}->tag = (u8){i}; {q}->next = {p};")
        self.line(f"  {p} = {q};")
        self.line("}")
        if not self.risky():
            self.line(f"if ({p})")
        self.mix(f"{p}->tag")
        if self.rng.random() < 0.4:
            self.line(f"if ({p} && {self.condition()}) {p} = {p}->next;")
        self.line(f"for (struct {n} *e = {p}; e; e = e->next) h = h * 3u + (u32)(e->v ^ e->tag);")
        self.line(f"while ({p}) {{")
        self.line(f"  struct {n} *{q} = {p}->next;")
        self.line(f"  free({p});")
        self.line(f"  {p} = {p + '->next' if self.risky() else q};")
        self.line("}")

    def records(self) -> None:
        """An array of structures with a pointer and a function in each, at a symbolic index."""
        r, f = f"{self.name}_{self.new('R')}", f"{self.name}_{self.new('f')}"
        a, v, kind = self.new("r"), self.new("v"), self.type()
        self.head.append(f"struct {r} {{ u8 k; {kind} *p; u32 (*f)(u32); u16 b : 5; }};")
        self.helpers.append(
            f"static u32 {f}a(u32 a) {{ return a * 3u; }} static u32 {f}b(u32 a) {{ return a ^ 0x55; }}"
        )
        self.line(f"{kind} {v}[2] = {{({kind})({self.leaf()}), 9}};")
        self.line(f"struct {r} {a}[3] = {{{{1, {v}, {f}a, 3}}, {{2, {v} + 1, {f}b, 17}}, {{3, 0, 0, 0}}}};")
        self.line(f"{a}[2] = {a}[({self.leaf()}) & 1];")
        i = self.new("i")
        self.line(f"u32 {i} = (u32)({self.expression(2)}) % 3;")
        self.line(f"*{a}[{i}].p = ({kind})({self.expression(1)});")
        self.line(f"{a}[{i}].b += (u16)({self.leaf()});")
        self.mix(f"{a}[(u32)({self.leaf()}) % 3].b + {a}[{i}].f({a}[{i}].k)")
        self.mix(f"*{a}[(u32)({self.expression(1)}) % 3].p")
        if self.rng.random() < 0.5:
            c = self.new("c")
            self.line(f"{kind} *{c}; memcpy(&{c}, &{a}[{i}].p, sizeof {c});")
            self.mix(f"*{c} ^ ({c} == {v})")

    def table(self) -> None:
        """A large constant table; strings behind pointers."""
        t = f"{self.name}_{self.new('T')}"
        values = ", ".join(str(self.rng.randrange(256)) for _ in range(256))
        self.head.append(f"static const u8 {t}[256] = {{{values}}};")
        self.mix(f"{t}[(u8)({self.expression(2)})] ^ {t}[{t}[(u8)({self.leaf()})]]")
        if self.rng.random() < 0.6:
            s, i = f"{self.name}_{self.new('W')}", self.new("i")
            self.head.append(f'static const char *const {s}[] = {{"zero", "one", "", "three"}};')
            self.line(f"u32 {i} = (u32)({self.expression(1)}) % 4;")
            self.mix(f"strlen({s}[{i}]) * 16 + (u8){s}[{i}][(u32)({self.leaf()}) % {1 + self.risky() * 3}]")

    def library(self) -> None:
        """Functions of the C library on symbolic text."""
        b = self.new("b")
        word = "".join(self.rng.choice("0129-+ abx") for _ in range(self.rng.randrange(1, 5)))
        self.line(f'char {b}[12] = "{word}";')
        self.line(f"{b}[(u32)({self.leaf()}) % 4] = (char)({self.expression(1)});")
        for _ in range(self.rng.randrange(1, 3)):
            self.count += 1
            c = f"c{self.count}"
            form = self.rng.randrange(9)
            if form == 0:
                self.mix(f"atoi({b})")
            elif form == 1:
                self.line(f"char *{c}; long l{c} = strtol({b}, &{c}, {self.rng.choice((0, 10, 16))});")
                self.mix(f"l{c} + ({c} - {b})")
            elif form == 2:
                self.line(f"char *{c} = strrchr({b}, (char)({self.leaf()}));")
                self.mix(f"{c} ? {c} - {b} : 33")
            elif form == 3:
                self.line(f'char *{c} = strstr({b}, "12");')
                self.mix(f"{c} ? {c} - {b} : 34")
            elif form == 4:
                self.mix(f'strspn({b}, "0123456789") * 8 + strcspn({b}, "ab+")')
            elif form == 5:
                self.mix(f"!!isdigit((u8)({self.expression(1)})) + 2 * !!isalpha((u8)({self.leaf()}))")
            elif form == 6:
                self.mix(f"toupper((u8)({self.expression(1)}))")
            elif form == 7:
                self.mix(f"strnlen({b}, (u32)({self.leaf()}) % 13)")
            else:
                self.line(f'strncat({b}, "xyz", (u32)({self.leaf()}) % 4);')
                self.mix(f"strlen({b}) + (u8){b}[{self.index(12)}]")
