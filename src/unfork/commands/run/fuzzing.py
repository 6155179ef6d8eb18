"""Works on a corpus beside the exploration: native fuzzing, paths of inputs that are rare, and files that others add.

A round gives time to three parties: native runs of mutated inputs, the paths of seeds (sowing), and the exploration
itself. A party that is the first to take more edges, or to find more errors, per second gets more of the next round.
Native counters say what is an edge, so that no party's inputs need a run on the engine to count.
"""

from __future__ import annotations

import contextlib
import heapq
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from unfork.commands.assemble.choices import choose
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.sowing import SeedField
from unfork.commands.run.success import FadingSuccess, shares
from unfork.engine.explore.endings import TimeIsOver, breakable_from
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.errors import InputError
from unfork.failures import Survival
from unfork.logic.solve.solver import FOREVER
from unfork.report.record.corpus_folder import ArrivingFiles, GrowingCorpus
from unfork.report.record.directory import WriteFailed
from unfork.report.record.recorder import Recorder
from unfork.report.record.text import plural
from unfork.report.replay.native_fuzzer import NativeFinds, NativeFuzzer
from unfork.world.inputs.fuzz_inputs import name_of
from unfork.world.inputs.testcase import Error

NATIVE, SEEDS, PATHS = "native runs", "paths of inputs", "exploration"
NO_PARTY = "files"
"""Stands for a party with files that were there, or that others add: no party is credited with them."""
SHORTEST, LONGEST = 2.0, 60.0
"""Seconds of a round, at least and at most. This and the next two were set without a trial."""
GROWTH = 3
"""A round is a third of all rounds before it."""
REPLAYS = 0.5
"""The part of the time of seeds in which inputs of native runs become seeds."""
LEAST = 0.02
"""The least share of a party; where native runs find hundreds of edges a round, as on cgltf in its first minute, what
others take is lost.
"""
LEAST_PATIENCE = 1 / 16
"""A party that finds nothing in a round has half its share in the next, down to this part; where all find nothing for
long, shares are equal again. Chosen on http-parser, where only native runs still find an edge every few seconds.
"""
PROBE = 0.2
"""Seconds of work in a round that may show that a party finds nothing."""
SOWING = 0.5
"""The part of the run's time that beginning with a corpus may take."""
PATIENCE = 2.0
"""Seconds for which files of a corpus run on the engine before native runs choose among the rest, which takes a build:
about as long as that takes for a target of one file.
"""
LAST = 1 << 62
"""The rank of inputs that others stand for."""
PER_SEED = 1_000_003
"""Between the first seeds of native processes of two runs with --seed one apart; each process adds its number."""
_RESTLESS = (
    "; no more native runs after the first rounds, since processes did not wait (the target handles SIGALRM, or blocks)"
)
NATIVE_CRASH = "native crash"
"""Why a verdict is open: a native run crashes on an input, and the engine's does not."""


InputChoice = Callable[[Sequence[bytes], Sequence[bytes]], NativeFinds]
"""Given inputs that were run and others, says by native runs which of the others to run. Raises InputError."""


@dataclass(slots=True)
class FuzzShare:
    """The time of a party, and what it found."""

    seconds: float = 0.0
    edges: int = 0
    errors: int = 0
    credit: float = 0.0
    """Seconds that it was granted and has not used."""
    patience: float = 1.0
    """The part of its share that it has, since it found nothing lately."""

    def judge(self, seconds: float, found: int) -> None:
        """Note what it found in a round, and the seconds that it worked."""
        if found:
            self.patience = 1.0
        elif seconds > PROBE:
            self.patience = max(self.patience / 2, LEAST_PATIENCE)


