"""Models of a path that cost no query: the one that it carries, changed here and there, where that satisfies it too."""

from __future__ import annotations

import random
from collections.abc import Collection

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.term import Term, postorder

CHANGES = 40
MOST = 10
MOST_CONSTRAINTS = 64
"""Of a path with more constraints about its numbers, no models are made."""


def samples(path: PathCondition, symbols: Collection[Term]) -> list[Model]:
    """Up to ``MOST`` models, which differ in ``symbols`` and in what depends on them; the path's own comes first."""
    own = path.model()
    parts = path.touched(symbols)
    constraints = [constraint for part in parts for constraint in part.constraints]
    models = [own]
    if len(constraints) > MOST_CONSTRAINTS:
        return models
    free = sorted({*symbols, *[each for part in parts for each in part.symbols]}, key=lambda each: each.name)
    numbers = constants(constraints)
    chance = random.Random("samples")
    base = own.values
    for _ in range(CHANGES):
        changed = {each: _another(each, base.get(each, 0), numbers, chance) for each in free if chance.random() < 0.6}
        model = Model({**base, **changed})
        if changed and all(evaluate(constraint, model) for constraint in constraints):
            models.append(model)
            if len(models) == MOST:
                break
    return models


def constants(terms: Collection[Term]) -> list[int]:
    """The constants in terms, in ascending order."""
    return sorted({part.value for part in postorder(tuple(terms)) if part.op == "const"})


def _another(symbol: Term, value: int, numbers: list[int], chance: random.Random) -> int:
    mask = (1 << symbol.width) - 1
    near = [0, 1, 2, mask, mask >> 1, value + 1, value - 1, chance.randrange(3, 200), -chance.randrange(2, 200)]
    if numbers:
        near += [chance.choice(numbers) + step for step in (-1, 0, 1)]
    return chance.choice(near) & mask
