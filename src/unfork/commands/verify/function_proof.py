"""The proof of one function, and its store from one verify to the next."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unfork import host
from unfork.commands.projects import kept_results
from unfork.commands.projects.kept_results import Allowance, KeptResult
from unfork.commands.run.exploring_again import ExploredRound, explore_until_exact
from unfork.commands.verify.annotated import AnnotatedProgram
from unfork.commands.verify.concretely import Counterexample
from unfork.commands.verify.falsify import falsify_request
from unfork.commands.verify.fingerprint import fingerprint
from unfork.commands.verify.obligations import ProofObligation
from unfork.commands.verify.proving import PendingProof, ProofDecider, patience, proof
from unfork.commands.verify.shown import call_text
from unfork.engine.explore.endings import Breakable, Interrupt, TimeIsOver
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.protocols.events import Bounded, Covered, Ended, Event, Left
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Killed
from unfork.logic.solve.audited import Audited, UnsatAudit
from unfork.logic.solve.solver import FOREVER
from unfork.options.options import Options
from unfork.patience import Patience, longest
from unfork.program.c.contracts import FunctionContract
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program
from unfork.reduce.merge.refinement import Refinement, UntilAstray, Watch
from unfork.world.library.surroundings import without_option

SEARCH_SECONDS = 20.0
"""CPU seconds for a counterexample, if the user gives no time."""
_PROOF_SHARE = 0.75
"""The share of a function's time for its proof; the search for counterexamples has the rest."""
_EACH = 0.1
MAX_TIME, PER_FUNCTION = "max-time", "per-function"
_LATE = 1.0
_CHOICES = ("check", "merge", "similar", "join", "predicate", "qce", "loops", "unwind", "libc", "abort", "max_size")
"""The options that decide what is proved, and how."""


@dataclass(frozen=True, slots=True)
class Broken:
    """How a contract is broken: what fails where, and the call that shows it."""

    kind: str
    what: str
    file: str
    line: int
    call: str


@dataclass(frozen=True, slots=True)
class Proved:
    """The result of a function's proof. ``reasons`` say why it is not safe."""

    function: str
    verdict: str
    obligations: Sequence[ProofObligation]
    reasons: Sequence[str]
    broken: Broken | None
    paths: int
    instructions: int
    joins: int
    operators: int
    """Operators in queries about obligations: the size of the proof."""
    operators_of_vacuity: int
    """Operators in queries whether the assumptions can hold."""
    seconds: float
    confirmed: int = 0
    """How often the other solver proved the same, in an audit."""
    unconfirmed: int = 0
    is_cached: bool = False
    inferred: Mapping[str, Any] | None = None
    """What joins inferred, and which were exact; None unless predicates are inferred."""
    called: Sequence[str] = ()
    """The functions whose contracts it uses."""
    assumed: Sequence[str] = ()
    """What it assumes besides contracts."""
    file: str = ""
    """Where the function is defined."""
    line: int = 0
    processors: float = 0.0
    """Processor seconds, with those of solvers."""
    stopped_by: str | None = None
    """What stopped its exploration, if anything did."""


def as_data(proved: Proved) -> dict[str, Any]:
    """A function's proof for summary.json."""
    broken = proved.broken
    return {
        "function": proved.function,
        "file": proved.file,
        "line": proved.line,
        "verdict": proved.verdict,
        "obligations": [
            {
                "kind": each.subject.kind,
                "file": each.subject.file,
                "line": each.subject.line,
                "text": each.subject.text,
                "ending": each.ending,
                "paths": each.paths,
                "by": dict(each.by),
                "seconds": round(each.seconds, 3),
                "detail": each.detail,
            }
            for each in proved.obligations
        ],
        "reasons": list(proved.reasons),
        "counterexample": None
        if broken is None
        else {"kind": broken.kind, "text": broken.what, "file": broken.file, "line": broken.line, "call": broken.call},
        "paths": proved.paths,
        "instructions": proved.instructions,
        "joins": proved.joins,
        "operators": proved.operators,
        "operators_of_vacuity": proved.operators_of_vacuity,
        "seconds": round(proved.seconds, 3),
        "processors": round(proved.processors, 3),
        "audit": {"confirmed": proved.confirmed, "unconfirmed": proved.unconfirmed},
        "cached": proved.is_cached,
        "inferred": proved.inferred,
        "called": list(proved.called),
    }


# --- a proof


class _ProofNotes:
    """Why paths were given up, and what they assumed of the world."""

    def __init__(self) -> None:
        self.reasons: dict[str, None] = {}
        self.assumed: set[str] = set()

    def tell(self, event: Event) -> None:
        match event:
            case Ended() | Bounded() | Covered() | Left():
                self.assumed.update(map(without_option, event.state.lazy.assumptions))
        match event:
            case Ended(Killed(_, reason, detail)):
                self.reasons[f"{detail} ({reason})"] = None
            case Bounded(_, bound):
                self.reasons[f"a path was cut by --{bound}"] = None
            case Left():
                self.reasons["not all paths were explored"] = None


