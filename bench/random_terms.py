"""Are random terms worth what their operators mean, and decided so? Prints the seeds with mistakes."""

from __future__ import annotations

import argparse
import sys
import traceback

from tests.support.generated_terms import Builder, grown
from unfork.logic.solve.bitwuzla import BitwuzlaSolver
from unfork.logic.solve.solver import Sat, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term

ASKED = 20
"""Of so many seeds, one has its conditions asked of the solver: that takes most of the time."""


def mistakes(builder: Builder) -> list[str]:
    """Terms that are worth something else than they should be."""
    models = [Model(values) for values in builder.models]
    return [repr(value) for value, _, worth in builder.nodes if [evaluate(value, model) for model in models] != worth]


def misjudged(builder: Builder, solver: BitwuzlaSolver) -> list[str]:
    """Conditions of which the solver says what the models deny, or with a model that does not satisfy them."""
    found = []
    for value, width, worth in builder.nodes:
        if type(value) is not Term or width != 1:
            continue
        for condition, holds in ((value, 1), (build.negate(value), 0)):
            assert type(condition) is Term
            answer = solver.check([condition])
            if isinstance(answer, Sat) and not evaluate(condition, answer.model):
                found.append(f"no model of {condition}")
            if isinstance(answer, Unsat) and holds in worth:
                found.append(f"not false: {condition}")
    return found


def main() -> int:
    """The number of seeds that show a mistake, at most 1 as a status."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("count", type=int, help="seeds")
    arguments.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = arguments.parse_args()
    solver = BitwuzlaSolver(5_000)
    terms = wrong = 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        try:
            builder = grown(seed, 1 + seed % 24)
            found = mistakes(builder) + (misjudged(builder, solver) if seed % ASKED == 0 else [])
        except Exception:  # any at all is what we look for
            found = [traceback.format_exc(limit=-3)]
        else:
            terms += len(builder.nodes)
        wrong += bool(found)
        for line in found:
            print(f"seed {seed}: {line}", flush=True)
    print(f"{chosen.count:,} seeds, {terms:,} terms, {wrong} seeds with mistakes")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
