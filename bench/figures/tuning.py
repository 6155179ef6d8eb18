"""Which parameters should query count estimation have? Hill climbing over alpha, beta and kappa on the tuning set.

Each point is a run of every tool with ``--merge dynamic``; its score is the geometric mean of the branches covered.
From the best point so far the parameters are changed in turn, one up and one down, until no change is better. The
tools (cat, nl, join, uniq) are for this alone: the figures leave them out, since constants fit what they were tuned on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import exp, fsum, log

from bench.figures.runs import SCHEDULES, TUNING_SET, Ran, arguments
from bench.tables import markdown
from unfork.options.options import Options

ALPHAS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
BETAS = (0.4, 0.45, 0.5, 0.55, 0.6)
KAPPAS = (1, 3, 10, 30)


@dataclass(frozen=True, slots=True)
class QceChoice:
    """Values of --qce; zeta stays as it is."""

    alpha: float
    beta: float
    kappa: int

    def words(self) -> tuple[str, ...]:
        """The option."""
        zeta = Options().qce[3]
        return ("--qce", *[f"{number:g}" for number in (self.alpha, self.beta, self.kappa, zeta)])

    def neighbours(self) -> Iterator[QceChoice]:
        """The choices with one parameter changed by one step."""
        for value in _beside(ALPHAS, self.alpha):
            yield replace(self, alpha=value)
        for value in _beside(BETAS, self.beta):
            yield replace(self, beta=value)
        for number in _beside(KAPPAS, self.kappa):
            yield replace(self, kappa=int(number))


def _beside(values: Sequence[float], value: float) -> list[float]:
    """The next smaller and the next larger of ``values``."""
    smaller = [each for each in values if each < value][-1:]
    return smaller + [each for each in values if each > value][:1]


@dataclass(slots=True)
class Climb:
    """Climbs by the scores that ``score`` gives; ``looked_at`` has every point in order."""

    score: Callable[[QceChoice], float]
    looked_at: dict[QceChoice, float] = field(default_factory=dict)

    def best(self, start: QceChoice) -> QceChoice:
        """A choice to which no neighbour is preferred; equal scores move nothing."""
        here, is_moving = start, True
        self._look(here)
        while is_moving:
            is_moving = False
            for there in here.neighbours():
                if self._look(there) > self._look(here):
                    here, is_moving = there, True
                    break
        return here

    def _look(self, choice: QceChoice) -> float:
        if choice not in self.looked_at:
            self.looked_at[choice] = self.score(choice)
        return self.looked_at[choice]


def mean_branches(runs: Sequence[Ran]) -> float:
    """The geometric mean, so that a tool counts by its ratio; no branch counts as one."""
    return exp(fsum([log(max(ran.branches, 1)) for ran in runs]) / len(runs))


def main(words: Sequence[str]) -> int:
    """A line per point, and the best."""
    given = arguments(words, __doc__, 20, TUNING_SET)
    ran: dict[QceChoice, list[Ran]] = {}

    def score(choice: QceChoice) -> float:
        options = (*SCHEDULES["dynamic"], *choice.words())
        ran[choice] = [given.runner.run(tool, given.seconds, options) for tool in given.tools]
        print(f"{' '.join(choice.words())}: {mean_branches(ran[choice]):.1f}", file=sys.stderr, flush=True)
        return mean_branches(ran[choice])

    alpha, beta, kappa, _ = Options().qce
    climb = Climb(score)
    best = climb.best(QceChoice(alpha, beta, int(kappa)))
    rows = []
    for choice, branches in climb.looked_at.items():
        parts = [f"{each.branches:,} / {each.joins:,} / {each.refused:,}" for each in ran[choice]]
        rows.append([" ".join(choice.words()[1:]), *parts, f"{branches:.1f}"])
    print("Branches covered / joins / refused joins:\n")
    print(markdown(["alpha, beta, kappa, zeta", *given.tools, "mean branches"], rows))
    print(f"\nbest: {' '.join(best.words())}")
    return 0
