"""Random programs that fill, copy and look through small arrays, and assert what may hold of the elements."""

from __future__ import annotations

import random

LENGTH = 4
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
KINDS = ("int", "int", "unsigned", "short", "unsigned char", "long")


def generate(seed: int) -> str:
    """The text of a program."""
    return _Writer(random.Random(f"arrays/{seed}")).text()


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._numbers = [chance.randrange(-3, 9) for _ in range(3)]

    def text(self) -> str:
        chance = self._chance
        kind = chance.choice(KINDS)
        arrays = [f"{kind} a[N], b[N];", "int i, j = 0, m = 0;"]
        is_local = chance.random() < 0.5
        loops = [self._loop(self._filling()), *[self._loop(self._any()) for _ in range(chance.randrange(3))]]
        loops += [self._loop(self._asserting()) for _ in range(chance.randrange(1, 3))]
        lines = [
            "#include <assert.h>",
            '#include "unfork.h"',
            f"#define N {LENGTH}",
            'static int in(void) { int x; unfork_symbolic(&x, sizeof x, "x"); return x; }',
            *([] if is_local else arrays),
            "int main(void) {",
            *(arrays if is_local else []),
            *loops,
            "return 0;",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _loop(self, body: str) -> str:
        chance = self._chance
        first = chance.choice((0, 0, 0, 0, 1)) if "[i - 1]" not in body else 1
        last = chance.choice(("N", "N", "N", "N", "N - 1", "j" if "j++" not in body and "[j]" not in body else "N"))
        step = chance.choice(("i++", "i++", "i++", "i++", "i += 2"))
        if chance.random() < 0.1:
            return f"for (i = N - 1; i >= {first}; i--) {{ {body} }}"
        return f"for (i = {first}; i < {last}; {step}) {{ {body} }}"

    def _number(self) -> int:
        return self._chance.choice(self._numbers)

    def _array(self) -> str:
        return self._chance.choice("aab")

    def _element(self) -> str:
        return f"{self._array()}[i]"

    def _filling(self) -> str:
        values = (
            str(self._number()),
            f"{self._number()} * i + {self._number()}",
            "in()",
            "in() & 7",
        )
        return f"a[i] = {self._chance.choice(values)};"

    def _any(self) -> str:
        test = f"if ({self._element()} {self._chance.choice(RELATIONS)} {self._number()})"
        bodies = (
            self._filling(),
            f"b[i] = a[i] + {self._chance.choice((0, 0, 1))};",
            "b[i] = a[i];",
            f"{test} {self._element()} = {self._number()};",
            f"{test} {self._element()} = {self._number()};",
            f"{test} b[j++] = a[i];",
            f"{test} b[j++] = i;",
            "if (a[i] > m) m = a[i];",
            f"{test} m = i;",
            f"a[i] = a[i - 1] + {self._number()};",
            "a[i] = b[N - 1 - i];",
            "m += a[i] & 1;",
            f"{test} break; m = i;",
            f"{test} {self._element()} = in(); else {self._element()} = i;",
        )
        return self._chance.choice(bodies)

    def _asserting(self) -> str:
        conditions = (
            f"{self._element()} {self._chance.choice(RELATIONS)} {self._number()}",
            f"{self._element()} {self._chance.choice(RELATIONS)} {self._number()}",
            "a[i] == b[i]",
            "a[i] <= m",
            "a[i] == a[0]",
            "a[i] >= a[0]",
            f"a[i] == {self._number()} * i + {self._number()}",
            "m >= 0 && m <= N",
            "j >= 0 && j <= N",
            "a[i] >= 0 && a[i] < 8",
        )
        return f"assert({self._chance.choice(conditions)});"