class Clock:
    """The time of one function: it ends at a moment, or after processor seconds. The proof has a share of it, then the
    search for counterexamples.
    """

    def __init__(self, interrupt: Interrupt, end: float, processors: float) -> None:
        self.interrupt = interrupt
        self._began = self._next = time.monotonic()
        self._spent = Patience(used=host.this().seconds_with_children)
        search = min(SEARCH_SECONDS, (1 - _PROOF_SHARE) * processors)
        self._processors = processors - search
        part = max(end - self._began, 0.0)
        self.is_by_clock = part < FOREVER and part <= longest(processors)
        if self.is_by_clock:
            search = (1 - _PROOF_SHARE) * part
            self.proof, self.end = self._began + _PROOF_SHARE * part, self._began + part
        else:
            self.proof, self.end = self._began + longest(self._processors), self._began + longest(processors)
        self.search = search

    @property
    def used(self) -> float:
        """The processor seconds so far, with those of solvers."""
        return self._spent.used()

    def look(self, frontier: Frontier) -> str | None:
        if self.interrupt.requested:
            return "interrupt"
        now = time.monotonic()
        if now > self.proof:
            return self._limit
        if self._processors < FOREVER and now > self._next:
            self._next = now + _EACH
            if self.used > self._processors:
                return PER_FUNCTION
        return None

    @property
    def _limit(self) -> str:
        return MAX_TIME if self.is_by_clock else PER_FUNCTION

    @contextlib.contextmanager
    def until(self, moment: float) -> Iterator[list[str]]:
        """Break off the block soon after ``moment``; the list that it yields then says why."""
        why: list[str] = []
        if moment < FOREVER:
            self.interrupt.wake(moment + _LATE)
        try:
            with Breakable(self.interrupt):
                yield why
        except TimeIsOver:
            why.append("interrupt" if self.interrupt.requested else self._limit)
        except KeyboardInterrupt:
            why.append("interrupt")


def prove(
    options: Options,
    program: Program,
    placed: AnnotatedProgram,
    name: str,
    deciding: ProofDecider,
    clock: Clock,
) -> Proved:
    """Prove the contract of a function, by its name in the program."""
    began = time.monotonic()
    if name in placed.unread:
        return not_proved(program, name, placed.unread[name], began)
    audited = _audit(deciding)
    refinement = Refinement()
    work = _Work()
    explored: list[_ExploredProof] = []

    def explore() -> ExploredRound:
        notes, watch = _ProofNotes(), Watch(refinement)
        until = UntilAstray(watch, clock)
        parts = proof(options, program, placed, name, deciding, (notes, watch), until, refinement)
        explored[:] = [_explore(parts, notes, clock)]
        work.add(parts)
        return explored[0].round()

    ended = explore_until_exact(refinement, explore, lambda: None)  # each round has parts of its own
    parts, notes = explored[0].parts, explored[0].notes
    if not explored[0].begun and not notes.reasons:
        notes.reasons["no input meets what the contract requires: it says nothing"] = None
    obligations = list(parts.obligations.all.values())
    verdict = "safe" if not notes.reasons and all(each.ending == "proved" for each in obligations) else "unknown"
    broken: Broken | None = None
    if verdict != "safe" and not clock.interrupt.requested:
        counterexample = _search(parts, notes, clock)
        if counterexample is not None:
            verdict, broken = "unsafe", _as_broken(parts, counterexample)
    audit = _audit(deciding)
    return Proved(
        parts.function.source_name,
        verdict,
        obligations,
        list(notes.reasons),
        broken,
        parts.tally.completed + parts.tally.silent,
        work.instructions,
        work.joins,
        work.operators,
        work.operators_of_vacuity,
        time.monotonic() - began,
        audit.confirmed - audited.confirmed,
        audit.unconfirmed - audited.unconfirmed,
        inferred=refinement.as_dict() if parts.infers else None,
        called=[_called(program, each) for each in parts.cuts.called],
        assumed=[*parts.lemmas.assumed, *sorted(notes.assumed)],
        file=_place(program, name)[0],
        line=_place(program, name)[1],
        processors=clock.used,
        stopped_by=ended.reason,
    )


def not_proved(program: Program, name: str, reason: str, began: float) -> Proved:
    """The result for a function whose proof did not start or end."""
    function, (file, line) = program.function(name), _place(program, name)
    seconds = time.monotonic() - began
    return Proved(function.source_name, "unknown", (), (reason,), None, 0, 0, 0, 0, 0, seconds, file=file, line=line)


