"""What a run found: errors and alarms as the summary lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unfork.execute.faults import Fault
from unfork.inputs.escape import shown
from unfork.inputs.heap import Heap
from unfork.inputs.testcase import place_of
from unfork.report.heap_text import drawn


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a test reproduces (an error), or one whose test does not replay (an alarm)."""

    kind: str
    message: str
    file: str | None
    line: int | None
    function: str | None
    test: str
    """The test's file, relative to the run directory."""
    replayed: bool
    fault: Fault
    """With the values of the replay where it replayed."""
    left: Heap | None = None
    """What the replay has made of the heap that a function was given."""

    def as_dict(self) -> dict[str, Any]:
        """The finding in summary.json."""
        return {
            "kind": self.kind,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "function": self.function,
            "test": self.test,
            "replayed": self.replayed,
        }


def finding(fault: Fault, test: str, *, replayed: bool, left: Heap | None = None) -> Finding:
    """The report of a fault."""
    place = place_of(fault)
    function = place.function if place is not None else (fault.stack[0].function if fault.stack else None)
    file, line = (place.file, place.line) if place is not None else (None, None)
    return Finding(fault.kind, fault.message, file, line, function, test, replayed, fault, left)


def location(found: Finding) -> str:
    """FILE:LINE, or what is known of it."""
    return f"{shown(found.file)}:{found.line}" if found.file is not None else shown(found.function or "unknown place")


def error_text(found: Finding) -> str:
    """errors/NNNNNN.txt: kind, message, C stack trace with values, test."""
    lines = [f"{found.kind}: {shown(found.message)}", f"at {location(found)}", f"test: {found.test}", "", "stack:"]
    for depth, entry in enumerate(found.fault.stack):
        place = entry.position
        where = f"{shown(place.file)}:{place.line}" if place is not None else "unknown place"
        lines.append(f"  #{depth} {shown(entry.function)} at {where}")
        inlined = place.inlined_at if place is not None else None
        while inlined is not None:
            lines.append(f"       inlined at {shown(inlined.file)}:{inlined.line} in {shown(inlined.function)}")
            inlined = inlined.inlined_at
        lines.extend(f"       {shown(name)} = {shown(value)}" for name, value in entry.values)
    if found.left is not None:
        lines += ["", "the heap then, from a call of:", *drawn(found.left)]
    return "\n".join(lines) + "\n"
