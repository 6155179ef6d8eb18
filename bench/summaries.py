"""The most that summaries of small callees could save: ``python -m bench.summaries [NAMES] [--sources DIR] [...]``.

Functions of releases (bench/scan.py) that lead to small callees are run alone, plain, for ``--seconds`` of CPU time
each. Small is what could become a summary: no loop, at most ``--instructions`` of them, calls of nothing but small
functions and models. What a summary could save at most is what is spent in such a callee, and on paths that came out of
one as an earlier path did: the same value, the same memory. A sampling profiler tells; the rest is spent with summaries
too, and making and using them costs nothing here. "but questions" leaves out what the callee spends on whether its
cases are feasible and where its pointers lead in the caller's heap: whoever uses a summary has to know that as well.
"""

from __future__ import annotations

import argparse
import signal
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from bench.scan import RELEASES
from unfork.commands.assemble import bounding, outputs
from unfork.commands.assemble.building import build_for_run, given
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.meetings import Until
from unfork.commands.run.strategy_worker import StrategyPlan
from unfork.commands.scan.scanning import CHECKS
from unfork.engine.instructions import call_instructions, control
from unfork.engine.machine.machine import Machine
from unfork.engine.state.memory import Memory
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.step import Step
from unfork.errors import UnforkError
from unfork.options.options import Options
from unfork.program.facts.cfg import control_flow
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import Function, Program
from unfork.report.record.directory import RunDirectory

ENTERED: Fact[int] = Fact("summaries: the call of a small function that the path is in", EqualPart(), 0)
AGAIN: Fact[bool] = Fact("summaries: whether another path left a small function in the same way", EqualPart(), False)
QUESTIONS = ("logic/solve/chain.py", "engine/memory/loads.py")
"""Whatever is done below these is for the condition of a case or for the caller's memory."""
INTERVAL = 0.002
"""Seconds of CPU time between two samples."""


def callees(function: Function) -> set[str] | None:
    """The names that a function calls; None if it calls through a pointer."""
    found = set()
    for instruction in function.instructions():
        if isinstance(instruction, Call):
            if not isinstance(instruction.callee, GlobalAddress):
                return None
            found.add(instruction.callee.name)
    return found


def small_functions(program: Program, most: int) -> frozenset[str]:
    """The functions of the program itself that could become summaries."""
    own = {name: program.function(name) for name in program.defined if name not in program.library}
    waiting = {
        name: called
        for name, function in own.items()
        if not control_flow(function).loop_heads
        and sum(1 for _ in function.instructions()) <= most
        and (called := callees(function)) is not None
    }
    small: set[str] = set()
    while more := {name for name, called in waiting.items() if not (called & set(program.defined)) - small} - small:
        small |= more
    return frozenset(small)


@dataclass(slots=True)
class Spent:
    """Of one kind of work, all of it and what is saved at most."""

    whole: float = 0
    saved: float = 0

    def add(self, amount: float, *, is_saved: bool) -> None:
        """Some more."""
        self.whole += amount
        self.saved += amount if is_saved else 0

    @property
    def gain(self) -> float:
        """By how much less it gets."""
        return self.whole / max(self.whole - self.saved, 1e-9)


@dataclass(slots=True)
class Profile:
    """What one release costs."""

    cpu: Spent = field(default_factory=Spent)
    but_questions: Spent = field(default_factory=Spent)
    queries: Spent = field(default_factory=Spent)
    paths: Spent = field(default_factory=Spent)
    calls: int = 0
    functions: int = 0


class Watch:
    """Follows the paths of one exploration into small functions and out of them."""

    def __init__(self, machine: Machine, small: frozenset[str], profile: Profile) -> None:
        self._machine = machine
        self._small = small
        self._profile = profile
        self._numbers = count(1)
        self._exits: defaultdict[int, list[tuple[RegisterValue, Memory]]] = defaultdict(list)
        self._cpu = time.process_time()
        self._queries = machine.statistics.queries

    def entered(self, state: State) -> None:
        """A function was entered."""
        if not state.remembered[ENTERED] and len(state.frames) > 1 and state.frames[-1].function.name in self._small:
            state.remembered[ENTERED] = next(self._numbers)
            self._profile.calls += 1

    def leaves(self, state: State, value: RegisterValue) -> None:
        """The top frame is about to return."""
        if any(frame.function.name in self._small for frame in state.frames[1:-1]):
            return
        number = state.remembered[ENTERED]
        if not number:
            return
        state.remembered[ENTERED] = 0
        exits = self._exits[number]
        if any(value is other or value == other for other, memory in exits if memory.same(state.memory)):
            state.remembered[AGAIN] = True
        else:
            exits.append((value, state.memory.fork()))

    def sample(self, signal_number: int, running: FrameType | None) -> None:
        """What was spent since the last sample is of where the running path is now."""
        state = self._machine.step_of_instructions().state
        is_again = state.remembered[AGAIN]
        is_saved = is_again or state.remembered[ENTERED] > 0
        cpu, queries = time.process_time(), self._machine.statistics.queries
        self._profile.cpu.add(cpu - self._cpu, is_saved=is_saved)
        self._profile.but_questions.add(cpu - self._cpu, is_saved=is_again or (is_saved and not asks(running)))
        self._profile.queries.add(queries - self._queries, is_saved=is_again)
        self._cpu, self._queries = cpu, queries

    def tell(self, event: Any) -> None:
        """Count the paths that ended."""
        outcome = getattr(event, "outcome", None)
        if outcome is not None:
            self._profile.paths.add(1, is_saved=outcome.state.remembered[AGAIN])


