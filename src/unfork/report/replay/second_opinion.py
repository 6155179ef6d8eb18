"""A second opinion on errors. A replay on the engine repeats the engine's mistakes; a native run does not."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.errors import InputError
from unfork.program.llvm.subprocesses import TooSlow
from unfork.report.replay import account, binary, jail
from unfork.world.inputs.testcase import (
    NOT_ASKED,
    Error,
    Exit,
    NativeOpinion,
    NativeVisibility,
    Opinion,
    Replayed,
    TestCase,
)

if TYPE_CHECKING:
    from unfork.report.replay.account import NativeEnding, ReplayRow

OUT_OF_TIME = Opinion(NativeOpinion.UNCHECKED, "no time was left")
_HELD_UP = ("Sanitizer", "jail:", "error while loading shared libraries")
"""Standard error contains one of these if the sanitizer, the jail or the loader ended a run, not the program."""


def _never(error: Error) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Build:
    """A native build of the program. ``run`` takes a test and a limit in seconds; it returns None at the limit.

    ``came_to`` says whether the last run is known to have reached an error's line.
    """

    run: Callable[[TestCase, float], NativeEnding | None]
    has_sanitizers: bool
    came_to: Callable[[Error], bool] = _never


class NoCheck:
    """Checks nothing."""

    is_cut_short = False

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        return NOT_ASKED

    def close(self) -> None: ...


class NativeCheck:
    """Asks native builds about errors. ``builds`` takes a folder and a deadline, and makes builds one by one.

    The first build decides. The next one may still confirm an error that it denies: a program may be right with one
    compiler and C library, and wrong with others. After a test that runs out of time, no other runs: the program may
    never end.
    """

    def __init__(self, builds: Callable[[Path, float], Iterator[Build]], deadline: float) -> None:
        self._make = builds
        self._deadline = deadline
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._builds: list[Build] = []
        self._others: Iterator[Build] = iter(())
        self._trouble: Opinion | None = None
        self._missing = ""
        """Why there is no second build, if time was short."""

    @property
    def is_cut_short(self) -> bool:
        """Whether a denial rests on one build alone because the run's time ended before a second one."""
        return bool(self._missing) and time.monotonic() >= self._deadline

    def prepare(self) -> None:
        """Make the first build. Raises InputError if that is impossible, and TooSlow."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="unfork-native-", ignore_cleanup_errors=True)
            self._others = self._make(Path(self._folder.name), self._deadline)
            self._builds.append(next(self._others))

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        """The opinion of native runs on the error in the engine's replay of ``test``."""
        if isinstance(replayed.end, Error) and replayed.end.kind == "nontermination":
            return Opinion(NativeOpinion.UNCHECKED, "no native run shows that the program never ends")
        if self._trouble is None:
            try:
                self.prepare()
            except InputError as problem:
                self._trouble = Opinion(NativeOpinion.UNCHECKED, str(problem))
            except TooSlow:
                self._trouble = OUT_OF_TIME
        if self._trouble is not None:
            return self._trouble
        try:
            return self._ask(replace(test, expect=replayed.end), replayed)
        except KeyboardInterrupt:  # the second Ctrl-C: the run ends, and the engine's word on the error stands
            self._trouble = Opinion(NativeOpinion.UNCHECKED, "interrupted")
            return self._trouble

    def _ask(self, test: TestCase, replayed: Replayed) -> Opinion:
        first = self._opinion(self._builds[0], test, replayed)
        if first.word is not NativeOpinion.DENIED:
            return first
        if len(self._builds) == 1:
            try:
                self._builds += [other for other in [next(self._others, None)] if other is not None]
            except InputError:
                self._others = iter(())
            except TooSlow:
                self._others = iter(())
                self._missing = "; there was no time for a second build, which may confirm it"
        others = [self._opinion(other, test, replayed) for other in self._builds[1:]]
        denied = replace(first, reason=f"{first.reason}{self._missing}")
        return next((other for other in others if other.word is NativeOpinion.CONFIRMED), denied)

    def _opinion(self, build: Build, test: TestCase, replayed: Replayed) -> Opinion:
        seconds = min(binary.TIME_LIMIT, self._deadline - time.monotonic())
        if seconds <= 0:
            return OUT_OF_TIME
        endings: list[NativeEnding | None] = []

        def run(given: TestCase) -> NativeEnding | None:
            endings.append(build.run(given, seconds))
            return endings[-1]

        try:
            row = account.run_natively("", test, run, build.has_sanitizers)
        except (InputError, TooSlow) as problem:  # a function's tests are compiled one by one
            return Opinion(NativeOpinion.UNCHECKED, str(problem) or OUT_OF_TIME.reason)
        if row.judgement == account.OUT_OF_TIME:
            self._trouble = Opinion(NativeOpinion.UNCHECKED, "an earlier native run did not end in time")
        ending = endings[-1] if endings else None
        opinion = _judge(row, ending, _is_enough(replayed.sight, build) and test.is_given())
        if opinion.word is NativeOpinion.DENIED and replayed.asked and not _came_to(build, test):
            return Opinion(
                NativeOpinion.UNCHECKED, f"{opinion.reason}, and is not known to come here{_why(replayed.asked)}"
            )
        return opinion


def _is_enough(sight: NativeVisibility, build: Build) -> bool:
    return sight is NativeVisibility.ANY or (sight is NativeVisibility.SANITIZED and build.has_sanitizers)


def _came_to(build: Build, test: TestCase) -> bool:
    return isinstance(test.expect, Error) and build.came_to(test.expect)


def _why(asked: Sequence[str]) -> str:
    names = [*asked[:3], *(["..."] if len(asked) > 3 else [])]
    return f": the system may answer otherwise ({', '.join(names)})"


def _judge(
    row: ReplayRow, ending: NativeEnding | None, must_show: bool
) -> Opinion:  # if the kind of fault is one that shows
    if row.judgement == account.AS_EXPECTED:
        return Opinion(NativeOpinion.CONFIRMED, None)
    if row.judgement.startswith(account.ENGINE_ONLY) and ending is None:
        return Opinion(NativeOpinion.UNCHECKED, row.judgement)
    if ending is None:
        return Opinion(NativeOpinion.NOT_SEEN, "a native run of the test did not end in time")
    if ending.status == jail.NO_JAIL or any(word in ending.text for word in _HELD_UP):
        must_show = False
    reason = f"a native run of the test ends with {account.end_text(row.ended)}"
    denied = must_show and isinstance(row.ended, Exit)
    return Opinion(NativeOpinion.DENIED if denied else NativeOpinion.NOT_SEEN, reason)
