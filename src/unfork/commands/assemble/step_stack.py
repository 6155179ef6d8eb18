"""Every stepper that a step passes between the loop and the machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.engine.protocols.stepper import Stepper

Wrap = Callable[[Stepper], Stepper]
"""Puts a stepper around another one."""


def _nothing(stepper: Stepper) -> Stepper:
    return stepper


def made(stepper: Stepper) -> Wrap:
    """Puts ``stepper`` into its place in the stack. It was made around the steppers inside it already."""
    return lambda inner: stepper


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWrappers:
    """The steppers to put around a machine; ``stacked`` gives their order. Most explorations have only some."""

    annotations: Wrap = _nothing
    earning: Wrap = _nothing
    abstract_loops: Wrap = _nothing
    cuts: Wrap = _nothing
    precondition: Wrap = _nothing
    schedules: Wrap = _nothing
    turns: Wrap = _nothing
    looking: Wrap = _nothing
    metered: Wrap = _nothing
    attention: Wrap = _nothing
    surviving: Wrap = _nothing
    examples: Wrap = _nothing


def stacked(machine: Stepper, wrappers: StepWrappers) -> Stepper:
    """The stepper that a loop calls: ``machine`` inside all ``wrappers``.

    A call enters at the last line and goes up to the machine; its outcomes come back down. Wrappers may be added in
    several calls, the inner ones first.
    """
    step = machine
    step = wrappers.annotations(step)  # verify: lets states rest where annotations speak
    step = wrappers.earning(step)  # --prune interpolate: measures steps, whose work pays for learning
    step = wrappers.abstract_loops(step)  # --loops abstract: takes a loop for any number of iterations at once
    step = wrappers.cuts(step)  # verify: cuts paths at loops and calls that contracts describe
    step = wrappers.precondition(step)  # --requires: ends paths whose inputs the predicate refuses
    step = wrappers.schedules(step)  # programs with threads: forks over the thread that goes on
    step = wrappers.turns(step)  # --unwind: counts how often a path goes back to the head of a loop
    step = wrappers.looking(step)  # show --states: stops at statements, to look at the state there
    step = wrappers.metered(step)  # counts instructions for limits, counts and work
    step = wrappers.attention(step)  # counts cost and new branch edges by function
    step = wrappers.surviving(step)  # an exception of the engine costs this path alone
    return wrappers.examples(step)  # writes tests of paths that go on, for branch edges that only parts of a step took
