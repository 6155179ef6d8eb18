"""Witnesses of SV-COMP in their format 2.0: source locations on a path to a violation, or invariants."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from unfork.errors import InputError

FORMAT = "2.0"
_RESULT = re.compile(r"\\result\s*(==|!=|<=|>=|<|>)\s*(.+)", re.S)


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A source location on a path, and what holds there: the ``constraint``, as the format has it.

    ``kind`` is assumption, branching, function_enter, function_return or target.
    """

    kind: str
    line: int
    column: int | None
    function: str | None = None
    constraint: str | None = None

    @property
    def comparison(self) -> tuple[str, str] | None:
        """Of a function_return: the operator and the constant with which the result is compared; None otherwise."""
        match = _RESULT.fullmatch((self.constraint or "").strip())
        return None if match is None else (match[1], match[2].strip())


def function_return(line: int, column: int | None, function: str | None, value: str) -> Waypoint:
    """The end of a call that returns a ``value`` (a constant of C)."""
    return Waypoint("function_return", line, column, function, f"\\result == {value}")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a path: it ends at ``follow``, and passes none of ``avoided`` before."""

    follow: Waypoint
    avoided: tuple[Waypoint, ...] = ()


@dataclass(frozen=True, slots=True)
class WitnessTask:
    """The task of a witness. ``program`` is the name of its file, ``digest`` its SHA-256."""

    program: str
    digest: str
    formula: str
    data_model: str
    producer: tuple[str, str]
    created: str
    """ISO 8601."""


@dataclass(frozen=True, slots=True)
class WitnessInvariant:
    """A C expression that holds whenever the head of the loop there is reached, or a statement (``at_loop``)."""

    line: int
    column: int | None
    function: str | None
    expression: str
    at_loop: bool = True


def violation(task: WitnessTask, waypoints: Sequence[Waypoint]) -> str:
    """The text of a violation witness; the last waypoint is the target."""
    segments = [{"segment": [{"waypoint": _waypoint(task.program, each)}]} for each in waypoints]
    return _yaml([_entry("violation_sequence", task, segments)])


def correctness(task: WitnessTask, invariants: Sequence[WitnessInvariant]) -> str:
    """The text of a correctness witness."""
    content = [
        {
            "invariant": {
                "type": "loop_invariant" if each.at_loop else "location_invariant",
                "location": _location(task.program, each.line, each.column, each.function),
                "value": each.expression,
                "format": "c_expression",
            }
        }
        for each in invariants
    ]
    return _yaml([_entry("invariant_set", task, content)])


def _entry(kind: str, task: WitnessTask, content: list[Any]) -> dict[str, Any]:
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
    metadata["uuid"] = str(uuid.uuid5(uuid.NAMESPACE_URL, _yaml([kind, metadata, content])))
    return {"entry_type": kind, "metadata": metadata, "content": content}


def _yaml(data: list[Any]) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, width=math.inf))


def _waypoint(program: str, point: Waypoint) -> dict[str, Any]:
    data: dict[str, Any] = {"type": point.kind, "action": "follow"}
    if point.constraint is not None:
        data["constraint"] = {"value": point.constraint}
        if point.kind == "function_return":
            data["constraint"]["format"] = "acsl_expression"
    data["location"] = _location(program, point.line, point.column, point.function)
    return data


def _location(program: str, line: int, column: int | None, function: str | None) -> dict[str, Any]:
    location: dict[str, Any] = {"file_name": program, "line": line}
    if column is not None:
        location["column"] = column
    return location if function is None else location | {"function": function}


@dataclass(frozen=True, slots=True)
class Read:
    """A witness as it was read: its task's digests, data model and formula; and ``segments``, or ``invariants``."""

    digests: tuple[str, ...]
    data_model: str
    formula: str
    segments: tuple[Segment, ...] | None
    """None in a correctness witness."""
    invariants: tuple[WitnessInvariant, ...]


