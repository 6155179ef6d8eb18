"""unfork verify: prove that functions keep their contracts, for all inputs."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unfork import option_rules
from unfork.api.building import ONE_AT_A_TIME, FileName, build_program, given
from unfork.api.export import check_of_proofs, write_chosen_of_kept
from unfork.api.function_proof import Clock, Proved, as_data, prove
from unfork.api.watching import has_reader
from unfork.clang.escape import escape_text
from unfork.clang.suffixes import C_SUFFIXES
from unfork.errors import InputError
from unfork.explore.endings import Interrupt
from unfork.llvm.module import Program
from unfork.logic.solver import Effort
from unfork.options import VERSION, Options
from unfork.report import directory as directories
from unfork.report.notebook import proofs_html
from unfork.report.summary import as_json
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE
from unfork.spec.annotated import Annotated, locate_contracts
from unfork.wiring import bounding, solving
from unfork.wiring.proving import Deciding

PATIENCE = 60.0
"""Seconds for a query, if the user gives none: a proof has few of them, and some are hard."""
_EXITS = {"safe": EXIT_SAFE, "unsafe": EXIT_UNSAFE, "unknown": EXIT_UNKNOWN}


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
    directories.check_root(chosen.out)
    budget = bounding.budget(chosen, time.monotonic())
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        asked = given(files)
        closing.callback(asked.close)
        for path, name in zip(asked.paths, asked.names, strict=True):
            if path.suffix not in C_SUFFIXES:
                raise InputError(f"{name}: contracts are read from C, not from LLVM IR")
        program = build_program(chosen, asked.paths, asked.names, contracts=True)
        placed = locate_contracts(program, program.contracts)
        names = _names(chosen, program, placed)
        effort = Effort()
        solver = solving.proof_solver(chosen, effort)
        closing.callback(solver.close)
        other = solving.other_solver(chosen)[1] if chosen.audit else None
        if other is not None:
            closing.callback(other.close)
        interrupt = closing.enter_context(Interrupt())
        proved, deciding = [], Deciding(solver, effort, other, budget)
        for number, name in enumerate(names):
            clock = Clock(interrupt, budget, len(names) - number)
            _say(chosen, f"proving {name} ({number + 1} of {len(names)})")
            proved.append(prove(chosen, program, placed, name, deciding, clock))
        _say(chosen, "")
    granted = [_taken_for_granted(program, placed, names, each) for each in proved]
    seconds = time.monotonic() - budget.began
    return _write(asked.names, chosen, proved, granted, interrupted=interrupt.requested, seconds=seconds)


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
    return replace(option_rules.complete(options), **values)


def _taken_for_granted(program: Program, placed: Annotated, proved: Sequence[str], proof: Proved) -> list[str]:
    """The contracts that a proof rests on and that are not ``proved`` with it, one line each."""
    lines = list(proof.assumed)
    for name in proof.called:
        if name not in proved:
            contract = placed.functions[name]
            why = "it has no body" if name in program.stubs else "--function leaves it out"
            lines.append(f"the contract of {contract.function} ({contract.file}:{contract.line}): {why}")
    return lines


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


def _say(options: Options, text: str) -> None:
    """Show what is being proved, to those who watch."""
    if has_reader(options):
        sys.stderr.write(f"\r{escape_text(text)}\x1b[K")
        sys.stderr.flush()


def _write(
    names: Sequence[str],
    options: Options,
    proved: Sequence[Proved],
    granted: Sequence[Sequence[str]],
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
        "assumptions": list(dict.fromkeys(text for each in granted for text in each)),
        "functions": [{**as_data(each), "assumptions": [*texts]} for each, texts in zip(proved, granted, strict=True)],
    }
    folder = directories.create(options.out)
    folder.write("summary.json", as_json(summary).encode())
    write_chosen_of_kept(folder, options)
    return Verified(verdict, status, tuple(proved), folder.root, summary)
