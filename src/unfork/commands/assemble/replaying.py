"""Machines beside a run: for replays of its tests, and along their paths."""

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
    """The options of who follows one path: what depends on unwritten bytes matters to it only where that is a fault."""
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
    """Replay on the engine: a machine of its own, which covers into ``coverage`` and stops at ``deadline``.

    The solver is asked what depends on unwritten bytes, where that is looked for, and nothing else. ``around`` puts
    another source of inputs around that of the test; the program may call the functions of ``more``, too.
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
    """A machine that runs tests with symbolic inputs, and what guides it. It takes loops turn by turn."""
    guide = replay_concolic.Concolic()
    turning = replace(_seeking_faults(options), loops="run")
    return machines.machine(turning, program, Guided(guide), guide, BranchCoverage(), machines.MachineSetup()), guide
