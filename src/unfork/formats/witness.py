"""Witnesses of SV-COMP in their format 2.0: what a path returns from calls and where it fails, or what loops keep."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unfork.errors import InputError
from unfork.formats.yaml_text import read, written

FORMAT = "2.0"
_RESULT = re.compile(r"\s*\\result\s*==\s*(.*?)\s*")


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A place that a path comes by: the end of a call that returns ``value`` or, without it, the violation."""

    line: int
    column: int | None
    function: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class Task:
    """What a witness is about. ``program`` is the name of its file, ``digest`` its SHA-256."""

    program: str
    digest: str
    formula: str
    data_model: str
    producer: tuple[str, str]
    created: str
    """ISO 8601."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A C expression that holds whenever the head of the loop at a place is reached."""

    line: int
    column: int | None
    function: str | None
    expression: str


def violation(task: Task, waypoints: Sequence[Waypoint]) -> str:
    """The text of a violation witness; the last waypoint is the violation."""
    segments = [
        {"segment": [{"waypoint": _waypoint(task.program, each, is_last=each is waypoints[-1])}]} for each in waypoints
    ]
    return written([_entry("violation_sequence", task, segments)])


def correctness(task: Task, invariants: Sequence[Invariant]) -> str:
    """The text of a correctness witness."""
    content = [
        {
            "invariant": {
                "type": "loop_invariant",
                "location": _location(task.program, each.line, each.column, each.function),
                "value": each.expression,
                "format": "c_expression",
            }
        }
        for each in invariants
    ]
    return written([_entry("invariant_set", task, content)])


def _entry(kind: str, task: Task, content: list[Any]) -> dict[str, Any]:
    name, version = task.producer
    metadata = {
        "format_version": FORMAT,
        "uuid": "",
        "creation_time": task.created,
        "producer": {"name": name, "version": version},
        "task": {
            "input_files": [task.program],
            "input_file_hashes": {task.program: task.digest},
            "specification": task.formula,
            "data_model": task.data_model,
            "language": "C",
        },
    }
    metadata["uuid"] = str(uuid.uuid5(uuid.NAMESPACE_URL, written([kind, metadata, content])))
    return {"entry_type": kind, "metadata": metadata, "content": content}


def _waypoint(program: str, point: Waypoint, *, is_last: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"type": "target" if is_last else "function_return", "action": "follow"}
    if not is_last:
        told["constraint"] = {"value": f"\\result == {point.value}", "format": "acsl_expression"}
    told["location"] = _location(program, point.line, point.column, point.function)
    return told


def _location(program: str, line: int, column: int | None, function: str | None) -> dict[str, Any]:
    place: dict[str, Any] = {"file_name": program, "line": line}
    if column is not None:
        place["column"] = column
    return place if function is None else place | {"function": function}


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation witness as it was read: its task's file, data model and formula, and its waypoints."""

    digests: tuple[str, ...]
    data_model: str
    formula: str
    waypoints: tuple[Waypoint, ...]


def read_violation(text: str, name: str) -> Violation:
    """The violation witness in the file ``name``. Raises InputError for one that cannot be read or followed."""
    data = read(text, name)
    try:
        entries = [entry for entry in data if entry["entry_type"] == "violation_sequence"]
        if len(entries) != 1:
            raise InputError(f"{name}: {len(entries)} entries of type violation_sequence, not one")
        metadata, content = entries[0]["metadata"], entries[0]["content"]
        version, task = str(metadata["format_version"]), metadata["task"]
        if version != FORMAT:
            raise InputError(f"{name}: format version {version}; only {FORMAT} is supported")
        waypoints = tuple(_read_waypoints(content, name))
        digests = tuple(str(digest) for digest in task["input_file_hashes"].values())
        return Violation(digests, str(task["data_model"]), str(task["specification"]), waypoints)
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise InputError(f"{name}: no witness of format {FORMAT} ({type(problem).__name__}: {problem})") from None


def _read_waypoints(content: list[Any], name: str) -> Iterator[Waypoint]:
    for number, segment in enumerate(content):
        for entry in segment["segment"]:
            point, is_last = entry["waypoint"], number == len(content) - 1
            kind, action = point["type"], point["action"]
            if action != "follow":
                raise InputError(f"{name}: a waypoint with the action {action!r} is not supported")
            if is_last != (kind == "target"):
                raise InputError(f"{name}: the target must be the last waypoint, and nothing else")
            place = point["location"]
            column = None if place.get("column") is None else int(place["column"])
            yield Waypoint(int(place["line"]), column, place.get("function"), None if is_last else _value(point, name))
    if not content:
        raise InputError(f"{name}: it has no waypoint")


def _value(point: dict[str, Any], name: str) -> str:
    """The value that a call returns. Raises InputError for any other waypoint."""
    kind = point["type"]
    constraint = str(point["constraint"]["value"]) if "constraint" in point else ""
    match = _RESULT.fullmatch(constraint)
    if kind != "function_return" or match is None:
        raise InputError(f"{name}: a waypoint of type {kind} with the constraint {constraint!r} is not supported")
    return match[1]
