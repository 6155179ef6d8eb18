"""--prune subsume: states that earlier ones cover are not explored."""

from __future__ import annotations

from unfork.commands.assemble.joins import predicate, variables
from unfork.commands.assemble.machines import Engine
from unfork.commands.assemble.merging import Scheduled
from unfork.commands.assemble.pruned import Pruned, covers
from unfork.commands.assemble.yielding import YieldChoices
from unfork.engine.machine.machine import Machine
from unfork.engine.state.live_registers import LiveRegisters, without_scopes
from unfork.engine.step.step import UNINITIALISED
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.options.option_rules import abstractions
from unfork.options.options import Options
from unfork.reduce.merge.abstraction_rules import PredicateFacts, check_predicates
from unfork.reduce.prune.abstraction import Abstraction
from unfork.reduce.prune.array_cells import Arrays
from unfork.reduce.prune.fold import Shapes
from unfork.reduce.prune.implication import Implication
from unfork.reduce.prune.places import MARK
from unfork.reduce.prune.roots import Roots
from unfork.reduce.prune.subsume import Demands, Subsumption, YieldWhenDue


def pruned(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """States are compared at the points of ``yields``, exactly or as --abstract says."""
    machine, asked = engine.machine, covers(options, engine)
    checks = frozenset(options.check)
    demands = Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    registers = LiveRegisters(machine.facts, without_scopes)
    pruner = Subsumption(
        yields.covered,
        Implication(asked),
        Roots(registers, keeps_all="leak" in checks),
        machine.sightings,
        machine.program.c_types,
        demands,
        _abstraction(options, machine, registers, asked),
    )
    meeting = () if options.merge == "none" else schedule.frontier
    yielding = YieldWhenDue(meeting, yields.meeting, yields.alone, always=MARK in machine.program.declarations)
    return Pruned(machine, yielding, pruner, pruner.forget, pruner.finish, pruner.counts)


def _abstraction(options: Options, machine: Machine, registers: LiveRegisters, asked: Chain) -> Abstraction | None:
    """How states are compared that may cover each other, as --abstract says; None: exactly."""
    named = abstractions(options)
    if not named:
        return None
    predicates = tuple([predicate(text) for text in options.predicate])
    try:
        check_predicates(predicates, machine.program.names())
    except ValueError as problem:
        raise InputError(f"--predicate {problem}") from None
    facts = PredicateFacts(predicates, variables(machine))
    arrays = Arrays(registers, asked) if "array" in named else None
    return Abstraction(registers, Shapes("list" in named, named.get("tree")), arrays, facts.of)
