"""unfork verify: prove that functions keep their contracts, for all inputs."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unfork import option_rules
from unfork.api import kept_proofs
from unfork.api.building import ONE_AT_A_TIME, FileName, built, given
from unfork.api.export import check_of_proofs, write_chosen_of_proofs
from unfork.api.kept_proofs import Broken, Proved, as_data
from unfork.clang.escape import shown
from unfork.clang.suffixes import C_SUFFIXES
from unfork.contracts.events import Bounded, Ended, Event, Left
from unfork.contracts.frontier import Frontier
from unfork.contracts.outcome import Killed
from unfork.errors import InputError
from unfork.explore.endings import Breakable, Interrupt, TimeIsOver
from unfork.explore.limits import Budget
from unfork.llvm.module import Program
from unfork.logic.solver import FOREVER, Effort
from unfork.meaning.c_values import NoMeaning
from unfork.merge.refinement import ASTRAY, Refinement, UntilAstray, Watch
from unfork.options import INFERRED, VERSION, Options
from unfork.report import directory as places
from unfork.report.notebook import proofs_html
from unfork.report.summary import as_json
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE
from unfork.spec.annotated import Annotated, annotated
from unfork.spec.concretely import Counterexample
from unfork.spec.falsify import wanted
from unfork.spec.fingerprint import fingerprint
from unfork.spec.shown import shown_call
from unfork.wiring import bounding, solving
from unfork.wiring.proving import Deciding, Proof, proof

PATIENCE = 60.0
"""Seconds for a query, if the user gives none: a proof has few of them, and some are hard."""
SEARCH_SECONDS = 20.0
"""CPU seconds for which inputs are looked for that break a contract, if the user gives no time."""
_WAITING = 4
"""By the clock such a search may take so many times as long: other processes and solvers may keep it waiting."""
_PROOF_SHARE = 0.75
"""The part of a function's time that is for its proof; the rest is for inputs that break its contract."""
_LATE = 1.0
"""Seconds by which something may be late."""
_EXITS = {"safe": EXIT_SAFE, "unsafe": EXIT_UNSAFE, "unknown": EXIT_UNKNOWN}


@dataclass(frozen=True, slots=True)
class Rests:
    """What the proofs of functions, whose names are ``proved``, rest on that is not proved with them."""

    program: Program
    placed: Annotated
    proved: Sequence[str]

    def on(self, proof: Proved) -> list[str]:
        """The contracts that are taken for granted, one line each."""
        lines = []
        for name in proof.called:
            if name not in self.proved:
                contract = self.placed.functions[name]
                why = "it has no body" if name in self.program.stubs else "--function leaves it out"
                lines.append(f"the contract of {contract.function} ({contract.file}:{contract.line}): {why}")
        return lines


@dataclass(frozen=True, slots=True)
class Verified:
    """What verify came to."""

    verdict: str
    exit_status: int
    functions: tuple[Proved, ...]
    directory: Path
    summary: dict[str, Any]

    def _repr_html_(self) -> str:
        """The proofs as a notebook shows them."""
        return proofs_html(self.summary)


def verify(files: FileName | Iterable[FileName], options: Options | None = None) -> Verified:
    """Prove the contracts of the functions in ``files``; ``options.function`` names some, separated by commas.

    Raises InputError for what cannot be used.
    """
    chosen = preset(Options() if options is None else options)
    option_rules.check(chosen)
    check_of_proofs(chosen)
    places.check_place(chosen.out)
    budget = bounding.budget(chosen, time.monotonic())
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        asked = given(files)
        closing.callback(asked.close)
        for path, name in zip(asked.paths, asked.names, strict=True):
            if path.suffix not in C_SUFFIXES:
                raise InputError(f"{name}: contracts are read from C, not from LLVM IR")
        program = built(chosen, asked.paths, asked.names, contracts=True)
        placed = annotated(program, program.contracts)
        names = _names(chosen, program, placed)
        effort = Effort()
        solver = solving.proof_solver(chosen, effort)
        closing.callback(solver.close)
        other = solving.other_solver(chosen)[1] if chosen.audit else None
        if other is not None:
            closing.callback(other.close)
        interrupt = closing.enter_context(Interrupt())
        proved, deciding = [], Deciding(solver, effort, other, budget)
        for place, name in enumerate(names):
            clock = _Clock(interrupt, budget, len(names) - place)
            _say(chosen, f"proving {name} ({place + 1} of {len(names)})")
            proved.append(_proved(chosen, program, placed, name, deciding, clock))
        _say(chosen, "")
    rests = Rests(program, placed, names)
    return _kept(
        asked.names, chosen, proved, rests, interrupted=interrupt.requested, seconds=time.monotonic() - budget.began
    )


