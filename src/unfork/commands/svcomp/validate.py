"""Validates a witness of SV-COMP: follows it to a violation, or proves its invariants and with them the property."""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from unfork.commands.assemble import bounding, machines, solving, starting
from unfork.commands.assemble.building import ONE_AT_A_TIME, build_program
from unfork.commands.assemble.machines import MachineSetup
from unfork.commands.assemble.solving import Backend
from unfork.commands.svcomp.svcomp import (
    HARMLESS,
    PROVEN,
    UNDECIDED,
    Answer,
    SvcompTask,
    called_errors,
    first_error,
    options_for,
)
from unfork.commands.witness import witnesses
from unfork.commands.witness.loop_invariants import reasons_against
from unfork.commands.witness.properties import Property
from unfork.commands.witness.waypoints import CannotFollow, asserted, end_of_main, stages
from unfork.commands.witness.witness import Read, Segment, read_witness
from unfork.commands.witness.witnessed import ENDING, Search, WitnessFollower
from unfork.engine.protocols.fault import Aspect, name_of
from unfork.engine.protocols.outcome import Fault
from unfork.engine.state.state import State
from unfork.engine.step.statics import makes_threads
from unfork.errors import CompileError, InputError
from unfork.logic.solve.solver import Effort
from unfork.options.options import Options
from unfork.program.c.probes import ProbedText
from unfork.program.c.source_places import SourceLocations
from unfork.program.c.syntax import text_of
from unfork.program.llvm.module import Program
from unfork.world.inputs.doubts import all_names, doubts, returns
from unfork.world.inputs.testcase import position_of
from unfork.world.kernel.known_functions import library


def validate(task: SvcompTask, options: Options, witness: Path) -> Answer:
    """The verdict on a witness: false(...) if a path that follows it fails at its target, true if its invariants hold
    and no path violates the property, else unknown.

    Raises InputError for a witness that is not for the task, or that cannot be read.
    """
    try:
        read = read_witness(witness.read_text("utf-8", "replace"), str(witness))
    except OSError as problem:
        raise InputError(f"{witness} cannot be read: {problem.strerror}") from None
    _check_task(task, read, witness)
    try:
        with ONE_AT_A_TIME:
            if read.segments is None:
                return _prove(task, options_for(task, options), read)
            return _follow(task, options_for(task, options), read.segments)
    except CannotFollow as problem:
        return Answer(UNDECIDED, (f"{witness}: {problem}",))
    except CompileError as problem:
        return Answer(UNDECIDED, (first_error(problem),))


def _check_task(task: SvcompTask, read: Read, witness: Path) -> None:
    if hashlib.sha256(task.file.read_bytes()).hexdigest() not in read.digests:
        raise InputError(f"{witness} is not about {task.file}: the hash is another one")
    if read.data_model != task.data_model:
        raise InputError(f"{witness} is for {read.data_model}, not {task.data_model}")
    if "".join(read.formula.split()) not in _formulae(task.property):
        raise InputError(f"{witness} is not about {task.property.name} ({read.formula})")


def _formulae(wanted: Property) -> set[str]:
    return {"".join(text.split()) for text in (wanted.formula, wanted.specification)}


def _with_calls(task: SvcompTask, options: Options, probed: ProbedText) -> Program:
    """The program with calls at the places of the witness. Raises CannotFollow if the compiler refuses them."""
    build_program(options, [task.file], [task.file])  # its own mistakes are not those of the witness
    try:
        return build_program(options, [task.file], [task.file], instead=probed.text)
    except CompileError as problem:
        raise CannotFollow(f"what it says has no meaning in its place: {first_error(problem)}") from None


# --- violations


def _follow(task: SvcompTask, options: Options, segments: tuple[Segment, ...]) -> Answer:
    """Whether some path that follows a witness fails at its target."""
    budget = bounding.budget(options, time.monotonic())
    text = text_of(task.file)
    probed, wanted, endings = stages(text, segments)
    program = _with_calls(task, options, probed)
    source, target = SourceLocations(str(task.file), text), segments[-1].follow
    following, found = WitnessFollower(wanted, endings), list[str]()

    def is_target(state: State, fault: Fault) -> bool:
        part = task.property.violated(fault.kind, name_of(fault.aspect))
        position = position_of(fault)
        line = None if position is None else source.line(position.file, position.line)
        if part is None or position is None or line is None:
            return False
        column = probed.back(line, position.column)
        if column is None:  # the failure is at the witness's expression
            return False
        spot = witnesses.target_of(source, replace(position, column=column))
        if fault.kind == "leak":
            ending = state.remembered[ENDING]
            spot = endings[ending] if ending >= 0 else end_of_main(text)
        if not witnesses.is_there(spot, target.line, target.column):
            return False
        found.append(part)
        return True

    with closing(solving.solver(options)) as solver:
        manner = MachineSetup(library(following.models()))
        machine = machines.engine(options, program, Backend(solver, Effort()), budget, manner).machine
        first = starting.start(options)(machine, starting.command(options, ()))
        search = Search(following, is_target, lambda: time.monotonic() > budget.deadline)
        if search.run(machine, first):
            return Answer(f"false({found[0]})")
    reason = "no path that follows the witness was found to reach its target"
    return Answer(UNDECIDED, (reason if search.doubt is None else f"{reason}: {search.doubt}",))


# --- invariants


def _prove(task: SvcompTask, options: Options, read: Read) -> Answer:
    """Whether the invariants of a witness hold and no path violates the property."""
    text = text_of(task.file)
    probed, source = asserted(text, read.invariants), SourceLocations(str(task.file), text)

    def is_harmless(program: Program, fault: Fault) -> bool:
        if fault.kind == "reach-error" and task.property.name != "unreach-call":
            return not any(returns(program, name) for name in called_errors(program))
        return fault.kind in HARMLESS and fault.aspect is not Aspect.VERIFIER_ASSERTION

    def with_calls(chosen: Options) -> Program:
        program = _with_calls(task, chosen, probed)
        if makes_threads(program):
            raise CannotFollow("no witness of a program with threads is followed")
        for doubt in doubts(program, all_names(program)):
            raise CannotFollow(f"the task has no answer: {doubt}")
        return program

    reasons = reasons_against(options, read.invariants, with_calls, source, str(task.file), is_harmless)
    return Answer(UNDECIDED, tuple(reasons)) if reasons else Answer(PROVEN)
