"""Observes a run and proves its claims: each join, and each cover."""

from __future__ import annotations

import random

from unfork.engine.protocols.events import Covered, Event, Joined
from unfork.engine.protocols.pruner import Evidence
from unfork.engine.state.state import State, position_of
from unfork.reduce.audit.again import Loss, Sample
from unfork.reduce.audit.audited_join import JoinClaim
from unfork.reduce.audit.claim import Claim
from unfork.reduce.audit.cover import CoverClaim, LearntClaim
from unfork.reduce.audit.prove import AuditCounts, ObligationOutcome, Prover
from unfork.reduce.prune.contract import StateCover
from unfork.reduce.prune.interpolation.learn import LearntCover

MOST = 2000
"""Obligations of one claim to check; of more, this many are drawn."""


class Audit:
    """An observer. ``sample`` keeps some of the unexplored states, to explore them after all.

    ``joined`` keeps some of the states that became part of another: the join's claim is proved, but not computations
    on its values. ``learnt`` keeps states on which to try interpolants: one for each that covered any.
    """

    def __init__(self, prover: Prover, counts: AuditCounts, seed: int) -> None:
        self._prover = prover
        self._chance = random.Random(f"{seed}/audit")
        self.counts = counts
        self.sample = Sample()
        self.joined = Sample()
        self.learnt = Sample()
        self._tried: set[int] = set()

    def close(self) -> None:
        """Stop proving."""
        self._prover.close()

    def count_explored(self) -> None:
        """Count how many of the kept states were explored."""
        self.counts.explored_again = self.sample.explored
        self.counts.joined_again = self.joined.explored
        self.counts.freest = self.learnt.explored

    def tell(self, event: Event) -> None:
        match event:
            case Joined(parents, state):
                self.counts.joins += 1
                if not state.over:  # otherwise the error may be an alarm
                    for parent in parents:
                        self.joined.offer(parent, Loss.EDGES)
                self._examine(JoinClaim(parents, state), state)
            case Covered(state, cover):
                self.counts.pruned += 1
                self._examine_cover(state, cover)

    def _examine_cover(self, state: State, cover: Evidence) -> None:
        match cover:
            case StateCover():
                if cover.is_exact:  # otherwise behaviour may be lost
                    self.sample.offer(state, Loss.EDGES)
                self._examine(CoverClaim(cover), state)
            case LearntCover():
                self.sample.offer(state, Loss.EDGES)
                if cover.coverer not in self._tried:
                    self._tried.add(cover.coverer)
                    self.learnt.offer(state, Loss.EDGES, cover)
                self._examine(LearntClaim(cover, state), state)
            case Claim():
                self.sample.offer(state, Loss.ERRORS)
                self._examine(cover, state)
            case _:
                self.sample.offer(state, Loss.ERRORS)
                self.counts.count(ObligationOutcome.UNKNOWN)

    def _examine(self, claim: Claim, state: State) -> None:
        obligations = list(claim.obligations())
        if len(obligations) > MOST:
            self.counts.left_out += len(obligations) - MOST
            drawn = sorted(self._chance.sample(range(len(obligations)), MOST))
            obligations = [obligations[number] for number in drawn]
        for obligation, ending in zip(obligations, self._prover.prove(obligations), strict=True):
            self.counts.count(ending)
            if ending is ObligationOutcome.FAILED:
                self.counts.fail(obligation.what, position_of(state))
        self.counts.queries = self._prover.queries
