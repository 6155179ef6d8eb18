"""Houdini: the inductive ones among candidate invariants, and with them what the loop modifies.

Runs an iteration in which everything known to be modified has any value that the candidates allow. Drops the
candidates that it breaks, and records what else it modifies, until an iteration breaks nothing and modifies nothing
new.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from unfork.engine.explore.unwind import activation_of
from unfork.engine.protocols.outcome import Outcome, Running
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.terms import build
from unfork.program.llvm.module import Function
from unfork.reduce.invariants.candidates import Candidate, Stated, condition_of, strongest
from unfork.reduce.invariants.cells import NotAbstract
from unfork.reduce.invariants.havoc import GeneralIteration
from unfork.reduce.invariants.modified_set import COUNT_BITS, ModifiedSet
from unfork.reduce.invariants.sieve import Sieve

NOT_AT_FIRST = "where the loop begins"
NOT_KEPT = "to be kept by a turn"


class AbstractableLoop(Protocol):
    """A loop, run by the client that wants its invariants. Both methods may raise NotAbstract."""

    def begin(self, modified: ModifiedSet, candidates: Sequence[Candidate]) -> GeneralIteration:
        """A general iteration: modified values are havocked, and the candidates hold."""

    def over(self, begun: State) -> Sequence[State]:
        """The ends of that iteration, on all feasible paths. ``begun`` stays unchanged."""


class CandidateSource(Protocol):
    """Proposes candidates. Law: they hold where the loop begins."""

    def of(self, modified: ModifiedSet) -> Sequence[Candidate]:
        """The candidates about modified values."""

    def learn(self, modified: ModifiedSet, begun: State, over: Sequence[State], kept: Sequence[Candidate]) -> bool:
        """Learn from an iteration that keeps all candidates; returns whether there are new ones."""


class NoProposals:
    """A source without candidates."""

    def of(self, modified: ModifiedSet) -> Sequence[Candidate]:
        return ()

    def learn(self, modified: ModifiedSet, begun: State, over: Sequence[State], kept: Sequence[Candidate]) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Inductive:
    """The general iteration at the fixpoint, with the candidates that it keeps."""

    iteration: GeneralIteration
    kept: tuple[Candidate, ...]
    lost: Mapping[Stated, str]
    """The stated invariants that are not proved, and where each fails."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The candidates for loops: what users state, and what is proposed for a loop that begins in a state."""

    stated: Callable[[Function, int], Sequence[Stated]]
    proposals: Callable[[State], CandidateSource]


def nothing_sought() -> Sought:
    """No candidates: finds only what a loop modifies."""
    return Sought(lambda function, head: (), lambda entry: NoProposals())


def refuted_at_first(chain: Chain, stated: Sequence[Stated], entry: State) -> dict[Stated, None]:
    """The stated invariants of a loop that are not proved where it begins."""
    conditions = {each: condition_of(each, entry, 0) for each in stated}
    return {each: None for each, said in conditions.items() if said is None or not chain.must(entry.path, said)}


def inductive(
    chain: Chain,
    loop: AbstractableLoop,
    modified: ModifiedSet,
    stated: Sequence[Stated],
    source: CandidateSource,
) -> Inductive:
    """The candidates, ``stated`` and proposed, that hold at first and that every iteration keeps."""
    never = refuted_at_first(chain, stated, modified.entry)
    dropped: set[Candidate] = {*never}
    while True:
        candidates = strongest([each for each in (*stated, *source.of(modified)) if each not in dropped])
        iteration = loop.begin(modified, candidates)
        over = loop.over(iteration.state)
        broken = _broken(chain, candidates, over, iteration)
        dropped |= broken
        grown = modified.update(chain, iteration.state, over)
        if not grown and not broken and not source.learn(modified, iteration.state, over, candidates):
            return Inductive(
                iteration,
                tuple(candidates),
                {each: NOT_AT_FIRST if each in never else NOT_KEPT for each in stated if each in dropped},
            )


def _broken(
    chain: Chain, candidates: Sequence[Candidate], over: Sequence[State], iteration: GeneralIteration
) -> set[Candidate]:
    """The candidates that are not proved at the end of an iteration."""
    sieve = Sieve(chain, [state.path for state in over], [[state.path.model()] for state in over])
    after = build.add(iteration.before, 1, COUNT_BITS)
    broken = set()
    for each in candidates:
        conditions = [condition for state in over if (condition := condition_of(each, state, after)) is not None]
        if len(conditions) < len(over) or not sieve.survives(conditions) or not sieve.proved(conditions):
            broken.add(each)
    return broken


# --- one iteration


@dataclass(slots=True)
class Run:
    """The results of one iteration of a loop."""

    over: list[State] = field(default_factory=list)
    """The states from which the next iteration would begin."""
    others: list[Outcome] = field(default_factory=list)
    """The exits of the loop, and the ends of paths."""


def run_once(
    start: State, blocks: Collection[int], stepped: Callable[[State], list[Outcome]], most_steps: int, deadline: float
) -> Run:
    """Run a state from the head of a loop of ``blocks`` once through it. Raises NotAbstract if that takes too long."""
    head, depth, activation, begun = start.frames[-1].block, len(start.frames), activation_of(start), start.instructions
    run, waiting, steps = Run(), [start], 0
    while waiting:
        steps += 1
        if steps > most_steps or monotonic() >= deadline:
            raise NotAbstract("an iteration takes too long")
        for outcome in stepped(waiting.pop()):
            if not isinstance(outcome, Running):
                run.others.append(outcome)
                continue
            reached = outcome.state
            if len(reached.frames) < depth or activation_of(reached)[:depth] != activation:
                run.others.append(outcome)
            elif len(reached.frames) > depth:
                waiting.append(reached)
            elif (reached.frames[-1].block, reached.frames[-1].index) == (head, 0) and reached.instructions > begun:
                run.over.append(reached)
            elif reached.frames[-1].block in blocks:
                waiting.append(reached)
            else:
                run.others.append(outcome)
    return run
