"""The loops that --loops abstract takes for any number of turns at once, with the invariants that users state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from unfork.contracts.stepper import Stepper
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.execute.machine import Machine
from unfork.execute.step import UNINITIALISED
from unfork.facts.cfg import control_flow
from unfork.facts.nearest import end_position
from unfork.later import Later
from unfork.llvm.module import Function, Program
from unfork.logic.chain import Chain
from unfork.logic.term import Value
from unfork.options import Options
from unfork.state.state import State

if TYPE_CHECKING:
    from unfork.clang import expressions
    from unfork.invariants import abstract_loops as invariants_abstract_loops
    from unfork.invariants import candidates, houdini
    from unfork.invariants import proposals as proposing
    from unfork.invariants.abstract_loops import AbstractLoops
    from unfork.invariants.candidates import Invariant, Stated
    from unfork.invariants.houdini import Sought
    from unfork.merge import states
    from unfork.spec.annotated import Annotated
    from unfork.wiring import joins
else:
    invariants_abstract_loops = Later("unfork.invariants.abstract_loops")
    candidates = Later("unfork.invariants.candidates")
    houdini = Later("unfork.invariants.houdini")
    proposing = Later("unfork.invariants.proposals")
    states = Later("unfork.merge.states")
    expressions = Later("unfork.clang.expressions")
    joins = Later("unfork.wiring.joins")


def abstract_loops(
    options: Options,
    machine: Machine,
    stepper: Stepper,
    chain: Chain,
    coverage: BranchCoverage,
    annotated: Annotated | None = None,
) -> AbstractLoops | None:
    """The stepper that takes loops at once, if that is asked for, but for those of the library and those in which a
    proof looks at what is ``annotated``.

    Raises InputError for invariants that fit no loop.
    """
    if options.loops != "abstract":
        return None
    return invariants_abstract_loops.AbstractLoops(
        stepper,
        chain,
        states.Origins(machine.step_of_instructions().names).number,
        machine.facts,
        coverage,
        invariants_abstract_loops.Wanted(
            machine.program.library | (annotated.functions_with_places() if annotated else set()),
            annotated.watched_functions() if annotated else (),
            _stated(options, machine),
            UNINITIALISED in options.check,
            "leak" in options.check,
        ),
    )


def sought(options: Options, machine: Machine, chain: Chain) -> Sought:
    """What is looked for at loops that a proof cuts: only with --loops abstract, anything."""
    if options.loops != "abstract":
        return houdini.nothing_sought()
    return houdini.Sought(_stated(options, machine), lambda entry: proposing.Proposals(chain, entry, ()))


def _stated(options: Options, machine: Machine) -> Callable[[Function, int], Sequence[Stated]]:
    """What users state of a loop. Raises InputError."""
    invariants = _invariants(options, machine.program)
    variables = joins.variables(machine)

    def reading(invariant: Invariant, state: State) -> Value | None:
        return variables.here(state, len(state.frames) - 1).says(invariant.expression)

    @cache
    def of_loop(function: Function, head: int) -> Sequence[Stated]:
        places = _places(function, head)
        here = [each for each in invariants if any(_is_at(each, *place) for place in places)]
        return [candidates.Stated(each, reading) for each in here]

    return of_loop


def _invariants(options: Options, program: Program) -> list[Invariant]:
    stated: list[Invariant] = []
    known = program.names() if options.invariant else frozenset()
    for text in options.invariant:
        try:
            invariant = candidates.read_invariant(text)
            for name in sorted(expressions.names_in(invariant.expression) - known):
                raise ValueError(f"no variable of the program is called {name!r}")
            stated.append(invariant)
        except ValueError as problem:
            raise InputError(f"--invariant {text!r}: {problem}") from None
    if not stated:
        return stated
    own = [program.function(name) for name in program.defined if name not in program.library]
    lines = {
        place for function in own for head in control_flow(function).loop_heads for place in _places(function, head)
    }
    for invariant in stated:
        if not any(_is_at(invariant, *place) for place in lines):
            near = ", ".join(map(str, sorted({line for file, line in lines if _is_file(invariant.file, file)})))
            here = f"loops of that file are at {near}" if near else "there is no loop in that file"
            raise InputError(f"--invariant {invariant.file}:{invariant.line}: no loop is there; {here}")
    return stated


def _places(function: Function, head: int) -> set[tuple[str, int]]:
    """The lines (file, line) by which a loop is named: where its head decides, and where its turns end."""
    flow = control_flow(function)
    body = flow.loops.get(head, ())  # of a loop with several entries nobody knows
    ends = [block for block in flow.predecessors[head] if block in body]
    positions = [end_position(function, block) for block in (head, *ends)]
    return {(position.file, position.line) for position in positions if position is not None}


def _is_at(invariant: Invariant, file: str, line: int) -> bool:
    return invariant.line == line and _is_file(invariant.file, file)


def _is_file(named: str, file: str) -> bool:
    return file == named or file.endswith(f"/{named}")
