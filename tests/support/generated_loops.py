"""Random programs with loops of a few turns, of which only some do wrong: they free, forget to write, call,
leave scopes, keep addresses as numbers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

LENGTH = 4
MOST_TURNS = 6
PRELUDE = """#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include "unfork.h"
#define N {length}
static int in(void) {{ int x; unfork_symbolic(&x, sizeof x, "x"); return x; }}
static int g, h, a[N], b[N];
static struct __attribute__((packed)) {{ char c; int *p; }} s;
static int one(int k) {{ return k + 1; }}
static int two(int k) {{ g = k; return g; }}
static int three(int k) {{ int sum = 0; for (int i = 0; i < k; i++) sum += g; return sum; }}
static int deep(int k) {{ return k > 0 ? deep(k - 1) : g; }}
static void set(int *where, int k) {{ if (k != {rare}) *where = k; }}
static int *block(int k) {{ int *made = malloc(sizeof *made); if (!made) exit(0); *made = k; return made; }}
"""
DECLARATIONS = """unsigned n = in();
if (n > {turns}) return 0;
int x{x}, y = 1, flag = 0, k = 0;
int *p{p}, *q = block(2), *kept = 0;
uintptr_t w = (uintptr_t)&g;
int (*f)(int) = one;
s.p = &h;
"""
STATEMENTS = (
    "x = y;",
    "y = x;",
    "x = i;",
    "x += 2;",
    "y += x & 1;",
    "y ^= 1;",
    "flag = 1;",
    "flag = !flag;",
    "k++;",
    "k = i;",
    "p = &g;",
    "p = &x;",
    "p = a + (i & 3);",
    "p = b;",
    "p++;",
    "*p = i;",
    "y = *p;",
    "if (p == a) y = 5;",
    "free(q);",
    "free(q); q = block({rare});",
    "y = *q;",
    "*q = i;",
    "q = 0;",
    "kept = q;",
    "y = *kept;",
    "w = (uintptr_t)block({rare});",
    "w = (uintptr_t)&x;",
    "w = (uintptr_t)q;",
    "w += 4;",
    "y = *(int *)w;",
    "if (*(int *)w == {rare}) flag = 1;",
    "s.p = block({rare});",
    "s.p = &x;",
    "if (*s.p == {rare}) flag = 1;",
    "{{ int *t = block(i); y = *t; free(t); }}",
    "{{ int *t = block(i); free(t); if (flag) y = *t; }}",
    "{{ int l; if (i != {rare}) l = 1; y = l; }}",
    "{{ int l = i; p = &l; y = *p; }}",
    "{{ int l[N]; for (int j = k; j < N; j++) l[j] = j; y = l[i & 3]; }}",
    "f = i == {rare} ? two : one;",
    "y = f(i);",
    "y = three(i);",
    "y = deep(i & 3);",
    "set(&x, i);",
    "a[i] = y;",
    "a[i & 3] = y;",
    "a[k] = i;",
    "b[i & 3] = a[i & 3];",
    "y = a[i];",
    "y = b[k & 3];",
    "y = a[y & 7];",
    "((char *)a)[i] = 1;",
    "y = 7 / (k - {rare});",
    "y = 1 << (y & 15);",
    "for (int j = 0; j < i; j++) {{ {inner} }}",
    "for (int j = 0; j < 3; j++) {{ {inner} }}",
    "for (int j = 3; j > y; j--) {{ {inner} }}",
    "break;",
    "continue;",
    "exit(0);",
    "unfork_assume(y < 9);",
    "assert({condition});",
)
THEMES = (
    ("assert(flag == 0);", "w = (uintptr_t)block({rare});", "if (*(int *)w == {rare}) flag = 1;"),
    ("assert(flag == 0);", "s.p = block({rare});", "if (*s.p == {rare}) flag = 1;", "s.p = &x;"),
    ("free(q);", "free(q);", "if (q == p) y = 3;", "y = *q;", "p = q;", "kept = q;", "y = *kept;"),
    ("if (x) k++;", "{{ int l; if (i != {rare}) l = 1; y = l; }}", "x = y;", "y = 1;", "if (x) k++;"),
    ("assert(x < {rare});", "p = &x;", "*p = i;", "p = &g;", "y = *p;", "p = a + (i & 3);"),
    ("assert(b[1] == 0);", "a[i & 3] = y;", "b[i & 3] = a[i & 3];", "y = a[k & 3];", "y = i;"),
    ("assert(g < {rare});", "f = i == {rare} ? two : one;", "y = f(i);", "g = y;", "y = deep(i & 3);"),
    ("a[k] = 1;", "k++;", "y = 7 / (k - {rare});", "k = 0;", "a[k] = i;"),
    ("y = *(int *)w;", "w = (uintptr_t)q;", "free(q);", "y = *(int *)w;", "w = (uintptr_t)&g;"),
)
"""What asks behind a loop what only some turns may have done, and statements that may."""
INNER = (
    "x = j;",
    "y += j;",
    "a[j & 3] = i;",
    "if (j == 2) flag = 1;",
    "p = a + j;",
    "k += flag;",
    "free(block(j));",
    "if (flag) free(q);",
    "if (flag) break;",
)
CONDITIONS = (
    "flag == 0",
    "y < 6",
    "k <= (int)n",
    "k != {rare}",
    "x != {rare}",
    "a[0] == 0",
    "a[3] <= 1",
    "g == 0",
    "p != b",
    "*p != {rare}",
    "b[1] == 0",
)
GUARDS = (
    "",
    "",
    "if (i == {rare})",
    "if (i == {rare})",
    "if (i > {rare})",
    "if (flag)",
    "if (k == 2)",
    "if (in())",
    "if (y == 1)",
)
ENDINGS = (
    "assert({condition});",
    "if (n == 5) assert({condition});",
    "if (n > 4) y = *p;",
    "if (x) y++;",
    "if (n == {rare} && x) y++;",
    "free(q);",
    "y = *q;",
    "y = *(int *)w;",
    "y = a[k];",
)


def generate(seed: int) -> str:
    """The text of a program."""
    return _Writer(random.Random(f"loops/{seed}")).text()


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._rare = chance.randrange(2, 5)

    def text(self) -> str:
        chance = self._chance
        initial = {"x": chance.choice(("", " = 0", " = 1")), "p": chance.choice(("", " = &g", " = a"))}
        head = PRELUDE.format(length=LENGTH, rare=self._rare)
        body = [DECLARATIONS.format(turns=MOST_TURNS, **initial)]
        for _ in range(chance.choice((1, 1, 2))):
            ending, *statements = chance.choice((*THEMES, (chance.choice(ENDINGS), *STATEMENTS)))
            body += [self._loop(statements), self._filled(ending if chance.random() < 0.7 else chance.choice(ENDINGS))]
        return head + "int main(void) {\n" + "\n".join(body) + "\nreturn 0;\n}\n"

    def _loop(self, statements: Sequence[str]) -> str:
        chance = self._chance
        guarded = [f"{chance.choice(GUARDS)} {chance.choice(statements)}" for _ in range(chance.randrange(1, 5))]
        return "\n".join(["for (int i = 0; i < (int)n; i++) {", *[self._filled(each) for each in guarded], "}"])

    def _filled(self, pattern: str) -> str:
        """A pattern with numbers, conditions and statements in its places."""
        inner, condition = self._chance.choice(INNER), self._chance.choice(CONDITIONS).format(rare=self._rare)
        return pattern.format(rare=self._rare, inner=inner, condition=condition)