def read_witness(text: str, name: str) -> Read:
    """The witness in the file ``name``. Raises InputError if it cannot be read."""
    data = _parse(text, name)
    try:
        entries = [entry for entry in data if entry["entry_type"] in ("violation_sequence", "invariant_set")]
        kinds = {entry["entry_type"] for entry in entries}
        if len(entries) != len(data) or len(kinds) != 1 or (len(entries) > 1 and "violation_sequence" in kinds):
            raise InputError(f"{name}: not one entry of type violation_sequence, nor entries of type invariant_set")
        for entry in entries:
            version = str(entry["metadata"]["format_version"])
            if version != FORMAT:
                raise InputError(f"{name}: format version {version}; only {FORMAT} is supported")
        task = entries[0]["metadata"]["task"]
        if any(entry["metadata"]["task"] != task for entry in entries):
            raise InputError(f"{name}: its entries are about different tasks")
        segments: tuple[Segment, ...] | None = None
        invariants: tuple[WitnessInvariant, ...] = ()
        if "violation_sequence" in kinds:
            segments = tuple(_read_segments(entries[0]["content"], name))
        else:
            invariants = tuple(_read_invariant(each, name) for entry in entries for each in entry["content"])
        digests = tuple(str(digest) for digest in task["input_file_hashes"].values())
        return Read(digests, str(task["data_model"]), str(task["specification"]), segments, invariants)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError) as problem:
        raise InputError(f"{name}: no witness of format {FORMAT} ({type(problem).__name__}: {problem})") from None


def _parse(text: str, name: str) -> Any:
    """The data of a YAML text. Raises InputError, with the line."""
    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line, reason = 1 if mark is None else mark.line + 1, problem.problem or problem.context
    except yaml.reader.ReaderError as problem:
        line, reason = text.count("\n", 0, problem.position) + 1, problem.reason
    except ValueError as problem:  # an impossible date, or a number with too many digits
        line, reason = 1, str(problem)
    except RecursionError:
        line, reason = 1, "nested too deep"
    raise InputError(f"{name}:{line}: not YAML ({reason})")


def _read_segments(content: list[Any], name: str) -> Iterator[Segment]:
    for number, segment in enumerate(content):
        *before, last = [(entry["waypoint"]["action"], _read_waypoint(entry, name)) for entry in segment["segment"]]
        if last[0] != "follow" or any(action != "avoid" for action, _ in before):
            raise InputError(f"{name}: a segment must end in the only waypoint that is to be followed")
        if (last[1].kind == "target") != (number == len(content) - 1) or any(p.kind == "target" for _, p in before):
            raise InputError(f"{name}: the target must be the last waypoint, and nothing else")
        yield Segment(last[1], tuple(point for _, point in before))
    if not content:
        raise InputError(f"{name}: it has no waypoint")


def _read_waypoint(entry: dict[str, Any], name: str) -> Waypoint:
    point = entry["waypoint"]
    kind, location = str(point["type"]), point["location"]
    constraint = _text(point["constraint"]["value"]) if "constraint" in point else None
    read = Waypoint(kind, int(location["line"]), _column(location), location.get("function"), constraint)
    if kind not in ("assumption", "branching", "function_enter", "function_return", "target"):
        raise InputError(f"{name}: a waypoint of type {kind!r} is not of format {FORMAT}")
    if (kind in ("function_enter", "target")) != (constraint is None):
        raise InputError(
            f"{name}: a waypoint of type {kind} {'needs a' if constraint is None else 'has no'} constraint"
        )
    return read


def _read_invariant(entry: dict[str, Any], name: str) -> WitnessInvariant:
    data = entry["invariant"]
    kind, location = data["type"], data["location"]
    if kind not in ("loop_invariant", "location_invariant") or data["format"] != "c_expression":
        raise InputError(f"{name}: an invariant of type {kind!r}, format {data['format']!r}, is not supported")
    value, line = _text(data["value"]), int(location["line"])
    return WitnessInvariant(line, _column(location), location.get("function"), value, at_loop=kind == "loop_invariant")


def _column(location: dict[str, Any]) -> int | None:
    return None if location.get("column") is None else int(location["column"])


def _text(value: Any) -> str:
    """An expression of C, which YAML may have taken for a truth value or a number."""
    return str(value).lower() if isinstance(value, bool) else str(value)
