"""Makes the stepper of --loops abstract, with the invariants that users state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.expressions import names_in
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.module import Function, Program
from unfork.reduce.invariants.abstract_loops import AbstractLoops, LoopRequest
from unfork.reduce.invariants.candidates import Stated, StatedInvariant, read_invariant
from unfork.reduce.invariants.houdini import Sought
from unfork.reduce.invariants.proposals import Proposals

Reading = Callable[[StatedInvariant, State], Value | None]
"""What an invariant says in a state (1 bit); None where a name has no value."""


@dataclass(frozen=True, slots=True)
class InvariantRequest:
    """The invariants that users state (--invariant), and how to read one in a state."""

    stated: tuple[str, ...]
    reading: Reading


@dataclass(frozen=True, slots=True)
class ProofPoints:
    """Functions whose paths a proof follows: ``within`` them no loop is taken at once, nor one that calls a function
    that is ``watched``.
    """

    within: Collection[str] = ()
    watched: Collection[str] = ()


def make_abstract_loops(
    request: InvariantRequest,
    machine: Machine,
    stepper: Stepper,
    chain: Chain,
    coverage: BranchCoverage,
    points: ProofPoints,
    *,
    notices_unwritten: bool,
    takes_arrays: bool,
) -> AbstractLoops:
    """The stepper that takes the program's own loops for any number of iterations at once, but for those at ``points``.

    ``notices_unwritten``: reading an uninitialised byte is a fault. ``takes_arrays``: arrays may become objects of any
    length. Raises InputError for invariants that fit no loop.
    """
    step = machine.step_of_instructions()
    names = step.names
    return AbstractLoops(
        stepper,
        chain,
        lambda prefix, width: symbol(f"{prefix}{names.symbol()}", width),
        machine.facts,
        step.traces,
        coverage,
        LoopRequest(
            machine.program.library.union(points.within),
            points.watched,
            _statements(request, machine),
            notices_unwritten,
            takes_arrays,
        ),
    )


def make_sought(request: InvariantRequest, machine: Machine, chain: Chain) -> Sought:
    """What a proof looks for at the loops that it cuts. Raises InputError for invariants that fit no loop."""
    return Sought(_statements(request, machine), lambda entry: Proposals(chain, entry, ()))


def _statements(request: InvariantRequest, machine: Machine) -> Callable[[Function, int], Sequence[Stated]]:
    """The stated invariants of each loop. Raises InputError."""
    invariants = _invariants(request.stated, machine.program)

    @cache
    def of_loop(function: Function, head: int) -> Sequence[Stated]:
        locations = _source_locations(function, head)
        here = [each for each in invariants if any(_is_at(each, *location) for location in locations)]
        return [Stated(each, request.reading) for each in here]

    return of_loop


def _invariants(texts: Sequence[str], program: Program) -> list[StatedInvariant]:
    stated: list[StatedInvariant] = []
    known = program.names() if texts else frozenset()
    for text in texts:
        try:
            invariant = read_invariant(text)
            for name in sorted(names_in(invariant.expression) - known):
                raise ValueError(f"no variable of the program is called {name!r}")
            stated.append(invariant)
        except ValueError as problem:
            raise InputError(f"--invariant {text!r}: {problem}") from None
    if not stated:
        return stated
    own = [program.function(name) for name in program.own]
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
    """The lines (file, line) that name a loop: where its head decides, and where its iterations end."""
    flow = control_flow(function)
    body = flow.loops.get(head, ())  # unknown for a loop with several entries
    ends = [block for block in flow.predecessors[head] if block in body]
    positions = [end_position(function, block) for block in (head, *ends)]
    return {(position.file, position.line) for position in positions if position is not None}


def _is_at(invariant: StatedInvariant, file: str, line: int) -> bool:
    return invariant.line == line and _is_file(invariant.file, file)


def _is_file(named: str, file: str) -> bool:
    return file == named or file.endswith(f"/{named}")
