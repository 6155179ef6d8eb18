"""Errors and alarms of a run, as the summary lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unfork.engine.protocols.fault import name_of
from unfork.engine.protocols.outcome import Fault, StackEntry
from unfork.program.c.escape import escape_text
from unfork.report.record.words_of_tests import heap_lines
from unfork.world.inputs.heap_data import Heap
from unfork.world.inputs.testcase import NOT_ASKED, Error, NativeOpinion, Opinion, column_of, error_of, function_of

OUT_OF_TIME = "time was over before its test had replayed"
"""The reason of an alarm that may be an error."""
_NEAR = " (near this line: the code that fails has no line of its own)"


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """An error (a fault that its test reproduces) or an alarm: the test does not replay, or native runs deny it."""

    kind: str
    message: str
    file: str | None
    line: int | None
    is_near: bool
    """Whether the line is the nearest known one; the message then says so."""
    function: str | None
    test: str
    """The test's file, relative to the run directory."""
    replayed: bool
    fault: Fault
    """The fault; after a replay, with its values."""
    left: Heap | None = None
    """The heap of a function's test after the replay."""
    native: Opinion = NOT_ASKED

    def __repr__(self) -> str:
        return f"Finding({self.kind!r} at {location(self)}, {self.test!r}, replayed={self.replayed})"

    @property
    def key(self) -> Error:
        return error_of(self.fault)

    @property
    def reason(self) -> str | None:
        """Why this is an alarm, or why native runs do not confirm the error."""
        if self.replayed or self.native.word is NativeOpinion.DENIED:
            return self.native.reason
        return self.native.reason or "the test does not replay"

    def as_dict(self) -> dict[str, Any]:
        """The finding in summary.json."""
        return {
            "kind": self.kind,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "column": column_of(self.fault),
            "line_is_nearest": self.is_near,
            "function": self.function,
            "test": self.test,
            "replayed": self.replayed,
            "native": self.native.word.value,
            "reason": self.reason,
            "access": None if self.fault.access is None else self.fault.access.as_dict(),
            "aspect": name_of(self.fault.aspect),
            "stack": [_frame(entry) for entry in self.fault.stack],
        }


def _frame(entry: StackEntry) -> dict[str, Any]:
    """A stack frame in summary.json: location, calls that inlined it there, values."""
    position, inlined = entry.position, []
    outer = None if position is None else position.inlined_at
    while outer is not None:
        inlined.append({"function": outer.function, "file": outer.file, "line": outer.line, "column": outer.column})
        outer = outer.inlined_at
    return {
        "function": entry.function,
        "file": None if position is None else position.file,
        "line": None if position is None else position.line,
        "column": None if position is None or position.is_near else position.column,
        "line_is_nearest": position is not None and position.is_near,
        "inlined_at": inlined,
        "values": dict(entry.values),
    }


def stack_lines(frames: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of a stack, from its frames in summary.json."""
    for depth, frame in enumerate(frames):
        near = "near " if frame["line_is_nearest"] else ""
        where = f"{near}{escape_text(frame['file'])}:{frame['line']}" if frame["file"] is not None else "unknown place"
        yield f"  #{depth} {escape_text(frame['function'])} at {where}"
        for call in frame["inlined_at"]:
            yield f"       inlined at {escape_text(call['file'])}:{call['line']} in {escape_text(call['function'])}"
        yield from (f"       {escape_text(name)} = {escape_text(value)}" for name, value in frame["values"].items())


def finding(
    fault: Fault, test: str, *, replayed: bool, left: Heap | None = None, native: Opinion = NOT_ASKED
) -> Finding:
    """The finding of a fault; ``left`` is the heap after the replay."""
    error = error_of(fault)
    message = fault.message + (_NEAR if error.is_near else "")
    line = error.file, error.line, error.is_near
    return Finding(fault.kind, message, *line, function_of(fault), test, replayed, fault, left, native)


def location(finding: Finding) -> str:
    """FILE:LINE, or the function if the file is unknown."""
    if finding.file is None:
        return escape_text(finding.function or "unknown place")
    return f"{escape_text(finding.file)}:{finding.line}"


def error_text(finding: Finding) -> str:
    """The text of errors/NNNNNN.txt: kind, message, C stack trace with values, test."""
    why = "" if finding.reason is None else f" ({escape_text(finding.reason)})"
    lines = [f"{finding.kind}: {escape_text(finding.message)}", f"at {location(finding)}", f"test: {finding.test}"]
    lines += [f"natively: {finding.native.word.value}{why}", "", "stack:"]
    lines += stack_lines([_frame(entry) for entry in finding.fault.stack])
    if finding.left is not None:
        lines += ["", "the heap then, from a call of:", *heap_lines(finding.left)]
    return "\n".join(lines) + "\n"
