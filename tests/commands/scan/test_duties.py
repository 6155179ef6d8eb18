"""What calls show of numbers and objects, and which faults callers' duties rule out by that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from unfork.commands.projects.entries import CallGraph
from unfork.commands.scan.duties import DutyRule, FunctionUse, ProjectCalls, RoomOfObject, StepOfNumber
from unfork.commands.scan.fault_needs import ArgumentNeed
from unfork.commands.scan.judgement import CERTAIN
from unfork.commands.scan.results import ScanFinding
from unfork.program.facts.call_sites import CallSite
from unfork.program.facts.passed_sizes import SizeRelation
from unfork.program.llvm.types import Position


def call(line: int, constants: dict[str, int], rooms: dict[str, int], derived: tuple[tuple[str, str], ...]) -> CallSite:
    sizes = frozenset((pointer, number, SizeRelation.DERIVED) for pointer, number in derived)
    position = Position("a.c", line, 1, "g")
    return CallSite(
        position, frozenset(), sizes, frozenset(rooms.items()), frozenset(constants.items()), "g", frozenset()
    )


def is_broken(rule: DutyRule, need: ArgumentNeed, calls: list[CallSite]) -> bool:
    found = ScanFinding(
        "out-of-bounds", "a.c", 1, "f", "", CERTAIN, "", "", "", "a.json", "a.c", (), (), "", needs=(need,)
    )
    graph = cast("CallGraph", SimpleNamespace(calls={"f": calls}))
    return (
        rule.broken(
            found, FunctionUse("f", ProjectCalls([graph]), calls, speaks_of_null=False, conditions=(), is_taken=False)
        )
        is not None
    )


@pytest.mark.parametrize(
    ("passed", "is_step"),
    [
        ((16, 48, 64), True),
        ((16, 32, 64), False),
        ((16, 48), False),
        ((100, 200, 1000), False),
        ((48, 96, 144), False),
        ((2, 6, 10), False),
    ],
)
def test_constants_show_a_step_that_is_a_power_of_two(passed: tuple[int, ...], is_step: bool) -> None:
    need = ArgumentNeed("n", least=1, most=99, no_steps=(64, 32, 16, 8, 4))
    calls = [call(line, {"n": number}, {}, ()) for line, number in enumerate(passed)]
    assert is_broken(StepOfNumber(), need, calls) == is_step


@pytest.mark.parametrize(
    ("most", "varies", "is_outside"),
    [(7, False, True), (7, True, True), (3, False, True), (3, True, False), (8, False, False), (8, True, False)],
)
def test_a_room_rules_out_a_range_that_ends_below_it(most: int, varies: bool, is_outside: bool) -> None:
    need = ArgumentNeed("out", is_object=True, least=1, most=most, varies=varies, counted_by="size")
    calls = [call(1, {}, {"out": 8, "data": 4}, (("data", "size"),))]
    assert is_broken(RoomOfObject(), need, calls) == is_outside
