"""Puts the parts of one exploration together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from unfork.commands.assemble import bounding, machines, outputs, policies, solving, starting
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.solving import Backend
from unfork.commands.assemble.step_stack import StepWrappers, made, stacked
from unfork.commands.assemble.yielding import yields
from unfork.engine.explore.finished_share import FinishedShare
from unfork.engine.explore.limits import Budget
from unfork.engine.explore.make_bounds import make_bound, make_turn_counter
from unfork.engine.explore.tally import CountingTally, PointCounts, Tally
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.protocols.stopper import Bound
from unfork.engine.state.state import State
from unfork.engine.step.machine_location import SourceWhereabouts
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.reduce.merge.lineage import Lineage
from unfork.reduce.merge.make_merge import Scheduled
from unfork.reduce.merge.refinement import JoinRequest, Refinement
from unfork.reduce.prune.pruned import Pruned
from unfork.report.record.summary import Assumptions
from unfork.report.record.traces import Traces
from unfork.world.inputs.command import CommandLine
from unfork.world.kernel.known_functions import NO_MODELS, Models, library

if TYPE_CHECKING:
    from unfork.reduce.invariants.abstract_loops import AbstractLoops


@dataclass(frozen=True, slots=True)
class ExplorationParts:
    """The parts of an exploration that has not begun. ``first`` are its first states."""

    command: CommandLine
    engine: Engine
    tally: Tally
    scheduled: Scheduled
    pruned: Pruned
    abstract_loops: AbstractLoops | None
    stepper: Stepper
    bound: Bound
    first: Sequence[State]
    graph: ExecutionGraph
    traces: Traces
    refinement: Refinement
    assumptions: Assumptions
    placing: CountingTally
    share: FinishedShare
    whereabouts: SourceWhereabouts
    infers: bool
    """Whether joins infer predicates, so that all may be explored again."""


def assemble(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    backend: Backend,
    budget: Budget,
    more: Models = NO_MODELS,
) -> ExplorationParts:
    """The parts that ``options`` name. Queries go to ``backend`` until the ``budget`` is spent.

    The program may also call the functions of ``more``. Raises InputError for parts that do not go together.
    """
    choices, command = choose(options), starting.command(options, arguments)
    manner = MachineSetup(library(more), scans_own=not choices.loops.is_abstract)

    def asked(seconds: float) -> None:
        placing.asked(seconds)

    engine = machines.engine(options, program, backend, budget, manner, asked)
    machine = engine.machine
    whereabouts = SourceWhereabouts(machine.step_of_instructions(), machine.facts, program.library)
    coverage = engine.coverage
    sides = PointCounts(infeasible=coverage.infeasible, unknown=coverage.unknown, untested=coverage.untested)
    placing = CountingTally(sides, whereabouts)
    rests, refinement = yields(choices, program), Refinement()
    scheduled = policies.scheduled(choices, engine, rests, JoinRequest(refinement, placing.refused))
    pruned = policies.pruned(choices, engine, scheduled, rests)
    measured = stacked(machine, StepWrappers(earning=pruned.earning))
    loops = policies.abstract_loops(choices, engine, measured, policies.covers(choices, engine))
    stepper = stacked(
        measured,
        StepWrappers(
            abstract_loops=made(loops or measured),
            precondition=partial(bounding.requiring, options, choices, engine),
            schedules=partial(bounding.scheduling, choices, machine),
            turns=partial(make_turn_counter, choices.bounds, program.library, machine.facts),
        ),
    )
    calls = outputs.calls(options, program)
    tally, graph = Tally(bounds_hit=Counter(() if calls is None else ("max-calls",))), ExecutionGraph()
    return ExplorationParts(
        command=command,
        engine=engine,
        tally=tally,
        scheduled=scheduled,
        pruned=pruned,
        abstract_loops=loops,
        stepper=stepper,
        bound=make_bound(choices.bounds),
        first=starting.start(options)(machine, command),
        graph=graph,
        # its queries, which tell paths apart for tests, are not the exploration's
        traces=Traces(Lineage(graph.parents), solving.chain(options, backend.solver, budget)),
        refinement=refinement,
        assumptions=Assumptions(outputs.assumptions(options, program, calls)),
        placing=placing,
        share=FinishedShare(),
        whereabouts=whereabouts,
        infers=choices.infers,
    )
