"""A walk along a deep stack costs the same at each step, and knows how deep it is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from unfork.program.facts.function_facts import FactsTable
from unfork.report.replay.walk import Walk

OWN, LIBRARY = SimpleNamespace(name="own"), SimpleNamespace(name="library")


class Counted(list[Any]):
    """A stack that counts how many of its frames are looked at."""

    looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += len(range(*at.indices(len(self)))) if isinstance(at, slice) else 1
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        self.looks += len(self)
        return super().__iter__()


def walk() -> Any:
    return Walk(SimpleNamespace(library={"library"}), FactsTable(), 10)  # type: ignore[arg-type]


def frame(function: Any, ordinal: int = 0) -> Any:
    return SimpleNamespace(function=function, ordinal=ordinal)


def test_the_depth_is_that_of_the_programs_own_functions() -> None:
    choose, looking = random.Random(3), walk()
    stacks = [[frame(OWN, thread)] for thread in range(2)]
    for _ in range(2000):
        stack = choose.choice(stacks) if choose.random() < 0.1 else stacks[0]
        if choose.random() < 0.5 and len(stack) > 1:
            stack.pop()
            while stack[-1].function is LIBRARY:
                stack.pop()
        else:
            stack += [frame(LIBRARY) for _ in range(choose.randrange(3))] + [frame(OWN)]
        assert looking._depth(stack) == sum(each.function is OWN for each in stack[:-1])


def test_a_step_at_any_depth_looks_at_few_frames() -> None:
    looking, stack = walk(), Counted([frame(OWN)])
    for _ in range(3000):
        looking._depth(stack)
        stack.append(frame(OWN))
    assert stack.looks < 20 * len(stack)
