"""What does a waiting state take? Bytes of each part of the states that wait, what they share, tables, and the rest.

``python -m bench.memory PROGRAM...`` explores each program in a process of its own with one strategy, until it has
used so many CPU seconds or a limit stops it, and then walks over all that Python holds. A thing belongs to the part of
a state that leads to it first. It is *shared* where several waiting states lead to it, and counts once; terms and the
program itself belong to no state. The rest of the process is compiled regions, and what solvers keep outside Python.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import multiprocessing
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from bench.measure import WORLD
from unfork import host
from unfork.cli import parse
from unfork.commands.assemble import bounding
from unfork.commands.assemble.building import build_program
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Queue
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.objects import Beginnings
from unfork.engine.state.state import State
from unfork.logic.terms import term_table
from unfork.logic.terms.term import Term
from unfork.options.options import Options
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Position
from unfork.report.replay.second_opinion import NoCheck

WORDS = ("--cores", "1", "--quiet", "--no-progress", "--native-check", "never", "--tests", "errors")
ROWS = 9
"""Classes that are listed."""
LEAST = 1 << 16
"""Bytes of the smallest table that is listed."""
NOBODYS = (type, ModuleType, FunctionType, BuiltinFunctionType, Function, Program, Position, Beginnings)
"""What a walk does not enter: it is there without any state."""
PARTS = (
    ("path condition", ("path",)),
    ("frames", ("frames",)),
    ("memory", ("memory",)),
    ("inputs", ("inputs", "input_counts", "_kept")),
    ("output", ("output",)),
    ("what it remembers", ("remembered", "lazy", "iterations", "proof")),
    ("the rest of it", tuple(State.__slots__)),
)
"""The parts of a state, and the fields that they are in."""


class Walk:
    """What was met so far, each thing once, with whose it is."""

    def __init__(self) -> None:
        self.owner: dict[int, int] = {}
        """By the identity of a thing: the number of the state that led to it first, or SHARED."""
        self.bytes: Counter[str] = Counter()

    SHARED = -1

    def states(self, states: Sequence[State]) -> Iterator[tuple[str, int, int, Counter[tuple[str, bool]]]]:
        """For each part of a state: its name, the bytes that are one state's alone, those that are shared, by class."""
        met: dict[int, tuple[str, Any]] = {}
        contested: list[Any] = []
        for name, fields in PARTS:
            for number, state in enumerate(states):
                waiting = [state] if name == PARTS[-1][0] else list(_present(state, fields))
                while waiting:
                    thing = waiting.pop()
                    if isinstance(thing, (*NOBODYS, Term)):
                        continue
                    first = self.owner.setdefault(id(thing), number)
                    if id(thing) not in met:
                        met[id(thing)] = name, thing
                        waiting += gc.get_referents(thing)
                    elif first not in (number, self.SHARED):
                        contested.append(thing)
        while contested:
            thing = contested.pop()
            if self.owner.get(id(thing), self.SHARED) != self.SHARED:
                self.owner[id(thing)] = self.SHARED
                contested += gc.get_referents(thing)
        for name, _ in PARTS:
            classes: Counter[tuple[str, bool]] = Counter()
            for identity, (part, thing) in met.items():
                if part == name:
                    classes[type(thing).__name__, self.owner[identity] == self.SHARED] += sys.getsizeof(thing)
            alone = sum(size for (_, is_shared), size in classes.items() if not is_shared)
            yield name, alone, classes.total() - alone, classes

    def table(self, root: Any) -> tuple[int, Counter[str]]:
        """The bytes of what only this leads to, of all that was met before, and of which classes."""
        classes: Counter[str] = Counter()
        waiting = [root]
        while waiting:
            thing = waiting.pop()
            if isinstance(thing, (*NOBODYS, Term)) or id(thing) in self.owner:
                continue
            self.owner[id(thing)] = self.SHARED
            classes[type(thing).__name__] += sys.getsizeof(thing)
            waiting += gc.get_referents(thing)
        return classes.total(), classes

    def terms(self) -> tuple[int, Counter[str]]:
        """The bytes of all terms that there are, without what states and tables hold of them."""
        classes = Counter({"table": sys.getsizeof(term_table._table)})
        for each in (*term_table._table.values(), *term_table._constants.values()):
            if id(each) not in self.owner:
                self.owner[id(each)] = self.SHARED
                classes[type(each).__name__] += sys.getsizeof(each)
        for part in [part for each in term_table._table.values() for part in gc.get_referents(each)]:
            if id(part) not in self.owner and not isinstance(part, type):
                self.owner[id(part)] = self.SHARED
                classes[type(part).__name__] += sys.getsizeof(part)
        return classes.total(), classes


def _present(state: State, names: Sequence[str]) -> Iterator[Any]:
    """The values of fields that are there: to ask for one that is stowed would make it anew."""
    slots = {name: slot for kind in State.__mro__ for name, slot in vars(kind).items() if name in names}
    for name in names:
        with contextlib.suppress(AttributeError, KeyError):
            yield slots[name].__get__(state)


