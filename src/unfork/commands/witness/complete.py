"""Explores every path of a program, in this process and without a run directory, unless that takes too long."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from unfork.commands.assemble import bounding, solving
from unfork.commands.assemble.parts import ExplorationParts, assemble
from unfork.engine.explore.loop import Exploration, NoPruning
from unfork.engine.protocols.events import Bounded, Dropped, Ended, Event, Left
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Failed, Fault, Killed
from unfork.options.options import Options
from unfork.program.facts.address_uses import assumed_layout
from unfork.program.llvm.module import Program
from unfork.reduce.invariants.abstract_loops import AbstractLoops
from unfork.world.kernel.known_functions import NO_MODELS, Models

MOST_PICKS = 20_000
"""Picks of the frontier after which a program is given up."""


class Complete:
    """Explores a program, which may call the functions of ``more``, until ``deadline``. Close it, as ``with`` does.

    ``faults`` are those of all paths that failed, replayed or not.
    """

    def __init__(
        self,
        options: Options,
        program: Program,
        arguments: Sequence[str],
        deadline: float,
        more: Models = NO_MODELS,
    ) -> None:
        self._backend = solving.backend(options)
        self._deadline = deadline
        self._picks = 0
        self.faults: list[Fault] = []
        self.left_out: str | None = None
        """Why not everything was explored; None if it was."""
        began = time.monotonic()
        budget = bounding.budget(options, began).at_most(max(deadline - began, 0.0))
        self.parts: ExplorationParts = assemble(options, program, arguments, self._backend, budget, more)
        if self.loops is not None:
            self.loops.performs = bool(more)

    @property
    def loops(self) -> AbstractLoops | None:
        """The part that takes loops for any number of turns at once, if the options ask for it."""
        return self.parts.abstract_loops

    def is_rehearsing(self) -> bool:
        """Whether the current steps are tried, and may belong to no path."""
        return self.loops is not None and self.loops.rehearsals > 0

    def __enter__(self) -> Complete:
        return self

    def __exit__(self, *problem: object) -> None:
        self._backend.solver.close()

    def to_its_end(self) -> bool:
        """Explore; whether every path was followed to its end."""
        parts = self.parts
        exploration = Exploration(
            parts.stepper,
            parts.scheduled.yielding,
            parts.scheduled.frontier,
            parts.bound,
            NoPruning(),
            parts.scheduled.joiner,
            self,
            parts.graph,
            [self, parts.assumptions],
        )
        stopped = exploration.run(parts.first)
        self.left_out = self.left_out or stopped
        return self.left_out is None

    def assumed(self) -> Iterator[str]:
        yield from self.parts.assumptions.words()
        machine = self.parts.engine.machine
        yield from assumed_layout(machine.running(), machine.program, machine.layout_looks())

    def look(self, frontier: Frontier) -> str | None:
        """Stop as soon as anything is left out: the rest is of no use."""
        self._picks += 1
        if self.left_out is not None:
            return self.left_out
        if time.monotonic() > self._deadline:
            return "time was over"
        return f"more than {MOST_PICKS} states" if self._picks > MOST_PICKS else None

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed(_, fault)):
                self.faults.append(fault)
            case Ended(Killed(_, reason, detail)):
                self.left_out = self.left_out or f"{reason}: {detail}"
            case Bounded() | Dropped() | Left():
                self.left_out = self.left_out or "a path was cut"
