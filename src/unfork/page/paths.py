"""The paths of tests as data of the page: steps with values, and the path condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unfork.clang.escape import shown
from unfork.llvm.types import Position
from unfork.logic.c_terms import words
from unfork.page.places import Places
from unfork.replay.concolic import Conditions
from unfork.replay.walk import WalkStep

NO_PATH: dict[str, Any] = {"untold": "The program was not run again for this test."}
_CONDITIONS = 400
"""The most conditions of a path that are shown."""
_DEEP = 12
"""Levels of a condition that are written out."""


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """What running a test again has shown. ``note`` is what the reader should know of it."""

    first: list[WalkStep]
    last: list[WalkStep]
    left_out: int
    note: str
    conditions: Conditions


def path_data(path: WalkedPath, places: Places) -> dict[str, Any]:
    """Rows of steps: place, depth, how often in a row, values; place -1 stands for the steps that are left out."""
    steps: list[list[Any]] = []
    for step in path.first:
        _add(steps, step, places)
    if path.left_out:
        steps.append([-1, 0, path.left_out, []])
    for step in path.last:
        _add(steps, step, places)
    return {"walk": {"steps": steps, "note": path.note}, **_conditions(path.conditions, places)}


def _add(steps: list[list[Any]], step: WalkStep, places: Places) -> None:
    place = _number(step.position, places)
    values = [[shown(name), shown(text)] for name, text in step.values]
    if steps and not values and steps[-1][0] == place and steps[-1][1] == step.depth:
        steps[-1][2] += 1
    else:
        steps.append([place, step.depth, 1, values])


def _conditions(known: Conditions, places: Places) -> dict[str, Any]:
    if known.trouble is not None:
        return {"unknown": f"It cannot be told: {known.trouble}."}
    rows = [
        [_number(place, places), shown(words(term, 1, signed=False, depth=_DEEP))]
        for place, term in known.rows[:_CONDITIONS]
    ]
    if len(known.rows) > _CONDITIONS:
        rows.append([0, f"... and {len(known.rows) - _CONDITIONS:,} more"])
    return {"conditions": rows}


def _number(position: Position | None, places: Places) -> int:
    return 0 if position is None else places.number(position.file, position.line, position.function)
