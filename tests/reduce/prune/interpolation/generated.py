"""Random C programs in which many paths are alike: some input bytes decide what asserts look at, others do not."""

from __future__ import annotations

import random

INPUTS = 6
NAMES = ("a", "b", "global", "other")
HEAD = """\
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

struct node { int value; struct node *next; };
static int global = 3, other = 3, first[4] = {1, 2, 3, 4}, second[4] = {1, 2, 3, 4};
static int deep(const unsigned char *in, int depth, int sum) {
  if (depth == 0)
    return sum;
  if (in[depth] > 99)
    return deep(in, depth - 1, sum + 1);
  return deep(in, depth - 1, sum);
}
static int step(int x) { return x > 5 ? x - 1 : x + 1; }
static int twice(int x) { return x * 2; }

int main(void) {
  unsigned char in[INPUTS];
  unfork_symbolic(in, sizeof in, "in");
  int a = 1, b = 2;
  int *p = &a, *q = &global, *array = first;
  int (*call)(int) = step;
  int *block = malloc(2 * sizeof *block);
  block[0] = 3, block[1] = 1;
  struct node *list = 0;
"""
TAIL = """\
  if (block)
    free(block);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
"""


class Writer:
    """Statements; ``lines`` are those of main's body. Nothing that it writes runs for ever."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self._loops = 0

    def program(self) -> str:
        """The text."""
        for _ in range(self.chance.randint(4, 7)):
            self._branch(0) if self.chance.random() < 0.7 else self._simple()
            if self.chance.random() < 0.35:
                self._check()
        self._check()
        body = "".join(f"  {line}\n" for line in self.lines)
        return HEAD.replace("INPUTS", str(INPUTS)) + body + TAIL

    def _byte(self) -> str:
        return f"in[{self.chance.randrange(INPUTS)}]"

    def _number(self) -> str:
        """An expression that is an int and has no effect."""
        c = self.chance
        return c.choice(
            (
                c.choice(NAMES),
                c.choice(NAMES),
                f"{c.choice(NAMES)} + {c.randint(0, 2)}",
                "*p",
                "*q",
                f"array[{c.randrange(4)}]",
                f"array[{self._byte()} & 3]",
                f"({self._byte()} & {c.choice((1, 3))})",
                "(block ? block[1] : 4)",
                "(list ? list->value : 5)",
                "call(a)",
                f"{c.choice(('first', 'second'))}[{c.randrange(4)}]",
            )
        )

    def _condition(self) -> str:
        c = self.chance
        kind = c.random()
        if kind < 0.6:
            return f"{self._byte()} {c.choice(('<', '>', '==', '!='))} {c.randint(0, 3)}"
        if kind < 0.7:
            return f"{self._byte()} & {c.choice((1, 2, 4))}"
        if kind < 0.8:
            return f"{self._byte()} < {self._byte()}"
        if kind < 0.9:
            return c.choice(("p == q", "block == 0", "list != 0", "array == first", "p == &a", "call == step"))
        return f"{self._number()} {c.choice(('<', '>', '=='))} {self._number()}"

    def _simple(self) -> None:
        c = self.chance
        name = c.choice(NAMES)
        forms = (
            lambda: f"{name} = {c.randint(0, 4)};",
            lambda: f"{name} = {self._number()};",
            lambda: f"{name} += {c.randint(0, 2)};",
            lambda: f"{name} ^= {c.randint(0, 3)};",
            lambda: f"p = {c.choice(('&a', '&b', '&global', '&other', 'q', '&array[1]', 'block ? block : &b'))};",
            lambda: f"q = {c.choice(('&a', '&b', '&global', 'p', '&first[2]', '&second[2]'))};",
            lambda: f"array = {c.choice(('first', 'second', 'array'))};",
            lambda: f"call = {c.choice(('step', 'twice'))};",
            lambda: f"*{c.choice('pq')} = {self._number()};",
            lambda: f"array[{c.randrange(4)}] = {self._number()};",
            lambda: f"array[{self._byte()} & 3] = {c.randint(0, 5)};",
            lambda: f"if (block) block[{c.randrange(2)}] = {self._number()};",
            lambda: "if (block) { if (p == block) p = &a; free(block); block = 0; }",
            lambda: "if (!block) { block = malloc(8); block[0] = 2; block[1] = a; }",
            lambda: f"list = memory(list, {self._number()});",
            lambda: f"a = deep(in, {c.randint(1, 3)}, b);",
            lambda: f"unfork_assume({self._byte()} != {c.randint(0, 3)});",
        )
        line = c.choice(forms)()
        if line.startswith("list = memory"):
            value = line[line.index(",") + 2 : -2]
            line = f"{{ struct node *n = malloc(sizeof *n); n->value = {value}; n->next = list; list = n; }}"
        self.lines.append(line)

    def _check(self) -> None:
        c = self.chance
        kind = c.random()
        if kind < 0.6:
            self.lines.append(f"assert({self._number()} {c.choice(('!=', '<', '>', '<='))} {c.randint(0, 9)});")
        elif kind < 0.75:
            self.lines.append(f"assert({self._number()} != {self._number()} + {c.randint(0, 3)});")
        elif kind < 0.85:
            self.lines.append(f"b = array[{self._number()}];")
        elif kind < 0.92:
            self.lines.append("a = block[0];")
        else:
            self.lines.append(f"b = 12 / ({self._number()} - {c.randint(1, 5)});")

    def _branch(self, depth: int) -> None:
        c = self.chance
        if c.random() < 0.15 and self._loops < 1:
            self._loops += 1
            name = f"i{len(self.lines)}"
            self.lines.append(f"for (int {name} = 0; {name} < {c.randint(2, 3)}; {name}++) {{")
            self.lines.append(f"if (in[{name}] > {c.randint(0, 3)}) {{")
            self._simple()
            self.lines += ["}", "}"]
            self._loops -= 1
            return
        self.lines.append(f"if ({self._condition()}) {{")
        for _ in range(c.randint(1, 2)):
            self._branch(depth + 1) if depth < 1 and c.random() < 0.25 else self._simple()
        if c.random() < 0.5:
            self.lines.append("} else {")
            for _ in range(c.randint(1, 2)):
                self._simple()
        if c.random() < 0.1:
            self._check()
        self.lines.append("}")


def generate(seed: int) -> str:
    """The program of a seed."""
    return Writer(seed).program()
