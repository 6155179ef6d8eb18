"""Invariants of loops for correctness witnesses: guessed from one exploration, and checked in another one.

The second explores the program with a call at the head of each loop, where the compiler puts a guess into its scope. A
guess is kept if it is proved at every visit of every path, and no path is given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from unfork.commands.assemble.raced_strategies import as_strategy
from unfork.commands.witness.complete import Complete
from unfork.commands.witness.in_c import Relations, Variable
from unfork.commands.witness.visits import Assertions, LoopInSource, Visits
from unfork.commands.witness.witness import WitnessInvariant
from unfork.engine.meaning.scopes import is_signed
from unfork.engine.protocols.outcome import Fault
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expressions import Integral
from unfork.program.c.source_places import FileLocation, SourceLocations
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.module import Function, Program
from unfork.reduce.invariants.abstract_loops import Taken
from unfork.reduce.invariants.candidates import read_invariant
from unfork.reduce.merge.make_joins import make_variables
from unfork.reduce.merge.scope import Variables
from unfork.report.record.summary import ALONE

MOST_SECONDS = 10.0
"""For both explorations together."""
_MOST_SECONDS_OF_PROOFS = 60.0
"""For the proof of a witness, without a limit."""
MOST_RELATIONS = 24
_OF_ENDS = frozenset(("nontermination", "leak", "lost", "cleanup"))
_LEFT_OUT = _OF_ENDS.union(("uninitialised", "indeterminate"))
"""Checks of the past or future of a path, which change nothing at loops."""


def invariants(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    source: SourceLocations,
    text: str,
    rebuilt: Callable[[str], Program],
) -> list[WitnessInvariant]:
    """The proved invariants of the program's loops, one a loop, in the order of the source.

    ``rebuilt`` builds the program from another ``text``. Empty for a program that is not explored to its end.
    """
    chosen = _options(options)
    loops = dict(_loops(program, source))
    if not loops:
        return []
    seconds = MOST_SECONDS if options.max_time is None else min(options.max_time, MOST_SECONDS)
    deadline = time.monotonic() + seconds
    if not _guess(chosen, program, arguments, loops, deadline):
        return []
    _state(options, source, loops.values())
    by_spot: dict[FileLocation, LoopInSource] = {}
    for loop in loops.values():
        known = by_spot.setdefault(loop.spot, loop)  # the compiler may have made two loops of one
        if known is not loop:
            known.guesses = list(dict.fromkeys([*known.guesses, *loop.guesses]))
            known.variables |= loop.variables
            known.globals |= loop.globals
    ordered = sorted(by_spot.values(), key=lambda loop: (loop.spot.line, loop.spot.column or 0))
    return _check(chosen, ordered, text, rebuilt, (arguments, deadline))


def _options(options: Options) -> Options:
    """All paths, joined where they meet; loops for any number of turns."""
    checks = tuple([each for each in options.check if each not in _LEFT_OUT])
    plain = replace(as_strategy(options, "join"), loops="abstract", check=checks, count_paths=False, audit=False)
    return replace(plain, unwind=None, formats=("json",))


def _loops(program: Program, source: SourceLocations) -> Iterator[tuple[tuple[Function, int], LoopInSource]]:
    """The loops of the program's own functions whose keywords are found in the source."""
    for name in program.defined:
        if name in program.library:
            continue
        function = program.function(name)
        flow = control_flow(function)
        for head in flow.loop_heads:
            spots = {spot for block in flow.predecessors[head] if (spot := _keyword(function, block, source))}
            if len(spots) == 1:
                yield (function, head), LoopInSource(spots.pop(), function.source_name)


def _keyword(function: Function, block: int, source: SourceLocations) -> FileLocation | None:
    """The keyword of the loop at which an edge from a block has its position, as back edges have."""
    position = end_position(function, block)
    line = None if position is None or position.is_near else source.line(position.file, position.line)
    return None if position is None or line is None else source.loop_at(line, position.column)


# --- guesses


def _guess(
    options: Options,
    program: Program,
    arguments: Sequence[str],
    loops: Mapping[tuple[Function, int], LoopInSource],
    deadline: float,
) -> bool:
    """Note in ``loops`` what one exploration suggests; whether it came to its end."""
    with Complete(options, program, arguments, deadline) as explored:
        if not explored.to_its_end():
            return False
        taken = {} if explored.loops is None else explored.loops.taken
        facts = explored.parts.engine.machine.facts
        variables = make_variables(explored.parts.engine.machine)
        for (function, head), loop in loops.items():
            located = facts[function].visible.at(head, 0)
            for name, each in located.items():
                signed = is_signed(each.variable)
                if each.is_available and signed is not None and each.variable.size in (1, 2, 4, 8):
                    loop.variables.setdefault(name, Integral(8 * each.variable.size, signed))
            known = taken.get((function, head))
            if known is not None:
                visible = list(_visible(variables, known))
                loop.globals = {name for name, _, _ in visible if name not in located}
                loop.variables |= {name: kind for name, _, kind in visible if kind.width > 1}
                loop.guesses += list(dict.fromkeys(Relations(known, visible).all()))[:MOST_RELATIONS]
    return True


