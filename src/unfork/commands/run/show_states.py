"""unfork show --states: explores a run's program once more, with its options, and shows states at statements."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from unfork.commands.assemble import bounding
from unfork.commands.assemble.building import ONE_AT_A_TIME, build_program
from unfork.commands.assemble.raced_strategies import as_strategy
from unfork.commands.assemble.step_stack import StepWrappers, stacked
from unfork.commands.run.meetings import Queue
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.engine.explore.at_statements import LookingStepper, Statements, Wanted, YieldAtStatements
from unfork.engine.meaning.c_values import CValue
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.state import State
from unfork.errors import InputError
from unfork.logic.terms.c_terms import alternatives, words
from unfork.logic.terms.term import Value
from unfork.options import option_rules
from unfork.options.options import Options
from unfork.options.strategies import BUNDLES
from unfork.program.c.escape import escape_text
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import DebugVariable, Position
from unfork.reduce.merge.make_joins import make_variables
from unfork.reduce.merge.scope import Variables
from unfork.report.record.kept_run import read_exploration, where_it_ran
from unfork.report.record.text import plural
from unfork.report.replay.second_opinion import NoCheck

MOST_SECONDS = 30.0
"""Seconds that the exploration may take, or fewer if the run had fewer."""
_FULL = "states"


class _Enough:
    def __init__(self, limits: Stopper, states: StatementStates) -> None:
        self._limits = limits
        self._states = states

    def look(self, frontier: Frontier) -> str | None:
        return _FULL if self._states.is_full else self._limits.look(frontier)


def states(root: Path, location: str | None, strategy: str | None) -> Sequence[str]:
    """Lines on the states that come to each statement of a run's program, or to those at a ``location`` (FILE:LINE).

    ``strategy`` explores; None is the one that began the run. Raises InputError.
    """
    run = read_exploration(root)
    summary = run.summary
    if "arguments" not in summary:
        raise InputError(f"{root}: an earlier version wrote it, and it does not say what the program was started with")
    options = _options(option_rules.from_dict(summary["options"]), frozenset(summary["given"]), strategy)
    with ONE_AT_A_TIME, where_it_ran(run) as run:
        files, arguments = tuple(summary["program"]), tuple(summary["arguments"])
        program = build_program(options, [run.root / "program.bc"], files)
        budget = bounding.budget(options, time.monotonic()).at_most(MOST_SECONDS)
        raced = StrategyPlan("", 0, files, options, arguments, budget)
        return _explore(raced, program, _position_filter(location), location)


def _options(options: Options, given: frozenset[str], strategy: str | None) -> Options:
    if strategy is not None and strategy not in BUNDLES:
        raise InputError(f"--strategy {escape_text(strategy)}: is none of {', '.join(BUNDLES)}")
    options = replace(
        options,
        given=given,
        tests="errors",
        formats=("json",),
        cores=None,
        cluster=None,
        dump_smt=None,
        audit=False,
        count_paths=False,
        quiet=True,
    )
    return options if strategy is None else as_strategy(options, strategy)


def _position_filter(location: str | None) -> Wanted:
    if location is None:
        return lambda position: True
    file, _, line = location.rpartition(":")
    if not file or not line.isdecimal():
        raise InputError(f"--states {escape_text(location)}: a statement is FILE:LINE")
    number = int(line)

    def is_there(position: Position) -> bool:
        return position.line == number and (position.file == file or position.file.endswith("/" + file))

    return is_there


def _explore(raced: StrategyPlan, program: Program, wanted: Wanted, location: str | None) -> list[str]:
    with raced.apart(program) as explorer:
        parts = explorer.parts
        written = StatementStates(make_variables(parts.engine.machine))
        statements = Statements(wanted, program.library)
        wrappers = StepWrappers(looking=partial(LookingStepper, statements=statements, look=written.look))
        yielding = YieldAtStatements(parts.pruned.yielding, statements)
        explorer.parts = replace(
            parts, stepper=stacked(parts.stepper, wrappers), pruned=replace(parts.pruned, yielding=yielding)
        )
        recorder = explorer.recorder(Queue(), (), NoCheck())
        recorder.run_nothing_on()
        with explorer.interrupt:
            observers = explorer.observers(recorder, ())
            explorer.loop(recorder, observers, _Enough(explorer.limits(recorder, observers), written))
        lines = list(written.lines())
        if not lines and location is not None:
            lines = [f"no state came to a statement at {escape_text(location)}"]
        return [*lines, "", _closing_line(explorer.stopped_by)]


def _closing_line(stopped_by: str | None) -> str:
    if stopped_by is None:
        return "all states of this exploration are here"
    if stopped_by == _FULL:
        return f"the first {MOST_STATES:,} states are here; FILE:LINE shows those of a statement alone"
    return f"{escape_text(stopped_by)} has ended this exploration: there may be more states"


MOST_STATES = 5_000
"""States at all statements together."""
MOST_SHOWN = 40
"""Different states that are shown at a statement."""
_CONDITIONS = 24
"""The last so many conditions of a path are shown."""
Location = tuple[str, int, str]


class StatementStates:
    """Writes down states as they come to statements, until there are enough."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._states: dict[Location, Counter[str]] = {}
        self.count = 0

    @property
    def is_full(self) -> bool:
        return self.count >= MOST_STATES

    def look(self, state: State, position: Position) -> None:
        if not self.is_full:
            self.count += 1
            here = self._states.setdefault((position.file, position.line, position.function), Counter())
            here[self._text(state)] += 1

    def lines(self) -> Iterator[str]:
        """The statements by file and line, with their states in the order in which they first came."""
        for (file, line, function), states in sorted(self._states.items()):
            total, different = sum(states.values()), len(states)
            same = "" if total == different else f", {different:,} of them different"
            yield f"{escape_text(file)}:{line} in {escape_text(function)}: {plural(total, 'state')}{same}"
            for text, times in list(states.items())[:MOST_SHOWN]:
                yield f"  {escape_text(text)}" + (f"  {times:,} times" if times > 1 else "")
            if different > MOST_SHOWN:
                yield f"  and {different - MOST_SHOWN:,} more"

    def _text(self, state: State) -> str:
        known = [(variable.name, _summary(value)) for variable, value in self._known(state) if value is not None]
        paths = "" if state.multiplicity == 1 else f"  of {state.multiplicity:,} paths"
        values = ", ".join(f"{name} -> {text}" for name, text in known)
        return f"({{{', '.join(_path(state))}}}, [{values}]){paths}"

    def _known(self, state: State) -> list[tuple[DebugVariable, CValue | None]]:
        return sorted(
            [*self._variables.locals(state, len(state.frames) - 1), *self._variables.changed_globals(state)],
            key=lambda entry: entry[0].name,
        )


def _path(state: State) -> Sequence[str]:
    conditions = state.path.constraints()
    texts = [words(condition, 1, signed=False) for condition in conditions[-_CONDITIONS:]]
    hidden = len(conditions) - len(texts)
    return [f"{hidden} more", *texts] if hidden else texts


def _summary(known: CValue) -> str:
    """A value, or its alternatives with their guards."""
    kind = known.type
    parts: list[tuple[Value, Value]] = alternatives(known.value)
    if len(parts) == 1:
        return words(parts[0][1], kind.width, signed=kind.signed)
    texts = [(words(part, kind.width, signed=kind.signed), words(guard, 1, signed=False)) for guard, part in parts]
    return "{" + ", ".join([f"({_enclose(text)} | {_enclose(guard)})" for text, guard in texts]) + "}"


def _enclose(text: str) -> str:
    return f"({text})" if " | " in text else text