class FuzzCampaign:
    """Leads the rounds. Without a ``native`` fuzzer, it only takes files that others add."""

    def __init__(
        self,
        explorer: Explorer,
        recorder: Recorder,
        field: SeedField,
        growing: GrowingCorpus | None,
        arriving: ArrivingFiles,
        native: NativeFuzzer | None,
        cores: int,
    ) -> None:
        self._explorer = explorer
        self._recorder = recorder
        self._field = field
        self._growing = growing
        self._arriving = arriving
        self._native = native
        self._cores = cores
        self._most = explorer.parts.command.input_size if native is None else native.largest
        self._parties = {name: FuzzShare() for name in ((NATIVE,) if native is not None else ()) + (SEEDS, PATHS)}
        self._success = FadingSuccess()
        self._since = self._began = time.monotonic()
        """When exploration went on, and when the first round began."""
        self._found = (0, 0)
        """The edges and errors when exploration went on."""
        self._finds: list[tuple[int, int, bytes]] = []
        """A heap of the inputs that native runs found or chose others before, which are to become seeds: each with its
        rank and its number.
        """
        self._later = 0
        """How many files of the corpus native runs chose others before."""
        self._unchosen = ""
        """Why they could not choose."""
        self._rounds = 0
        self._seed = PER_SEED * choose(explorer.options).queries.seed
        self._inputs = 0
        self._slow = 0

    def sow(self, inputs: Sequence[bytes], choose: InputChoice | None) -> None:
        """Begin with a corpus, on the engine alone. If that takes long, native runs ``choose`` what runs first; the
        rest waits. Raises WriteFailed.
        """
        now, deadline = time.monotonic(), self._explorer.parts.engine.chain.deadline
        until = deadline if deadline == FOREVER else now + SOWING * (deadline - now)
        left = self._field.replay(inputs, until if choose is None else min(until, now + PATIENCE))
        done = inputs[: len(inputs) - len(left)]
        if choose is not None and len(left) > len(done) and not self._explorer.is_over():  # it would take as long again
            left = self._choose(choose, done, left, until)
        for data in self._field.replay(left, until):
            self._keep(data, LAST)
        self._field.follow_all(until)

    def _choose(
        self, choose: InputChoice, done: Sequence[bytes], left: Sequence[bytes], until: float
    ) -> Sequence[bytes]:
        """Those of the inputs ``left`` to run at once; all of them if native runs cannot say."""
        breakable = breakable_from(self._explorer.interrupt, until, lambda: True)
        try:
            with contextlib.suppress(TimeIsOver, KeyboardInterrupt), breakable:
                finds = choose(done, left)
                chosen = {*finds.crashes, *(data for data, _ in finds.inputs)}
                self._later = len(left) - len(chosen)
                for data in finds.crashes:
                    self._take_crash(data)
                for data in left:
                    if data not in chosen:
                        self._keep(data, LAST)
                return sorted(chosen - {*finds.crashes}, key=lambda data: (len(data), data))
        except InputError as problem:
            self._unchosen = str(problem)
        return left

    def between(self, stopper: Stopper) -> BetweenRounds:
        """The stopper of the exploration, which also lets the others work when its time is used up."""
        return BetweenRounds(stopper, self.look)

    # --- the rounds

    def is_due(self) -> bool:
        """Whether exploration has used up its time."""
        return time.monotonic() - self._since >= self._parties[PATHS].credit

    def look(self, frontier: Frontier) -> None:
        """Meet if it is time, and let exploration go on with the states that come. Raises WriteFailed."""
        if self.is_due() and not self._explorer.is_over():
            is_done = False
            with Survival(self._explorer.failures, "native fuzzing", WriteFailed):
                self.round()
                is_done = True
            if not is_done:  # exploration goes on without
                if self._native is not None:
                    self._native.close()
                self._native, self._parties[PATHS].credit = None, math.inf
            exploration, states = self._explorer.exploration, self._field.taken_states()
            if exploration is not None and states:
                exploration.begin(states)

    def round(self) -> None:
        """Let all parties but the exploration work, and share out the next round. Raises WriteFailed."""
        before = {name: (each.edges, each.errors, each.seconds) for name, each in self._parties.items()}
        self._take_files()
        if self._rounds:
            self._credit_exploration()
        self._rounds += 1
        self._grant()
        native = self._at_work()
        if native is not None and self._parties[NATIVE].credit > 0:
            self._fuzz(native, self._parties[NATIVE].credit)
        self._follow()
        done = {
            name: (each.edges - before[name][0], each.errors - before[name][1], each.seconds - before[name][2])
            for name, each in self._parties.items()
        }
        self._success.note(done)
        for name, (edges, errors, seconds) in done.items():
            self._parties[name].judge(seconds, edges + errors)
        self._found, self._since = self._counts(), time.monotonic()

    def _grant(self) -> None:
        length = min(max(SHORTEST, (time.monotonic() - self._began) / GROWTH), LONGEST)
        rates = self._success.rates() or dict.fromkeys(self._parties, ())
        granted = {
            name: max(share * self._parties[name].patience, LEAST) for name, share in shares(rates, LEAST, 1.0).items()
        }
        if self._native is None and not (self._finds or self._field.has_seeds()):
            del granted[SEEDS]
        if self._at_work() is None:
            granted.pop(NATIVE, None)
        total = sum(granted.values())
        for name, share in granted.items():
            party = self._parties[name]
            party.credit = min(party.credit, 0.0) + length * share / total

    def _at_work(self) -> NativeFuzzer | None:
        """The native fuzzer, unless its processes do not wait."""
        return None if self._native is None or self._native.is_restless else self._native

    def _credit(self, name: str, seconds: float, edges: int, errors: int) -> None:
        party = self._parties.get(name, FuzzShare())
        party.seconds += seconds
        party.credit -= seconds
        party.edges += edges
        party.errors += errors

    def _credit_exploration(self) -> None:
        edges, errors = self._counts()
        self._credit(PATHS, time.monotonic() - self._since, edges - self._found[0], errors - self._found[1])
        self._found, self._since = (edges, errors), time.monotonic()

    def _counts(self) -> tuple[int, int]:
        engine = self._explorer.parts.engine
        edges = engine.coverage.settled.count(1) if self._native is None else self._native.edges
        return edges, self._explorer.parts.tally.errors

    # --- the parties

    def _take_files(self) -> None:
        """Give files that came to the parties that have not seen them, and credit none with those of others."""
        if self._growing is not None:
            self._growing.catch_up()
        own = set[str]() if self._growing is None else self._growing.written
        files = [(data, name_of(data) in own) for data in self._arriving.read(self._most)]
        before = self._counts()
        self._give([data for data, is_own in files if not is_own])
        edges, errors = self._counts()
        self._found = (self._found[0] + edges - before[0], self._found[1] + errors - before[1])
        if self._native is not None:
            self._give([data for data, is_own in files if is_own])

    def _give(self, files: Sequence[bytes]) -> None:
        if self._native is None:
            for data in files:
                self._field.take(data, 0)
            return
        for data in files:
            self._native.give(data)
        self._take_finds(self._native.look(), NO_PARTY)

    def _fuzz(self, native: NativeFuzzer, seconds: float) -> None:
        began, edges = time.monotonic(), native.edges
        finds = native.fuzz(seconds, self._cores, self._seed, self._explorer.is_over)
        errors = self._take_finds(finds, NATIVE)
        self._credit(NATIVE, time.monotonic() - began, native.edges - edges, errors)

    def _take_finds(self, finds: NativeFinds, party: str) -> int:
        """Run crashes on the engine, and keep inputs as coming seeds and in the corpus. Returns how many errors."""
        errors = 0
        self._slow += finds.slow
        for data in finds.crashes:
            errors += self._take_crash(data)
        for data, rank in finds.inputs:
            if self._growing is not None and name_of(data) in self._growing.written:
                continue  # a test of the run itself
            if self._growing is not None and party != NO_PARTY:
                self._growing.write(data)
            self._keep(data, rank)
        return errors

    def _keep(self, data: bytes, rank: int) -> None:
        """Let an input wait until it is run on the engine."""
        self._inputs += 1
        heapq.heappush(self._finds, (rank, self._inputs, data))

    def _replay(self, until: float) -> None:
        """Run inputs of native runs on the engine, where those that add coverage become seeds."""
        while self._finds and time.monotonic() < until and not self._explorer.is_over():
            rank, _, data = heapq.heappop(self._finds)
            self._field.take(data, rank)

    def _take_crash(self, data: bytes) -> int:
        """Run an input that crashes natively. If the engine sees no error there, the verdict is open."""
        done = self._field.take(data, 0)
        if isinstance(done.end, Error):
            return done.errors
        self._explorer.parts.tally.kills[(NATIVE_CRASH, f"crash-{name_of(data)}: the engine's run has no error")] += 1
        if self._growing is not None:
            self._growing.write_crash(data, "a native run crashes on this input, and the engine's run of it does not")
        return 0

    def _follow(self) -> None:
        """Follow seeds, beside native runs on the other cores."""
        party = self._parties[SEEDS]
        if party.credit <= 0 or not (self._finds or self._field.has_seeds()):
            return
        began, seconds = time.monotonic(), party.credit
        beside, self._found = self._cores - 1, self._counts()
        native = self._at_work()
        if native is not None and beside:
            with ThreadPoolExecutor(1) as pool:
                running = pool.submit(native.fuzz, seconds, beside, self._seed, self._explorer.is_over)
                self._follow_until(began + seconds)
                finds = running.result()
            edges, errors = native.edges - self._found[0], self._take_finds(finds, NATIVE)
            self._credit(NATIVE, beside * (time.monotonic() - began), edges, errors)
            self._found = (native.edges, self._found[1] + errors)
        else:
            self._follow_until(began + seconds)
        self._take_files()
        edges, errors = self._counts()
        self._credit(SEEDS, time.monotonic() - began, edges - self._found[0], errors - self._found[1])

    def _follow_until(self, until: float) -> None:
        """Let inputs of native runs become seeds, and follow seeds; what one leaves of its time, the other takes."""
        now = time.monotonic()
        self._replay(now + REPLAYS * (until - now) if self._field.has_seeds() else until)
        self._field.follow_all(until)
        self._replay(until)

    # --- what became of it

    def seeds(self) -> dict[str, Any] | None:
        """What became of the corpus, for the summary; None if no input came."""
        sown, explorer = self._field.sown, self._explorer
        taken = set(explorer.parts.engine.coverage.settled_edges())
        return sown.as_dict(explorer.program, taken) if sown.seeds else None

    def words(self) -> list[str]:
        """What became of it, for people."""
        sown = [self._field.sown.words()] if self._field.sown.seeds else []
        if self._native is None:
            return [*sown, *self._words_of_choice()]
        self._credit_exploration()
        done = [
            f"{name} {party.seconds:.0f} s, {plural(party.edges, 'branch')}" for name, party in self._parties.items()
        ]
        native = self._native
        text = f"--fuzzer ({native.name}): {native.edges} edges natively, by {plural(self._inputs, 'input')}"
        text += f"; {'; '.join(done)}"
        text += f"; {plural(native.crash_count, 'crash')}" if native.crash_count else ""
        text += _RESTLESS if native.is_restless else ""
        text += f"; {plural(len(self._finds), 'input')} not run on the engine" if self._finds else ""
        return [*sown, text + (f"; {plural(self._slow, 'slow input')} left out" if self._slow else "")]

    def _words_of_choice(self) -> list[str]:
        if self._unchosen:
            return [f"--corpus: native runs could not choose among the files: {self._unchosen}"]
        text = f"{plural(self._later, 'file')} waited that take no edges of their own natively" if self._later else ""
        rest = f"{plural(len(self._finds), 'file')} not run on the engine" if self._finds else ""
        return [f"--corpus: {'; '.join(filter(None, (text, rest)))}"] if text or rest else []


class BetweenRounds:
    """A stopper that lets a campaign work whenever exploration has used up its time."""

    def __init__(self, stopper: Stopper, look: Callable[[Frontier], None]) -> None:
        self._stopper = stopper
        self._look = look

    def look(self, frontier: Frontier) -> str | None:
        if (reason := self._stopper.look(frontier)) is None:
            self._look(frontier)
            reason = self._stopper.look(frontier)
        return reason