def _visible(variables: Variables, taken: Taken) -> Iterator[Variable]:
    """The integer variables at the head of a loop, with their values at the beginning of any turn."""
    state, names = taken.any.state, set()
    for variable, value in variables.locals(state, len(state.frames) - 1):
        names.add(variable.name)
        if value is not None:
            yield variable.name, value.value, value.type
    here = variables.here(state, len(state.frames) - 1)
    for variable, value in variables.changed_globals(state):
        if value is not None and variable.name not in names and here.number(variable.name) == value:
            yield variable.name, value.value, value.type


def _state(options: Options, source: SourceLocations, loops: Collection[LoopInSource]) -> None:
    """Add the invariants that the user has stated to the guesses."""
    for text in options.invariant:
        read = read_invariant(text)
        line = source.line(read.file, read.line)
        spot = None if line is None else source.loop(line)
        for loop in loops:
            if loop.spot == spot:
                loop.stated.append(read.text)


# --- checks


def reasons_against(
    options: Options,
    invariants: Sequence[WitnessInvariant],
    built: Callable[[Options], Program],
    source: SourceLocations,
    file: str,
    is_harmless: Callable[[Program, Fault], bool],
) -> list[str]:
    """Why it is not shown that invariants hold wherever they stand, and that no path fails; empty if it is shown.

    Loops are taken for any number of turns at once, and if that shows too little, turn by turn. The program ``built``
    from the C ``file`` has a call for each invariant. ``is_harmless`` says of faults whether they matter.
    """
    seconds = _MOST_SECONDS_OF_PROOFS if options.max_time is None else options.max_time
    deadline = time.monotonic() + seconds
    reasons: list[str] = []
    chosen = replace(as_strategy(options, "join"), formats=("json",))
    program = built(chosen)
    abstract = replace(chosen, loops="abstract", invariant=tuple(_statements(invariants, source, file)))
    ways = [chosen] if _OF_ENDS.intersection(options.check) else [abstract, chosen]
    for way in ways:
        check = Assertions()
        try:
            exploration = Complete(way, program, (), deadline, check.models())
        except InputError:  # it is stated about no loop that the compiler has left
            exploration = Complete(replace(way, invariant=()), program, (), deadline, check.models())
        with exploration as explored:
            check.is_rehearsing = explored.is_rehearsing
            if not explored.to_its_end():
                reasons = reasons or [f"not everything could be explored ({explored.left_out})"]
                continue
            reasons = [f"{_invariant_text(invariants[number])} is not proved" for number in sorted(check.broken)]
            reasons += [_fault_text(fault) for fault in explored.faults if not is_harmless(program, fault)]
            reasons += [assumed for assumed in explored.assumed() if assumed != ALONE]
        if not reasons:
            break
    return reasons


def _statements(invariants: Sequence[WitnessInvariant], source: SourceLocations, file: str) -> Iterator[str]:
    """The invariants of loops that may be supposed of any turn while it is shown that turns keep them.

    They are named by lines, so not where several loops begin on one, or where directives renumber lines.
    """
    for each in invariants:
        try:
            parse_expression(each.expression)
        except ValueError:
            continue
        is_named = source.loop(each.line) is not None and source.line(file, each.line) == each.line
        if each.at_loop and is_named and ":" not in file:
            yield f"{file}:{each.line}:{each.expression}"


def _fault_text(fault: Fault) -> str:
    where = "" if fault.position is None else f" at line {fault.position.line}"
    return f"{fault.kind}{where}: {fault.message}"


def _invariant_text(invariant: WitnessInvariant) -> str:
    return f"the invariant {invariant.expression} at line {invariant.line}"


def _check(
    options: Options,
    loops: Sequence[LoopInSource],
    text: str,
    rebuilt: Callable[[str], Program],
    rest: tuple[Sequence[str], float],
) -> list[WitnessInvariant]:
    """The guesses that hold at every visit of their loops."""
    check = Visits(loops)
    arguments, deadline = rest
    program = check.program(text, rebuilt)
    if program is None:
        check = Visits([loop.without_globals() for loop in loops])
        program = check.program(text, rebuilt)
    if program is None:
        return []
    with Complete(options, program, arguments, deadline, check.models()) as explored:
        check.is_rehearsing = explored.is_rehearsing
        if not explored.to_its_end():
            return []
    proved = []
    for number, loop in enumerate(loops):
        conditions = check.kept(number)
        if conditions:
            expression = " && ".join(conditions if len(conditions) == 1 else [f"({each})" for each in conditions])
            proved.append(WitnessInvariant(loop.spot.line, loop.spot.column, loop.function, expression))
    return proved
