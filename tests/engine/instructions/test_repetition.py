"""Random loops are said never to end exactly if they come back to all that they look at."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.support.runs import errors_of, explore, written

LOOPS = 40
TURNS = 600
"""Loops that neither end nor come back within so many turns are not taken."""
MASK = {"a": 0xFF, "b": 0xFF, "c": 0xFFFFFFFF, "d": 0xFFFFFFFF}
"""Variables, two of them bytes."""
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "^": lambda x, y: x ^ y,
    "&": lambda x, y: x & y,
}


class Loop:
    """A loop over four variables: ``steps`` are (target, left, operator, right). Some bits end it, if they come."""

    def __init__(self, choose: random.Random) -> None:
        names = list(MASK)
        self.start = {name: choose.randrange(8) for name in names}
        self.steps = [self._step(choose, names) for _ in range(choose.randint(2, 4))]
        self.looked_at = choose.choice(names)
        self.mask, self.end = choose.choice([1, 7, 31, 255]), choose.randrange(32)

    @staticmethod
    def _step(choose: random.Random, names: list[str]) -> tuple[str, str, str, str]:
        target = choose.choice(names)
        left = choose.choice([target, target, target, *names])
        return target, left, choose.choice("++*^&"), choose.choice([*names, *"1234567"])

    def ends(self) -> bool | None:
        """Whether it ends; None if that is not seen within a few turns."""
        steering = {self.looked_at}
        for _ in MASK:
            steering |= {each for to, *read in self.steps if to in steering for each in read if each in MASK}
        values, seen = dict(self.start), set()
        for _ in range(TURNS):
            if values[self.looked_at] & self.mask == self.end:
                return True
            key = tuple([values[name] for name in sorted(steering)])
            if key in seen:
                return False
            seen.add(key)
            for target, left, operator, right in self.steps:
                operand = values[right] if right in MASK else int(right)
                values[target] = OPERATIONS[operator](values[left], operand) & MASK[target]
        return None

    def text(self, number: int) -> str:
        """The loop as a function, its head on a line of its own; who calls it looks at all variables."""
        start = self.start
        body = " ".join(f"{to} = (unsigned){left} {op} {right};" for to, left, op, right in self.steps)
        return (
            f"static unsigned loop{number}(void) {{\n"
            f"  unsigned char a = {start['a']}, b = {start['b']}; unsigned c = {start['c']}, d = {start['d']};\n"
            f"  while (({self.looked_at} & {self.mask}) != {self.end}) {{ {body} }}\n"
            "  return a + b + c + d;\n}\n"
        )


def test_a_loop_that_ends_is_never_said_not_to(tmp_path: Path) -> None:
    """And one that comes back to all that steers it is reported, whatever else it counts."""
    choose, loops = random.Random(1), list[Loop]()
    kinds = {True: 0, False: 0}
    while len(loops) < LOOPS:
        loop = Loop(choose)
        ends = loop.ends()
        if ends is not None and kinds[ends] < LOOPS // 2:
            kinds[ends] += 1
            loops.append(loop)
    cases = "".join(f"  case {number}: return loop{number}();\n" for number in range(LOOPS))
    text = "".join(loop.text(number) for number, loop in enumerate(loops))
    main = f"int main(void) {{\n  switch (__VERIFIER_nondet_uint()) {{\n{cases}  }}\n  return 0;\n}}\n"
    program = written(f"unsigned __VERIFIER_nondet_uint(void);\n{text}{main}", tmp_path)
    words = (
        "--check",
        "nontermination",
        "--strategy",
        "plain",
        "--native-check",
        "never",
        "--max-instructions",
        "2000000",
    )
    result = explore(program, tmp_path / "run", *words)
    lines = {4 + 5 * number for number, loop in enumerate(loops) if loop.ends() is False}
    assert {line for _, _, line in errors_of(result)} == lines
    assert {kind for kind, _, _ in errors_of(result)} == {"nontermination"}
    assert result.summary["paths"]["completed"] == LOOPS + 1
