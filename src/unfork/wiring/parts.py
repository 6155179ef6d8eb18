"""The parts of one run, put together from its options and not yet begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unfork.contracts.stepper import Stepper
from unfork.contracts.stopper import Bound
from unfork.contracts.whereabouts import Whereabouts
from unfork.execute.coverage import BranchCoverage
from unfork.execute.machine import Machine
from unfork.execute.whereabouts import SourceWhereabouts
from unfork.explore.place_counts import PlaceCounts, Placing
from unfork.explore.tally import Tally
from unfork.explore.tree import ExecutionGraph
from unfork.inputs.command import Command
from unfork.inputs.source import SymbolicInputs
from unfork.later import Later
from unfork.library.model import Model
from unfork.llvm.module import Program
from unfork.logic.chain import Chain
from unfork.logic.solver import Solver, Statistics
from unfork.merge.lineage import Lineage
from unfork.merge.refinement import Refinement, Wanted
from unfork.options import Options
from unfork.report.assumptions import Assumptions
from unfork.report.traces import Traces
from unfork.state.state import State
from unfork.wiring import bounding, machines, merging, outputs, pruning, resting, solving, starting
from unfork.wiring.merging import Scheduled
from unfork.wiring.pruning import Pruned
from unfork.wiring.solving import Backend

if TYPE_CHECKING:
    from unfork.invariants.abstract_loops import AbstractLoops
    from unfork.wiring import loops
else:
    loops = Later("unfork.wiring.loops")


@dataclass(frozen=True, slots=True)
class Parts:
    """What an exploration is made of. ``first`` are the states that it begins with."""

    command: Command
    chain: Chain
    statistics: Statistics
    coverage: BranchCoverage
    tally: Tally
    machine: Machine
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
    placing: Placing
    whereabouts: Whereabouts


def assembled(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    backend: Backend,
    deadline: float,
    more: Mapping[str, Model] = machines.NO_MODELS,
) -> Parts:
    """The parts that ``options`` name. Queries go to ``backend``, and stop at ``deadline``.

    The program may call the functions of ``more``, besides those that all may. Raises InputError for what does not go
    together.
    """
    command = starting.command(options, arguments)
    tally, statistics, coverage, graph = Tally(), Statistics(), BranchCoverage(), ExecutionGraph()
    chain = solving.chain(options, backend.solver, statistics)
    chain.deadline = deadline
    source = SymbolicInputs()
    machine = machines.machine(options, program, chain, source, coverage, more)
    rests = resting.rests(options, program)
    refinement = Refinement()
    whereabouts = SourceWhereabouts(machine.step_of_instructions(), machine.facts, program.library)
    placing = Placing(PlaceCounts(), whereabouts)
    chain.asked = placing.asked
    scheduled = merging.scheduled(
        options, machine, chain, source, coverage, rests, backend.effort, Wanted(refinement, placing.refused)
    )
    pruned = pruning.pruned(options, machine, scheduled, rests, backend, deadline)
    abstract_loops = loops.abstract_loops(options, machine, pruned.stepper, chain, coverage)
    stepper = machines.required(options, abstract_loops or pruned.stepper, program, chain)
    stepper, bound = bounding.unwinding(options, stepper, program, machine.facts)
    first = starting.start(options)(machine, command)
    traces = _traces(options, graph, backend.solver, deadline)
    calls = outputs.calls(options, program)
    if calls is not None:
        tally.bounds_hit["max-calls"] += 1
    return Parts(
        command=command,
        chain=chain,
        statistics=statistics,
        coverage=coverage,
        tally=tally,
        machine=machine,
        scheduled=scheduled,
        pruned=pruned,
        abstract_loops=abstract_loops,
        stepper=stepper,
        bound=bound,
        first=first,
        graph=graph,
        traces=traces,
        refinement=refinement,
        assumptions=Assumptions(outputs.assumptions(options, program, calls)),
        placing=placing,
        whereabouts=whereabouts,
    )


def _traces(options: Options, graph: ExecutionGraph, backend: Solver, deadline: float) -> Traces:
    """The record of joins. Its queries, which tell paths apart for tests, do not count as the exploration's."""
    asked = solving.chain(options, backend, Statistics())
    asked.deadline = deadline
    return Traces(Lineage(graph.parents), asked)