def preset(options: Options) -> Options:
    """What verify does where the user says nothing else."""
    values: dict[str, Any] = {"loops": options.loops if options.is_given("loops") else "run"}
    if not options.is_given("optimize"):
        values["optimize"] = 0
    if not options.is_given("check"):
        values["check"] = (*options.check, "overflow")
    if not options.is_given("merge"):
        values["merge"] = "none"
    if not options.is_given("solver_timeout"):
        values["solver_timeout"] = PATIENCE
    if options.is_given("prune") and options.prune != "none":
        raise InputError(f"verify: --prune {options.prune} is not supported in proofs")
    return replace(option_rules.completed(options), **values)


def _names(options: Options, program: Program, placed: Annotated) -> list[str]:
    """The functions to prove, as the linked program calls them."""
    known = {program.function(name).source_name: name for name in placed.functions if name not in program.stubs}
    declared = {each.source_name for each in program.stubs.values()}
    if not options.is_given("function"):
        if not known:
            with_body = " with a body" if declared else ""
            raise InputError(f"verify: no function{with_body} has a contract (docs/verify.md says how to write one)")
        return list(known.values())
    wanted = [name for name in options.function.split(",") if name]
    for name in wanted:
        if name in declared and name not in known:
            raise InputError(f"--function {name}: it has no body that could be proved")
        if name not in known:
            raise InputError(
                f"--function {name}: it has no contract; those that have one: {', '.join(known) or 'none'}"
            )
    return [known[name] for name in wanted]


class _Told:
    """Keeps why paths were given up."""

    def __init__(self) -> None:
        self.reasons: dict[str, None] = {}

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Killed(_, reason, detail)):
                self.reasons[f"{detail} ({reason})"] = None
            case Bounded(_, bound):
                self.reasons[f"a path was cut by --{bound}"] = None
            case Left():
                self.reasons["not all paths were explored"] = None


class _Clock:
    """The time of one function: an equal part of what is left. What goes on beyond it is broken off."""

    def __init__(self, interrupt: Interrupt, budget: Budget, functions: int) -> None:
        self.interrupt = interrupt
        now = time.monotonic()
        part = max(budget.deadline - now, 0.0) / functions
        self.proof = now + _PROOF_SHARE * part
        self.end = now + part
        self.search = SEARCH_SECONDS if part == FOREVER else (1 - _PROOF_SHARE) * part

    def look(self, frontier: Frontier) -> str | None:
        """Why exploration must stop."""
        if self.interrupt.requested:
            return "interrupt"
        return "max-time" if time.monotonic() > self.proof else None

    @contextlib.contextmanager
    def until(self, moment: float) -> Iterator[list[str]]:
        """What runs within is broken off soon after ``moment``; then the list that is given says why."""
        why: list[str] = []
        if moment < FOREVER:
            self.interrupt.wake(moment + _LATE)
        try:
            with Breakable(self.interrupt):
                yield why
        except TimeIsOver:
            why.append("interrupt" if self.interrupt.requested else "max-time")
        except KeyboardInterrupt:
            why.append("interrupt")


