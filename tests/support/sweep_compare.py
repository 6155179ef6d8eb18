"""Compares what the engine says of a generated program with what its inputs come to natively."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import unfork
from tests.support.generated_expressions import WIDTHS
from tests.support.generated_programs import Program
from tests.support.native_sweep import Fate
from unfork.engine.protocols.events import Ended, Event
from unfork.engine.protocols.outcome import Failed, Halted, Killed
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol


@dataclass(slots=True)
class Ends:
    """Observes a run: every outcome that a path ended with."""

    outcomes: list[Halted | Failed | Killed] = field(default_factory=list)

    def tell(self, event: Event) -> None:
        if isinstance(event, Ended):
            self.outcomes.append(event.outcome)


@dataclass(frozen=True, slots=True)
class Explored:
    """A program's run: its result, and the outcomes with their conditions."""

    result: unfork.Result
    outcomes: tuple[Halted | Failed | Killed, ...]


def explore(file: Path, program: Program, out: Path, **more: Any) -> Explored:
    """Run the engine on one program, a test per path."""
    check = ("memory", "div", "shift", "unreachable") + (("overflow",) if program.checks_overflow else ())
    ends = Ends()
    options = unfork.Options(**{"check": check, "tests": "paths", "out": str(out), "quiet": True, **more})
    return Explored(unfork.run([file], options, observers=[ends]), tuple(ends.outcomes))


def number_of(values: dict[str, int], types: tuple[str, ...]) -> int:
    """The input number that the native harness turns into these values."""
    number, shift = 0, 0
    for name, kind in zip(("x", "y"), types, strict=False):
        number |= values[name] << shift
        shift += WIDTHS[kind]
    return number


def _assignment(number: int, types: tuple[str, ...]) -> dict[Term, int]:
    values: dict[Term, int] = {}
    for name, kind in zip(("x", "y"), types, strict=False):
        width = WIDTHS[kind]
        values[symbol(name, width)] = number & (1 << width) - 1
        number >>= width
    return values


def witnesses(explored: Explored, program: Program) -> list[int]:
    """The inputs of the paths' own models, and those of the tests: more, where paths were joined."""
    found = []
    for outcome in explored.outcomes:
        model = outcome.state.path.model().values
        named = {s.name: value for s, value in model.items()}
        found.append(number_of({"x": named.get("x", 0), "y": named.get("y", 0)}, program.inputs))
    return [*found, *[_input_of(json.loads(path.read_text()), program) for path in explored.result.tests]]


def _input_of(test: dict[str, Any], program: Program) -> int:
    """The input of a written test."""
    values = {each["name"]: int.from_bytes(bytes.fromhex(each["bytes"]), "little") for each in test["inputs"]}
    return number_of({"x": 0, "y": 0, **values}, program.inputs)


def _claim(outcome: Halted | Failed | Killed, model: Model) -> tuple[Any, ...]:
    if isinstance(outcome, Halted):
        return ("exit", evaluate(outcome.status, model) & 255)
    if isinstance(outcome, Failed):
        place = outcome.fault.position
        return (outcome.fault.kind, place.line if place else 0)
    return ("killed", outcome.reason, outcome.detail)


def differences(explored: Explored, program: Program, fates: dict[int, Fate], *, faults: bool = True) -> list[str]:
    """What the engine got wrong. Without ``faults`` the inputs that fail natively are left out (optimised bitcode)."""
    wrong: list[str] = []
    result = explored.result
    unfinished = result.summary["stopped_by"] is not None
    if result.alarms:
        wrong.append(f"alarm: {[(each.kind, each.line) for each in result.alarms]}")
    killed = [outcome for outcome in explored.outcomes if isinstance(outcome, Killed)]
    if killed:
        return [*wrong, f"killed: {killed[0].reason}: {killed[0].detail}"]
    claimed: set[tuple[Any, ...]] = set()
    for number, fate in sorted(fates.items()):
        if fate.kind is not None and not faults:
            continue
        model = Model(_assignment(number, program.inputs))
        mine = [each for each in explored.outcomes if all(evaluate(c, model) for c in each.state.path.constraints())]
        native = (fate.kind, fate.line) if fate.kind is not None else ("exit", fate.status)
        claims = [_claim(each, model) for each in mine]
        if fate.kind == "null-dereference" and fate.line == 0 and len(claims) == 1 and claims[0][0] == fate.kind:
            native = claims[0]  # After a call of a null function the caller's frame is not in the native trace.
        if fate.kind is not None:
            claimed.add(native)
        if len(claims) != 1 and not (unfinished and not claims):
            wrong.append(f"input {number:#x}: natively {native}, {len(claims)} paths: {claims[:3]}")
        elif claims and claims[0] != native:
            wrong.append(f"input {number:#x}: natively {native} {fate.text}, engine {claims[0]}")
        if len(wrong) > 4:
            break
    reported = {(error.kind, error.line) for error in result.errors}
    if faults and not unfinished and len(wrong) == 0:
        if result.verdict != ("unsafe" if claimed else "safe"):
            wrong.append(f"verdict {result.verdict}, native faults {sorted(claimed)}")
        if reported != claimed:
            wrong.append(f"reported {sorted(reported)}, native faults {sorted(claimed)}")
    return wrong


def wrong_tests(explored: Explored, program: Program, fates: dict[int, Fate]) -> list[str]:
    """The written tests whose expectation is not what their inputs come to natively."""
    wrong = []
    for path in explored.result.tests:
        test = json.loads(path.read_text())
        expect = test["expect"]
        if expect is None:  # cut by a join
            continue
        fate = fates[_input_of(test, program)]
        if expect["end"] == "exit":
            same = fate.kind is None and fate.status == expect["status"] & 255
        else:
            same = fate.kind == expect["kind"] and fate.line in (expect["line"], 0)
        if not same:
            wrong.append(f"{path.name}: expects {expect}, natively {fate}")
    return wrong
