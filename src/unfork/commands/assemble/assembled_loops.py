"""The loops that --loops abstract takes for any number of turns at once, with the invariants that users state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from unfork.commands.assemble.joins import variables
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.step import UNINITIALISED
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.logic.terms.term import Value
from unfork.options.options import Options
from unfork.program.c.expressions import names_in
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.module import Function, Program
from unfork.reduce.invariants.abstract_loops import AbstractLoops, LoopRequest
from unfork.reduce.invariants.candidates import Stated, StatedInvariant, read_invariant
from unfork.reduce.invariants.houdini import Sought, nothing_sought
from unfork.reduce.invariants.proposals import Proposals
from unfork.reduce.merge.states import Origins


@dataclass(frozen=True, slots=True)
class ProofPoints:
    """Functions in which a proof looks at paths: within them, so that loops are not taken in a step; and at all."""

    within: Collection[str]
    watched: Collection[str]


def abstract_loops(
    options: Options,
    machine: Machine,
    stepper: Stepper,
    chain: Chain,
    coverage: BranchCoverage,
    proof: ProofPoints | None = None,
) -> AbstractLoops:
    """The stepper that takes loops at once, but for those of the library and those in which a ``proof`` looks at paths.

    Raises InputError for invariants that fit no loop.
    """
    return AbstractLoops(
        stepper,
        chain,
        Origins(machine.step_of_instructions().names).number,
        machine.facts,
        machine.step_of_instructions().traces,
        coverage,
        LoopRequest(
            machine.program.library.union(proof.within if proof else ()),
            proof.watched if proof else (),
            _statements(options, machine),
            UNINITIALISED in options.check,
            proof is None and "leak" not in options.check,
        ),
    )


def of_proof(
    options: Options, machine: Machine, stepper: Stepper, chain: Chain, coverage: BranchCoverage, proof: ProofPoints
) -> tuple[Stepper, Sought]:
    """The stepper of a proof, and what is looked for at loops that it cuts: nothing without --loops abstract."""
    if options.loops != "abstract":
        return stepper, nothing_sought()
    taking = abstract_loops(options, machine, stepper, chain, coverage, proof)
    return taking, Sought(_statements(options, machine), lambda entry: Proposals(chain, entry, ()))


def _statements(options: Options, machine: Machine) -> Callable[[Function, int], Sequence[Stated]]:
    """What users state of a loop. Raises InputError."""
    invariants = _invariants(options, machine.program)
    known = variables(machine)

    def reading(invariant: StatedInvariant, state: State) -> Value | None:
        return known.here(state, len(state.frames) - 1).says(invariant.expression)

    @cache
    def of_loop(function: Function, head: int) -> Sequence[Stated]:
        locations = _source_locations(function, head)
        here = [each for each in invariants if any(_is_at(each, *location) for location in locations)]
        return [Stated(each, reading) for each in here]

    return of_loop


def _invariants(options: Options, program: Program) -> list[StatedInvariant]:
    stated: list[StatedInvariant] = []
    known = program.names() if options.invariant else frozenset()
    for text in options.invariant:
        try:
            invariant = read_invariant(text)
            for name in sorted(names_in(invariant.expression) - known):
                raise ValueError(f"no variable of the program is called {name!r}")
            stated.append(invariant)
        except ValueError as problem:
            raise InputError(f"--invariant {text!r}: {problem}") from None
    if not stated:
        return stated
    own = [program.function(name) for name in program.defined if name not in program.library]
    lines = {
        location
        for function in own
        for head in control_flow(function).loop_heads
        for location in _source_locations(function, head)
    }
    for invariant in stated:
        if not any(_is_at(invariant, *line) for line in lines):
            near = ", ".join(map(str, sorted({line for file, line in lines if _is_file(invariant.file, file)})))
            here = f"loops of that file are at {near}" if near else "there is no loop in that file"
            raise InputError(f"--invariant {invariant.file}:{invariant.line}: no loop is there; {here}")
    return stated


def _source_locations(function: Function, head: int) -> set[tuple[str, int]]:
    """The lines (file, line) by which a loop is named: where its head decides, and where its turns end."""
    flow = control_flow(function)
    body = flow.loops.get(head, ())  # of a loop with several entries nobody knows
    ends = [block for block in flow.predecessors[head] if block in body]
    positions = [end_position(function, block) for block in (head, *ends)]
    return {(position.file, position.line) for position in positions if position is not None}


def _is_at(invariant: StatedInvariant, file: str, line: int) -> bool:
    return invariant.line == line and _is_file(invariant.file, file)


def _is_file(named: str, file: str) -> bool:
    return file == named or file.endswith(f"/{named}")