def _say(options: Options, text: str) -> None:
    """Show what is being proved, to those who watch."""
    if not options.quiet and not options.no_progress and sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r{shown(text)}\x1b[K")
        sys.stderr.flush()


def _proved(
    options: Options,
    program: Program,
    placed: Annotated,
    name: str,
    deciding: Deciding,
    clock: _Clock,
) -> Proved:
    began, contract = time.monotonic(), placed.functions[name]
    name_of_proof = kept_proofs.key(fingerprint(program, placed, name), options)
    if not options.audit and (known := kept_proofs.find(name_of_proof, contract)) is not None:
        return known
    refinement = Refinement()
    work = _Work()
    while True:
        told, watch = _Told(), Watch(refinement)
        until = UntilAstray(watch, clock)
        parts = proof(options, program, placed, name, deciding, (told, watch), until, refinement)
        begun = _explored(parts, told, clock)
        work.add(parts)
        if not _begins_again(parts, told, refinement):
            break
    if not begun and not told.reasons:
        told.reasons["no input meets what the contract requires: it says nothing"] = None
    obligations = list(parts.obligations.all.values())
    verdict = "safe" if not told.reasons and all(each.ending == "proved" for each in obligations) else "unknown"
    broken: Broken | None = None
    if verdict != "safe" and not clock.interrupt.requested:
        now = time.monotonic()
        is_limited = clock.end < FOREVER
        seconds = max(clock.search, clock.end - now) if is_limited else clock.search
        parts.engine.chain.deadline = now + (seconds if is_limited else _WAITING * seconds)
        counterexample: Counterexample | None = None
        with clock.until(parts.engine.chain.deadline):
            left = wanted(obligations, is_complete=not told.reasons)
            counterexample = parts.falsifier.search(parts.function, left, seconds)
        if counterexample is not None:
            verdict, broken = "unsafe", _broken(parts, counterexample)
    proved = Proved(
        parts.function.source_name,
        verdict,
        obligations,
        list(told.reasons),
        broken,
        parts.tally.completed + parts.tally.silent,
        work.instructions,
        work.joins,
        work.operators,
        work.operators_of_vacuity,
        time.monotonic() - began,
        parts.obligations.confirmed,
        parts.obligations.unconfirmed,
        inferred=refinement.as_dict() if options.join == INFERRED else None,
        called=list(parts.cuts.called),
    )
    kept_proofs.keep(name_of_proof, contract, proved)
    return proved


@dataclass(slots=True)
class _Work:
    """What a function's proof cost, with whatever was explored again."""

    instructions: int = 0
    joins: int = 0
    operators: int = 0
    operators_of_vacuity: int = 0

    def add(self, parts: Proof) -> None:
        self.instructions += parts.tally.instructions
        self.joins += parts.tally.joins
        self.operators += parts.obligations.refuter.operators
        self.operators_of_vacuity += parts.obligations.refuter.operators_of_vacuity


def _explored(parts: Proof, told: _Told, clock: _Clock) -> int:
    """Explore all paths of a proof; returns how many first states there were."""
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
            told.reasons[str(problem)] = None
    told.reasons.update((f"stopped by {reason}", None) for reason in why)
    return begun


def _begins_again(parts: Proof, told: _Told, refinement: Refinement) -> bool:
    """Whether to try again with more joins that are exact, since not all is proved."""
    if any(f"stopped by {reason}" in told.reasons for reason in ("interrupt", "max-time")):
        return False
    failed = parts.obligations.failed
    for suspects in failed:
        refinement.blame(suspects)
    is_open = any(each.ending != "proved" for each in parts.obligations.all.values())
    if f"stopped by {ASTRAY}" in told.reasons or (not failed and (is_open or told.reasons)):
        refinement.blame_all()
    return refinement.begins_again(parts.engine.chain)


def _broken(parts: Proof, shown_by: Counterexample) -> Broken:
    call = shown_call(parts.engine.machine, parts.function, shown_by.begun)
    return Broken(shown_by.kind, shown_by.what, shown_by.file, shown_by.line, call)


def _kept(
    names: Sequence[str],
    options: Options,
    proved: Sequence[Proved],
    rests: Rests,
    *,
    interrupted: bool,
    seconds: float,
) -> Verified:
    """Write the run directory."""
    verdicts = {each.verdict for each in proved}
    verdict = next(word for word in ("unsafe", "unknown", "safe") if word in verdicts or word == "safe")
    status = EXIT_INTERRUPTED if interrupted and verdict != "unsafe" else _EXITS[verdict]
    summary: dict[str, Any] = {
        "tool": "unfork",
        "version": VERSION,
        "command": "verify",
        "program": list(names),
        "verdict": verdict,
        "exit_status": status,
        "seconds": round(seconds, 3),
        "assumptions": list(dict.fromkeys(text for each in proved for text in rests.on(each))),
        "functions": [{**as_data(each), "assumptions": rests.on(each)} for each in proved],
    }
    folder = places.create(options.out)
    folder.write("summary.json", as_json(summary).encode())
    write_chosen_of_proofs(folder, options)
    return Verified(verdict, status, tuple(proved), folder.root, summary)
