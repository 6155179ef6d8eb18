"""Makes the bounds on the paths of an exploration: --max-depth, --unwind, --context-bound."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from unfork.engine.explore import unwind
from unfork.engine.explore.limits import DepthBound, NoBound
from unfork.engine.explore.schedules import Fail, Schedules
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.protocols.stopper import Bound
from unfork.program.facts.function_facts import FactsTable


@dataclass(frozen=True, slots=True)
class PathBounds:
    """How far paths are followed, None where there is no bound.

    ``forks`` along a path; ``turns`` back to the head of a loop after entering it; ``preemptions`` of threads that
    could go on.
    """

    forks: int | None
    turns: int | None
    preemptions: int | None


def make_bound(bounds: PathBounds) -> Bound:
    """Ends the paths that go beyond ``bounds``."""
    bound: Bound = NoBound() if bounds.forks is None else DepthBound(bounds.forks)
    return bound if bounds.turns is None else unwind.TurnBound(bound, bounds.turns)


def make_turn_counter(bounds: PathBounds, library: Collection[str], facts: FactsTable, stepper: Stepper) -> Stepper:
    """Counts the turns of loops, outside of the functions of ``library``, if ``bounds`` limit them."""
    return stepper if bounds.turns is None else unwind.TurnCounter(stepper, library, facts)


def make_schedules(bounds: PathBounds, fail: Fail, stepper: Stepper, *, finds_deadlocks: bool) -> Stepper:
    """Forks over the thread that goes on, for programs that make threads."""
    return Schedules(stepper, fail, bounds.preemptions, finds_deadlocks=finds_deadlocks)
