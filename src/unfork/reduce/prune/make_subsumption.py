"""Makes the pruner of --prune subsume."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

from unfork.engine.explore.yield_choices import YieldChoices
from unfork.engine.machine.machine import Machine
from unfork.engine.state.live_registers import LiveRegisters, without_scopes
from unfork.logic.solve.chain import Chain
from unfork.reduce.prune.abstraction import Abstraction, Facts
from unfork.reduce.prune.array_cells import Arrays
from unfork.reduce.prune.contract import Demands
from unfork.reduce.prune.fold import Shapes
from unfork.reduce.prune.implication import Implication
from unfork.reduce.prune.places import MARK
from unfork.reduce.prune.pruned import Pruned
from unfork.reduce.prune.roots import Roots
from unfork.reduce.prune.subsume import Subsumption, YieldWhenDue


@dataclass(frozen=True, slots=True)
class AbstractionRequest:
    """How states are compared, as --abstract says: lists and trees below ``tree_depth`` count as one node, arrays as
    the cells that were accessed. None: trees are compared whole.
    """

    lists: bool
    arrays: bool
    tree_depth: int | None


def make_subsumption(
    machine: Machine,
    meeting: Sized,
    yields: YieldChoices,
    covers: Chain,
    demands: Demands,
    abstraction: tuple[AbstractionRequest, Facts] | None,
    *,
    keeps_all: bool,
) -> Pruned:
    """States that earlier ones cover are not explored.

    ``meeting`` are the waiting states with which others may be joined. ``covers`` answers the questions about values.
    ``abstraction`` comes with the facts that must be the same in states that cover each other; without it states are
    compared exactly. ``keeps_all``: what the program cannot reach counts too.
    """
    registers = LiveRegisters(machine.facts, without_scopes)
    pruner = Subsumption(
        yields.covered,
        Implication(covers),
        Roots(registers, keeps_all=keeps_all),
        machine.sightings,
        machine.program.c_types,
        demands,
        None if abstraction is None else _abstraction(*abstraction, registers, covers),
    )
    yielding = YieldWhenDue(meeting, yields.meeting, yields.alone, always=MARK in machine.program.declarations)
    return Pruned(yielding, pruner, pruner.forget, pruner.finish, pruner.counts)


def _abstraction(request: AbstractionRequest, facts: Facts, registers: LiveRegisters, covers: Chain) -> Abstraction:
    arrays = Arrays(registers, covers) if request.arrays else None
    return Abstraction(registers, Shapes(request.lists, request.tree_depth), arrays, facts)