def tables(explorer: Explorer) -> Iterator[tuple[str, Any]]:
    """What an exploration keeps beside its states, by name; earlier ones own what they share with later ones."""
    parts = explorer.parts
    for owner in _solvers(parts.engine.chain):
        for name in _fields(owner):
            value = getattr(owner, name)
            if isinstance(value, dict | list | set) or type(value).__name__ in ("ByteSets", "Encoder", "Recent"):
                yield f"{type(owner).__name__}.{name}", value
    yield "scheduling and joins", parts.scheduled
    yield "graph", parts.graph
    yield "coverage", parts.engine.coverage
    yield "tally and traces", (parts.tally, parts.traces, parts.placing)
    yield "pruning", parts.pruned
    yield "machine and all else", parts


def _solvers(chain: Any) -> Iterator[Any]:
    waiting, met = [chain], set()
    while waiting:
        each = waiting.pop(0)
        if id(each) in met:
            continue
        met.add(id(each))
        yield each
        inner = [getattr(each, name) for name in _fields(each)]
        waiting += [value for value in inner if hasattr(value, "check") and hasattr(value, "forget")]


def _fields(thing: Any) -> list[str]:
    return list(getattr(thing, "__dict__", None) or getattr(type(thing), "__slots__", ()))


class Until:
    """Stops after so many CPU seconds of this process, unless the limits do."""

    def __init__(self, limits: Stopper, seconds: float) -> None:
        self._limits = limits
        self._end = time.process_time() + seconds

    def look(self, frontier: Frontier) -> str | None:
        """Whether it is time."""
        return "cpu" if time.process_time() > self._end else self._limits.look(frontier)


def explored(source: Path, options: Options, arguments: tuple[str, ...], seconds: float) -> Iterator[str]:
    """Explore a program and say what there is."""
    program = build_program(options, [source], (str(source),))
    name, chosen = strategies(options)[0]
    strategy = StrategyPlan(name, 0, (str(source),), chosen, arguments, bounding.budget(options, time.monotonic()))
    with strategy.explorer(program, strategy.budget) as explorer:
        recorder = explorer.recorder(Queue(), (), NoCheck())
        recorder.run_nothing_on()
        before, began = host.this().resident_bytes(), time.process_time()
        with explorer.interrupt:
            explorer.loop(recorder, explorer.observers(recorder, ()), partial(Until, seconds=seconds))
        spent = time.process_time() - began
        yield from account(explorer, spent, before)


def account(explorer: Explorer, spent: float, before: int) -> Iterator[str]:
    """The lines about an exploration that was interrupted."""
    tally, statistics = explorer.parts.tally, explorer.parts.engine.chain.statistics
    states = list(explorer.parts.scheduled.frontier)
    resident = host.this().resident_bytes()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    yield (
        f"{explorer.stopped_by or 'exhausted'} after {spent:.2f} CPU s, {tally.instructions:,} instructions, "
        f"{tally.forks:,} forks, {statistics.queries:,} queries; {len(states):,} states wait; "
        f"resident {resident >> 20} MB, {before >> 20} at first, peak {peak}"
    )
    gc.collect()
    gc.freeze()
    walk, count, python = Walk(), max(len(states), 1), 0
    everything: Counter[tuple[str, bool]] = Counter()
    yield f"{'a waiting state':<28}{'bytes':>8}{'shared':>9}"
    for name, alone, shared, classes in walk.states(states):
        yield f"  {name:<26}{alone / count:>8,.0f}{shared / count:>9,.0f}   {listed(classes, count)}"
        everything += classes
        python += alone + shared
    yield f"  {'all of it':<26}{everything.total() / count:>8,.0f}"
    yield f"{'beside them':<28}{'KB':>8}"
    before_sweep, gone = len(term_table._table), term_table.sweep()
    yield f"of {before_sweep:,} terms nobody needs {gone:,}"
    found = [(name, *walk.table(value)) for name, value in tables(explorer)]
    found.append(("terms", *walk.terms()))
    for name, size, kinds in sorted(found, key=lambda row: -row[1]):
        python += size
        if size > LEAST:
            yield f"  {name:<26}{size >> 10:>8,}            {listed(kinds, 1 << 10)}"
    yield f"  {'regions, solvers, unused':<26}{(resident - before - python) >> 10:>8,}"


def listed(classes: Counter[Any], unit: int) -> str:
    """The classes that take most, each with its size in units."""
    return ", ".join(
        f"{name if isinstance(name, str) else name[0] + ' (shared)' * name[1]} {size / unit:,.0f}"
        for name, size in classes.most_common(ROWS)
    )


def lines(source: Path, arguments: tuple[str, ...], words: Sequence[str], seconds: float) -> list[str]:
    """The same, to be called in a process of its own."""
    return list(explored(source, parse([*WORDS, *words])[1], arguments, seconds))


def main() -> None:
    """Print an account for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="+", help="C files, or bitcode of coreutils")
    parser.add_argument("--cpu", type=float, default=30, help="seconds for each (default: %(default)s)")
    parser.add_argument("--options", default="--strategy plain", help="of unfork run (default: %(default)s)")
    given = parser.parse_args()
    for program in given.programs:
        world = WORLD if program.suffix == ".bc" else ()
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            print(
                program.stem,
                *pool.submit(lines, program, world, given.options.split(), given.cpu).result(),
                sep="\n",
                flush=True,
            )


if __name__ == "__main__":
    main()
