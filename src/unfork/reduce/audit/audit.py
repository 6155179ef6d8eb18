"""Watches a run and proves what it relies on: each join, and each reason not to explore a state."""

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
"""Obligations of one claim that are looked at: of more, so many are drawn."""


class Audit:
    """An observer. ``sample`` keeps some of the states that were not explored, to be explored after all.

    So does ``joined`` some of those that became part of another state: what a join states is proved, but not what is
    then computed from its values. ``learnt`` keeps states by which interpolants are tried: one for each that covered
    any.
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
        """Nothing is proved any more."""
        self._prover.close()

    def count_explored(self) -> None:
        """Say in the counts how many of the states that were kept have been explored."""
        self.counts.explored_again = self.sample.explored
        self.counts.joined_again = self.joined.explored
        self.counts.freest = self.learnt.explored

    def tell(self, event: Event) -> None:
        match event:
            case Joined(parents, state):
                self.counts.joins += 1
                if not state.over:  # else what is wrong may have been an alarm
                    for parent in parents:
                        self.joined.offer(parent, Loss.EDGES)
                self._examine(JoinClaim(parents, state), state)
            case Covered(state, cover):
                self.counts.pruned += 1
                self._examine_cover(state, cover)

    def _examine_cover(self, state: State, cover: Evidence) -> None:
        match cover:
            case StateCover():
                if cover.is_exact:  # else what it could do may be lost
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
