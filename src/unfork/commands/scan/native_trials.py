"""Tries an entry natively on mutated arguments, and follows on the engine what that shows.

Native runs take paths a thousand times as fast as the engine, which finds the few inputs among them that are worth
it: those that crash, and those that take new edges. Each is followed on symbols (Godefroid05, section 2), so that a
fault on its path, or beside it, is judged like any other.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from unfork.commands.afterwards.native_check import BuildOrigin, TrialSources
from unfork.commands.assemble import starting
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.seed_conduct import SeedConduct
from unfork.engine.protocols.events import Ended, Event
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.state.flat_layout import as_read
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import Onlooker
from unfork.engine.step.follow import follow, without_unmodelled
from unfork.errors import InputError
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.seeded import SeededQuestions, UncheckedPath
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term, Value
from unfork.patience import Patience
from unfork.program.c.escape import c_string
from unfork.program.c.object_calls import text_of_drivers
from unfork.program.facts.makers import makers
from unfork.program.llvm.c_types import CType, Pointer, RecordType
from unfork.program.llvm.module import Program
from unfork.report.replay.native_fuzzer import NativeFinds, NativeFuzzer
from unfork.world.inputs import heap_data
from unfork.world.inputs.argument_bytes import ArgumentBytes
from unfork.world.inputs.input_values import SeededInputs
from unfork.world.inputs.testcase import Error, error_of

LARGEST = 1024
"""The most bytes of an input."""
MEGABYTES = 800
"""The most memory of a native process."""
_NATIVE = 0.8
"""The part of the time in which native programs are built and run; the rest is for following."""
_SEED = 1
_SLOT = 0.5
"""Seconds between two looks at what native runs found."""
_QUIET, _QUIET_TIMES = 2.0, 9
"""They end after these seconds without news, or this multiple of the time until the last news, as exploration does."""
_CRASHES = 8
"""With so many inputs that crash, they end."""
_LONGEST = 2_000_000
"""Instructions for which an input is followed."""
_OF_QUERY = 1.0
"""Seconds for a question about a fault beside a path. This and the five before it were set without a trial."""


class NativeTrials:
    """The native trials of the function that ``explorer`` explores."""

    def __init__(self, explorer: Explorer, origin: BuildOrigin) -> None:
        self._explorer, self._origin = explorer, origin
        self._machine, self._command = explorer.parts.engine.machine, explorer.parts.command
        self._coverage = Onlooker(explorer.parts.engine.coverage)
        self._beside: set[Error] = set()
        """The faults beside paths that the solver was asked about."""
        self._wanted = explorer.options.fuzzer if explorer.options.is_given("fuzzer") else "auto"

    def run(self, known: Iterable[State], tell: Callable[[Event], None], patience: Patience, seconds: float) -> None:
        """Try the function for so many seconds, or until patience is over, and ``tell`` of the paths with faults.

        ``known`` are paths to begin with. Nothing is tried if bytes cannot say what the arguments are.
        """
        arguments = self._of_function()
        if arguments is None:
            return
        heaps = [heap_data.of_state(each, each.path.model()) for each in known]
        first = [arguments.input_of(each) for each in heaps if each is not None]

        def is_over() -> bool:
            return patience.is_over() or self._explorer.interrupt.requested

        found = self._found(arguments, first, seconds * _NATIVE, is_over)
        for data in [*sorted(found.crashes, key=len), *sorted([each for each, _ in found.inputs], key=len)]:
            if is_over():
                return
            self._follow(arguments.contents(data), tell, is_over)

    def _of_function(self) -> ArgumentBytes | None:
        """How the bytes of an input are the arguments; None if they cannot be, or are better explored."""
        program, options = self._explorer.program, self._explorer.options
        name = options.function
        if program.is_narrow or not self._origin.is_allowed or self._wanted == "none" or name == "main":
            return None
        states = starting.start(options)(self._machine, self._command)
        driver = program.object_drivers.get(name)
        if driver is None and any(_is_made(program, each.type) for each in states[0].lazy.arguments):
            return None  # where its object comes from, calls of its makers show
        optional = {} if driver is None else driver.optional_arguments()
        arguments = ArgumentBytes(program, program.function(name), states[0], optional)
        return arguments if arguments.is_known and arguments.takes_contents else None

    def _found(
        self, arguments: ArgumentBytes, first: Sequence[bytes], seconds: float, is_over: Callable[[], bool]
    ) -> NativeFinds:
        """What native runs show that begin with some inputs."""
        with tempfile.TemporaryDirectory(prefix="unfork-trial-") as scratch, contextlib.suppress(InputError):
            folder = Path(scratch)
            folder.chmod(0o711)  # enclosed programs run as a user without rights, who must get this far
            target = folder / "unfork_trial.c"
            target.write_text(arguments.target())
            native = self._origin.fuzzer(
                folder, self._wanted, LARGEST, None, TrialSources(target, self._with_driver(folder))
            )
            native.megabytes = MEGABYTES
            for data in first:
                native.give(data)
            try:
                return _fuzzed(native, seconds, is_over)
            finally:
                native.close()
        return NativeFinds()

    def _with_driver(self, folder: Path) -> dict[str, str]:
        """The file that has the driver which is explored, by the file that it stands for."""
        program = self._explorer.program
        driver = program.object_drivers.get(self._explorer.options.function)
        if driver is None:
            return {}
        source, own = program.c_types.source_of(driver.entry.function), folder / "unfork_driver.c"
        own.write_text(f"#include {c_string(str(Path(source).resolve()))}\n{text_of_drivers([driver])}")
        return {source: str(own)}

    # --- following

    def _follow(self, contents: dict[str, bytes], tell: Callable[[Event], None], is_over: Callable[[], bool]) -> None:
        """Follow the path of an input, and tell of its fault, and of those beside it."""
        model = Model({})
        questions = SeededQuestions(model, lambda: False)
        conduct = _TrialConduct(questions, SeededInputs(contents, model))
        machine = self._machine.following_turn_by_turn(conduct, self._coverage)
        beside: dict[Error, Failed] = {}

        def own(outcomes: list[Outcome]) -> list[Outcome]:
            for outcome in outcomes:
                if isinstance(outcome, Failed) and isinstance(outcome.state.path, UncheckedPath):
                    beside.setdefault(error_of(outcome.fault), outcome)
            kept = [each for each in without_unmodelled(outcomes) if not isinstance(each.state.path, UncheckedPath)]
            return kept if len(kept) < 2 else [each for each in kept if self._is_plain(each)]

        started = starting.start(self._explorer.options)(machine, self._command)
        outcome: Outcome | None = None
        for outcome in follow(machine, started[0], FORKS, own):
            if isinstance(outcome, Running) and (outcome.state.instructions > _LONGEST or is_over()):
                break
        if isinstance(outcome, Failed) or (isinstance(outcome, Halted) and outcome.end == "exit"):
            self._settle(outcome.state)
        if isinstance(outcome, Failed):
            tell(Ended(outcome))
        for error, failed in beside.items():
            if error not in self._beside and not is_over():
                self._beside.add(error)
                self._check(failed, tell)

    def _is_plain(self, outcome: Outcome) -> bool:
        """Whether the pointers of objects are as native runs have them: null, or those of variables as they begin."""
        state = outcome.state
        if isinstance(outcome, Killed):
            return False
        for (number, offset), address in state.lazy.pointers.items():
            item = state.lazy.find(number)
            expected = 0
            if item is not None and item.variable is not None:
                data = self._machine.statics.memory().objects[number].data
                expected = as_read(int.from_bytes(data[offset : offset + 8], "little"), state.memory)
            if address != expected:
                return False
        return True

    def _settle(self, state: State) -> None:
        """Count the edges of a path as covered."""
        self._explorer.parts.engine.coverage.settle(self._coverage.numbers_there(state.pending, self._explorer.program))
        self._coverage.renew()

    def _check(self, failed: Failed, tell: Callable[[Event], None]) -> None:
        """Ask the solver, for a moment, for an input with a fault beside a path."""
        path, chain = failed.state.path, self._explorer.parts.engine.chain
        assert isinstance(path, UncheckedPath)
        before, chain.timeout = chain.timeout, min(chain.timeout, _OF_QUERY)
        checked = chain.assume(path.before, path.condition)
        chain.timeout = before
        if isinstance(checked, PathCondition):
            failed.state.path = checked
            tell(Ended(failed))


def _fuzzed(native: NativeFuzzer, seconds: float, is_over: Callable[[], bool]) -> NativeFinds:
    """What native runs find, until they find nothing new for long."""
    native.look()  # what exploration came to is known
    found = NativeFinds()
    began = news = time.monotonic()
    while time.monotonic() < began + seconds and not is_over() and len(found.crashes) < _CRASHES:
        more = native.fuzz(_SLOT, 1, _SEED, is_over)
        found.inputs += more.inputs
        found.crashes += more.crashes
        now = time.monotonic()
        news = now if more.inputs or more.crashes else news
        if now - news > max(_QUIET, _QUIET_TIMES * (news - began)):
            break
    return found


def _is_made(program: Program, kind: CType) -> bool:
    """Whether a parameter takes an object with pointers that functions of the program make."""
    target = program.c_types.target(kind) if isinstance(kind, Pointer) else None
    cells = program.c_types.cells(target) if isinstance(target, RecordType) and target in makers(program) else None
    return cells is not None and cells.holds_pointers


class _TrialConduct(SeedConduct):
    """Follows one input, whose places in an object of the input are those that it has there."""

    def located(self, state: State, offset: Value, size: Value, item: MemoryObject) -> Value:
        if not isinstance(offset, Term) or item.kind != LAZY or isinstance(state.path, UncheckedPath):
            return offset
        place = self.questions.evaluate(state.path, offset)
        path = self.questions.assume(state.path, build.eq(offset, place, 64))
        assert isinstance(path, PathCondition)
        state.path = path
        return place
