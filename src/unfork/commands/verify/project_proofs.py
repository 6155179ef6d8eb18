"""The proofs of a project: linked programs, functions with contracts, results so far."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from os.path import normpath
from pathlib import Path
from typing import Any

from unfork.commands.assemble import bounding, solving
from unfork.commands.projects.exits import exit_status
from unfork.commands.projects.project import BuildSource, LinkGroup, groups, sources_of
from unfork.commands.projects.projects import build, programs
from unfork.commands.verify import function_proof
from unfork.commands.verify.annotated import AnnotatedProgram, locate_contracts
from unfork.commands.verify.function_proof import Clock, Proved, as_data, not_proved, prove
from unfork.commands.verify.proving import ProofDecider
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.limits import Budget
from unfork.errors import InputError
from unfork.logic.solve.solver import FOREVER, Effort
from unfork.options.options import VERSION, Options
from unfork.patience import longest
from unfork.program.c.contracts import FunctionContract
from unfork.program.c.expressions import without_names
from unfork.program.c.suffixes import C_SUFFIXES, CPP_SUFFIXES, IR_SUFFIXES
from unfork.program.llvm.module import Function, Program
from unfork.report.record.directory import way_back

_BEFORE_PARENTHESIS = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_LISTED = 20
"""The most functions that a message lists."""


@dataclass(frozen=True, slots=True)
class _ContractedProgram:
    """A linked program with its contracts."""

    program: Program
    placed: AnnotatedProgram
    group: LinkGroup

    def functions(self) -> Iterator[str]:
        """The functions to prove here, by their names in the program."""
        others = {each.path.resolve() for each in self.group.sources if each.path not in self.group.scanned}
        for name in (*self.placed.functions, *self.placed.unread):
            position = None if name in self.program.stubs else self.program.function(name).position
            is_elsewhere = others and position is not None and Path(position.file).resolve() in others
            if name not in self.program.stubs and not is_elsewhere:
                yield name

    def named(self, source_name: str) -> Iterator[str]:
        for name in self.placed.functions:
            function = self.program.stubs.get(name) or self.program.function(name)
            if function.source_name == source_name:
                yield name


@dataclass(frozen=True, slots=True)
class ProofJob:
    """A function to prove, until ``end`` by the clock, in ``seconds`` of processor time."""

    annotated: _ContractedProgram
    options: Options
    name: str
    key: str
    """The key of its kept proof."""
    identity: str
    """Unique in the project, but shared by copies of an inline function."""
    seconds: float
    budget: Budget
    end: float = FOREVER

    @property
    def most(self) -> float:
        return self.seconds

    @property
    def longest(self) -> float:
        return longest(self.seconds)

    @property
    def most_memory(self) -> float:
        return math.inf

    @property
    def contract(self) -> FunctionContract | None:
        """Its contract, if that can be read."""
        return self.annotated.placed.functions.get(self.name)

    @property
    def source_name(self) -> str:
        return self.annotated.program.function(self.name).source_name

    def kept(self) -> Proved | None:
        """Its kept proof; None in an audit."""
        contract = self.contract
        if contract is None or self.options.audit:
            return None
        program = self.annotated.program
        return function_proof.find(self.key, program, self.name, contract, self.options, self.seconds)

    def keep(self, proved: Proved) -> None:
        if self.contract is not None:
            function_proof.keep(self.key, self.contract, self.options, self.seconds, proved)

    def work(self, tell: Callable[[Proved], None]) -> Proved:
        annotated, options, effort = self.annotated, self.options, Effort()
        with contextlib.ExitStack() as closing:
            solver = solving.proof_solver(options, effort)
            closing.callback(solver.close)
            clock = Clock(closing.enter_context(Interrupt()), self.end, self.seconds)
            deciding = ProofDecider(solver, effort, self.budget)
            return prove(options, annotated.program, annotated.placed, self.name, deciding, clock)

    def broken_off(self, so_far: Proved | None, reason: str, began: float) -> Proved:
        return not_proved(self.annotated.program, self.name, reason, began)


@dataclass(slots=True)
class Project:
    """The functions to prove, each once, and the results so far."""

    options: Options
    sources: Sequence[BuildSource]
    notes: Sequence[str]
    """Files left out that can have no contract."""
    budget: Budget
    unbuilt: Sequence[str]
    """What does not compile, has contracts about nothing, or unreadable logic definitions."""
    jobs: Sequence[ProofJob]
    names: set[tuple[int, str]]
    """The functions to prove, by the identity of their program and their name there: with copies of inline ones."""
    proved: dict[str, Proved] = field(default_factory=dict)

    def summary(self, seconds: float, *, interrupted: bool) -> dict[str, Any]:
        rows = [(each, self.proved[each.identity]) for each in self.jobs if each.identity in self.proved]
        granted = [self._taken_for_granted(job, proof) for job, proof in rows]
        verdicts = {proof.verdict for _, proof in rows} | ({"unknown"} if self.unbuilt else set())
        verdict = next(word for word in ("unsafe", "unknown", "safe") if word in verdicts or word == "safe")
        return {
            "tool": "unfork",
            "version": VERSION,
            "command": "verify",
            "program": [each.name or str(each.path) for each in self.sources],
            "folder": way_back(self.options.out),
            "verdict": verdict,
            "exit_status": exit_status(verdict, interrupted=interrupted and verdict != "unsafe"),
            "seconds": round(seconds, 3),
            "assumptions": list(dict.fromkeys(text for each in granted for text in each)),
            "left_out": [*self.notes, *self.unbuilt],
            "functions": [
                {**as_data(proof), "assumptions": texts} for (_, proof), texts in zip(rows, granted, strict=True)
            ],
        }

    def _taken_for_granted(self, job: ProofJob, proof: Proved) -> list[str]:
        """The assumptions of a proof: among them contracts that this project does not prove."""
        lines, annotated = [*proof.assumed], job.annotated
        for source_name in proof.called:
            for name in annotated.named(source_name):
                contract = annotated.placed.functions[name]
                why = ""
                if name in annotated.program.stubs:
                    why = self._why_not_elsewhere(source_name, contract)
                elif (id(annotated.program), name) not in self.names:
                    why = "--function leaves it out"
                if why:
                    lines.append(f"the contract of {contract.function} ({contract.file}:{contract.line}): {why}")
        return list(dict.fromkeys(lines))

    def _why_not_elsewhere(self, source_name: str, contract: FunctionContract) -> str:
        """Why no other file proves the contract of a declared function; "" if one does."""
        why = "it has no body"
        for job in self.jobs:
            if job.source_name == source_name and job.name == source_name:
                if without_names(job.contract) == without_names(contract):
                    return ""
                position = job.annotated.program.function(job.name).position
                why = f"{position.file if position else 'its body'} has another contract for it"
        return why


def sources_in(paths: Sequence[Path], names: Sequence[str]) -> tuple[list[BuildSource], list[str]]:
    """The files to read, and notes about those left out. Raises InputError."""
    found: dict[Path, BuildSource] = {}
    left_out: list[str] = []
    for path, name in zip(paths, names, strict=True):
        if path.suffix in IR_SUFFIXES | CPP_SUFFIXES:
            other = "LLVM IR" if path.suffix in IR_SUFFIXES else "C++"
            raise InputError(f"{name}: contracts are read from C, not from {other}")
        sources, notes = [BuildSource(path, (), name)], list[str]()
        if path.suffix not in C_SUFFIXES:
            sources, notes = sources_of([name], "verify", C_SUFFIXES)
        left_out += notes
        found.update((each.path, each) for each in sources if each.path not in found)
    return list(found.values()), left_out


def project_of(options: Options, sources: Sequence[BuildSource], notes: Sequence[str], per_function: float) -> Project:
    """Build the programs, with which the limit of time starts, and find what to prove. Raises InputError."""

    def annotated(linked: Sequence[BuildSource]) -> tuple[Program, AnnotatedProgram]:
        program = build(options, linked, contracts=True)
        placed = locate_contracts(program, program.contracts)
        if len(linked) > 1:
            _refuse_namesakes(program, placed)
        return program, placed

    unbuilt: list[str] = []
    if len(sources) == 1:  # what is wrong with it is said as the compiler says it
        built = [(annotated(sources), LinkGroup(tuple(sources), frozenset((sources[0].path,))))]
    else:
        built = list(programs(annotated, groups(sources), unbuilt))
    budget = bounding.budget(options, time.monotonic())
    contracted = [_ContractedProgram(*both, group) for both, group in built]
    unbuilt += dict.fromkeys([problem for each in contracted for problem in each.program.contracts.left_out])
    present = [(each, name) for each in contracted for name in each.functions()]
    chosen = _chosen(options, contracted, present, unbuilt)
    jobs: dict[str, ProofJob] = {}
    names: set[tuple[int, str]] = set()
    for each, name in chosen:
        position = each.program.function(name).position
        key = function_proof.key(each.program, each.placed, name, options) if name in each.placed.functions else name
        identity = f"{key} {normpath(position.file)}:{position.line}" if position else f"{key} {name}"
        jobs.setdefault(identity, ProofJob(each, options, name, key, identity, per_function, budget))
        names.add((id(each.program), name))
    return Project(options, sources, notes, budget, unbuilt, list(jobs.values()), names)


def _refuse_namesakes(program: Program, placed: AnnotatedProgram) -> None:
    """Raise InputError if two functions have a contract because they share a name."""
    places: dict[str, Any] = {}
    for name in (*placed.functions, *placed.unread):
        if name not in program.stubs:
            function = program.function(name)
            position = function.position
            place = position and (normpath(position.file), position.line)
            if places.setdefault(function.source_name, place) != place:
                raise InputError(f"{function.source_name}: a contract for two functions of this name")


def _chosen(
    options: Options,
    contracted: Sequence[_ContractedProgram],
    present: list[tuple[_ContractedProgram, str]],
    unbuilt: Sequence[str],
) -> list[tuple[_ContractedProgram, str]]:
    """The functions that --function names. Raises InputError if there are none."""
    patterns = [pattern for pattern in options.function.split(",") if pattern] if options.is_given("function") else []
    names = [each.program.function(name).source_name for each, name in present]
    written = [_written_name(each.program.function(name)) for each, name in present] if patterns else names
    declared = {stub.source_name for each in contracted for stub in each.program.stubs.values()}
    if not names and not patterns:
        with_body = " with a body" if declared else ""
        why = f"verify: no function{with_body} has a contract (docs/verify.md says how to write one)"
        raise InputError("; ".join((why, *unbuilt[:1])))
    for pattern in patterns:
        if any(fnmatchcase(name, pattern) for name in (*names, *written)):
            continue
        if pattern in declared:
            raise InputError(f"--function {pattern}: it has no body that could be proved")
        known = list(dict.fromkeys(names))
        listed = ", ".join(known[:_LISTED]) + (f" and {len(known) - _LISTED:,} more" if len(known) > _LISTED else "")
        what = "no function of such a name has a contract" if set(pattern) & set("*?[") else "it has no contract"
        raise InputError(f"--function {pattern}: {what}; those that have one: {listed or 'none'}")
    is_chosen = [
        not patterns or any(fnmatchcase(name, pattern) for pattern in patterns for name in both)
        for both in zip(names, written, strict=True)
    ]
    return [each for each, chosen in zip(present, is_chosen, strict=True) if chosen]


def _written_name(function: Function) -> str:
    """A function's name as its definition writes it, if a macro expands to another."""
    position = function.position
    if position is None:
        return function.source_name
    try:
        line = Path(position.file).read_text("latin-1").splitlines()[position.line - 1]
    except (OSError, IndexError):
        return function.source_name
    words = _BEFORE_PARENTHESIS.findall(line)
    return function.source_name if function.source_name in words or not words else words[0]