def _called(program: Program, name: str) -> str:
    return (program.stubs.get(name) or program.function(name)).source_name


def _place(program: Program, name: str) -> tuple[str, int]:
    position = program.function(name).position
    return ("", 0) if position is None else (position.file, position.line)


def _search(parts: PendingProof, notes: _ProofNotes, clock: Clock) -> Counterexample | None:
    now = time.monotonic()
    seconds = max(clock.search, clock.end - now) if clock.is_by_clock else clock.search
    parts.engine.chain.deadline = now + (seconds if clock.is_by_clock else longest(seconds))
    found: list[Counterexample | None] = [None]
    with clock.until(parts.engine.chain.deadline):
        left = falsify_request(parts.obligations.all.values(), is_complete=not notes.reasons)
        found.append(parts.falsifier.search(parts.function, left, seconds))
    return found[-1]


def _audit(deciding: ProofDecider) -> UnsatAudit:
    return deciding.solver.counts if isinstance(deciding.solver, Audited) else UnsatAudit()


@dataclass(slots=True)
class _Work:
    """The cost of all explorations of a proof."""

    instructions: int = 0
    joins: int = 0
    operators: int = 0
    operators_of_vacuity: int = 0

    def add(self, parts: PendingProof) -> None:
        self.instructions += parts.tally.instructions
        self.joins += parts.tally.joins
        self.operators += parts.obligations.refuter.operators
        self.operators_of_vacuity += parts.obligations.refuter.operators_of_vacuity


@dataclass(frozen=True, slots=True)
class _ExploredProof:
    """One exploration of a proof, its number of first states, and what stopped it."""

    parts: PendingProof
    notes: _ProofNotes
    begun: int
    reason: str | None

    def round(self) -> ExploredRound:
        obligations = self.parts.obligations
        is_open = bool(self.notes.reasons) or any(each.ending != "proved" for each in obligations.all.values())
        return ExploredRound(self.reason, obligations.failed, is_open, self.parts.engine.chain)


def _explore(parts: PendingProof, notes: _ProofNotes, clock: Clock) -> _ExploredProof:
    """Explore all paths of a proof."""
    parts.engine.chain.deadline = parts.obligations.deadline = clock.proof
    begun = 0
    with clock.until(clock.proof) as why:
        try:
            for state in parts.cuts.first_states(parts.inputs, parts.function):
                begun += 1
                stopped = parts.exploration.run([state])
                if stopped is not None:
                    why.append(stopped)
                    break
        except NoMeaning as problem:
            notes.reasons[str(problem)] = None
    notes.reasons.update((f"stopped by {reason}", None) for reason in why)
    return _ExploredProof(parts, notes, begun, why[-1] if why else None)


def _as_broken(parts: PendingProof, shown_by: Counterexample) -> Broken:
    call = call_text(parts.engine.machine, parts.function, shown_by.begun)
    return Broken(shown_by.kind, shown_by.what, shown_by.file, shown_by.line, call)


# --- proofs that are kept


def key(program: Program, placed: AnnotatedProgram, name: str, options: Options) -> str:
    """The key of a kept proof. It depends on the engine, too."""
    chosen = repr([getattr(options, name) for name in _CHOICES])
    return compilation_cache.key("proof", compilation_cache.engine(), fingerprint(program, placed, name), chosen)


def find(
    key: str, program: Program, name: str, contract: FunctionContract, options: Options, seconds: float
) -> Proved | None:
    """The proof that is kept under a key, with present lines; None if a larger allowance may prove more."""
    proved = kept_results.find(key, KeptResult[Proved], Allowance(seconds, *patience(options)))
    if proved is None:
        return None
    file, line = _place(program, name)
    return replace(_with_lines_moved(proved, contract, 1), is_cached=True, file=file, line=line)


def keep(key: str, contract: FunctionContract, options: Options, seconds: float, proved: Proved) -> None:
    """Keep a proof, unless the user or --max-time ended it."""
    if proved.stopped_by not in ("interrupt", MAX_TIME):
        moved, allowance = _with_lines_moved(proved, contract, -1), Allowance(seconds, *patience(options))
        kept_results.keep(key, allowance, moved, is_final=proved.verdict == "safe")


def _with_lines_moved(proved: Proved, contract: FunctionContract, sign: int) -> Proved:
    """The proof with the contract's lines relative to the contract (-1), or absolute again (1)."""
    here, there = (contract.file, "") if sign < 0 else ("", contract.file)
    obligations = [
        replace(each, subject=replace(each.subject, file=there, line=each.subject.line + sign * contract.line))
        if each.subject.file == here
        else each
        for each in proved.obligations
    ]
    broken = proved.broken
    if broken is not None and broken.file == here:
        broken = replace(broken, file=there, line=broken.line + sign * contract.line)
    return replace(proved, obligations=obligations, broken=broken)