def asks(running: FrameType | None) -> bool:
    """Whether Python is running below one of QUESTIONS."""
    while running is not None:
        if running.f_code.co_filename.endswith(QUESTIONS):
            return True
        running = running.f_back
    return False


def patched(watch: Watch) -> Callable[[], None]:
    """Have ``watch`` told of calls and returns; what takes that back."""
    enter, leave = call_instructions.enter, control.leave

    def entering(step: Step, *rest: Any) -> None:
        enter(step, *rest)
        watch.entered(step.state)

    def leaving(step: Step, value: RegisterValue) -> None:
        watch.leaves(step.state, value)
        leave(step, value)

    def back() -> None:
        call_instructions.enter, control.leave = enter, leave

    call_instructions.enter, control.leave = entering, leaving
    return back


def explore(program: Program, files: tuple[str, ...], name: str, asked: argparse.Namespace, profile: Profile) -> None:
    """Run the function ``name`` alone, as a scan does, and add to ``profile`` what that costs."""
    words: dict[str, Any] = {
        "function": name,
        "globals": "initial" if program.constructors else "symbolic",
        "sizes": "pair",
        "all_errors": True,
        "tests": "errors",
        "strategy": ("plain",),
        "max_time": 10.0 * asked.seconds,
        "check": CHECKS,
    }
    [(_, options)] = strategies(replace(Options(), **words, given=frozenset(words)))
    whole = bounding.budget(options, time.monotonic())
    with (
        tempfile.TemporaryDirectory() as folder,
        StrategyPlan("plain", 0, files, options, (), whole).explorer(program, whole) as explorer,
    ):
        for part in ("tests", "errors"):
            (Path(folder) / part).mkdir()
        recorder = explorer.recorder(RunDirectory(Path(folder)), outputs.formats(options, lambda: program), None)
        parts = explorer.parts
        watch = Watch(parts.engine.machine, small_functions(program, asked.instructions), profile)
        told = explorer.whole((parts.tally, parts.placing, parts.traces, parts.assumptions, watch))
        until = time.process_time() + asked.seconds
        back, before = patched(watch), signal.signal(signal.SIGPROF, watch.sample)
        try:
            signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
            over = "max-time"
            explorer.loop(
                recorder, told, lambda limits: Until(limits, lambda: over * (time.process_time() > until) or None)
            )
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
            back()
    profile.functions += 1


def callers(program: Program, small: frozenset[str], most: int) -> list[str]:
    """Functions that call a small one, evenly chosen."""
    own = [name for name in program.defined if name not in program.library and name not in small]
    calling = [name for name in own if (callees(program.function(name)) or set()) & small]
    return calling[:: max(1, len(calling) // most)][:most]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["cjson", "hiredis", "jansson"])
    parser.add_argument("--sources", type=Path, default=Path(tempfile.gettempdir()) / "unfork-scan")
    parser.add_argument("--seconds", type=float, default=4, help="of CPU time for a function (default 4)")
    parser.add_argument("--functions", type=int, default=20, help="of a release at most (default 20)")
    parser.add_argument("--instructions", type=int, default=80, help="of a small function at most (default 80)")
    parser.add_argument("--each", action="store_true", help="print the sums after each function, too")
    asked = parser.parse_args()
    for release in RELEASES:
        if not any(fnmatch(release.name, pattern) for pattern in asked.names):
            continue
        files, flags = release.library.unpack(release.tree, asked.sources)
        sources = given([str(file) for file in files])
        options = replace(Options(), cflags=" ".join(flags), given=frozenset(("cflags",)))
        program = build_for_run(options, sources)
        small = small_functions(program, asked.instructions)
        profile = Profile()
        for name in callers(program, small, asked.functions):
            try:
                explore(program, sources.names, name, asked, profile)
                if asked.each:
                    print(f"  {name}: {profile.cpu.saved:.1f} of {profile.cpu.whole:.1f} s so far", flush=True)
            except UnforkError as problem:
                print(f"{release.name}: {name}: {problem}")
        kinds = {"CPU": profile.cpu, "CPU but questions": profile.but_questions, "queries": profile.queries}
        gains = ", ".join(f"{what} {spent.gain:.2f}x" for what, spent in {**kinds, "paths": profile.paths}.items())
        print(
            f"{release.name}: {len(small)} small functions, {profile.functions} callers, {profile.calls:,} calls, "
            f"{profile.cpu.whole:.0f} s, {profile.paths.whole:,.0f} paths; at most {gains} less",
            flush=True,
        )


if __name__ == "__main__":
    main()
