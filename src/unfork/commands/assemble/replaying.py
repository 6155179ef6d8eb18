"""Machines beside a run: they replay its tests, or follow their paths with symbolic inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from unfork.commands.assemble import machines
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.starting import start
from unfork.engine.machine.machine import Machine
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import InputSource
from unfork.engine.step.follow import Guided
from unfork.engine.step.step import INDETERMINATE, UNINITIALISED
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import FOREVER, NoSolver, Solver
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.report.replay import concolic as replay_concolic
from unfork.report.replay.engine import EngineReplayer, TestSource
from unfork.report.replay.observers import InputObserver
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.kernel.known_functions import NO_MODELS, Models, library

if TYPE_CHECKING:
    from unfork.report.replay.concolic import Concolic


def _seeking_faults(options: Options) -> Options:
    """The options for a single path, where indeterminate values matter only if they are faults."""
    checks = choose(options).checks
    if INDETERMINATE not in checks:
        return options
    return replace(options, check=tuple(sorted(checks.difference((UNINITIALISED, INDETERMINATE)))))


def _alone(source: InputSource) -> InputSource:
    return source


def replayer(
    options: Options,
    program: Program,
    coverage: BranchCoverage,
    is_cut: Callable[[State], bool],
    backend: Solver,
    deadline: float = FOREVER,
    around: Callable[[InputSource], InputSource] = _alone,
    more: Models = NO_MODELS,
) -> EngineReplayer:
    """Replays tests on a machine of its own, which covers into ``coverage`` and stops at ``deadline``.

    The solver only says what depends on unwritten bytes, if --check looks for that. ``around`` puts another source of
    inputs around that of the test. The program may also call the functions of ``more``.
    """
    options = _seeking_faults(options)
    notices = UNINITIALISED in choose(options).checks
    source = TestSource(SymbolicInputs() if notices else None)
    solver, timeout = (backend, choose(options).queries.timeout) if notices else (NoSolver(), FOREVER)
    asked = Chain(solver, timeout, deadline=deadline)
    surroundings = InputObserver()
    models = library({**surroundings.models, **more})
    manner = machines.MachineSetup(models, surroundings.templates, keeps_variables=True)
    replaying = machines.machine(options, program, asked, around(source), coverage, manner)
    return EngineReplayer(replaying, source, surroundings, start(options), is_cut)


def concolic(options: Options, program: Program) -> tuple[Machine, Concolic]:
    """A machine that runs tests with symbolic inputs, turn by turn in loops, and the guide that keeps it on a path."""
    guide = replay_concolic.Concolic()
    turning = replace(_seeking_faults(options), loops="run")
    return machines.machine(turning, program, Guided(guide), guide, BranchCoverage(), machines.MachineSetup()), guide
