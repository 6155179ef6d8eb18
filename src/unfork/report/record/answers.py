"""The answers of unfork reach as lines of a terminal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unfork.program.c.escape import escape_text
from unfork.report.record.text import clipped

_LONGEST = 160
_NAMED = 8
"""The most functions named."""
REACHED = "reach-error"


def answer_lines(data: Mapping[str, Any], directory: str) -> list[str]:
    """All lines, from the data of scan.json with answers."""
    lines = [line for each in data["answers"] for line in _lines(each, directory)]
    if len(data["answers"]) > 1:
        counts = Counter(each["answer"] for each in data["answers"])
        lines.append(f"{', '.join(f'{number:,} {answer}' for answer, number in counts.items())}, in {directory}")
    return lines


def _lines(answer: Mapping[str, Any], directory: str) -> Iterator[str]:
    claim = answer["claim"]
    kind = {REACHED: "", "": "any error: "}.get(claim["kind"], f"{claim['kind']}: ")
    yield f"{escape_text(claim['file'])}:{claim['line']}: {kind}{_said(answer)}"
    if claim["said"]:
        yield f"    claimed: {clipped(escape_text(claim['said']), _LONGEST)}"
    if answer["answer"] == "confirmed":
        is_reached = claim["kind"] == REACHED
        yield f"    {escape_text(answer['reason'] if is_reached else answer['message'] + '; ' + answer['reason'])}"
        yield f"    {escape_text(os.path.normpath(os.path.join(directory, answer['reproducer'])))}"
        return
    yield f"    {escape_text(answer['reason'])}"
    if answer["reproducer"]:
        yield f"    such an input: {escape_text(os.path.normpath(os.path.join(directory, answer['reproducer'])))}"
    names = [f"{name} ({'completely' if extent == 'all' else extent})" for name, extent, _ in answer["functions"]]
    if names:
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        yield f"    explored: {escape_text(', '.join(names[:_NAMED]))}{more}"
    yield from (f"    assumed: {clipped(escape_text(each), _LONGEST)}" for each in answer["bounds"])


def _said(answer: Mapping[str, Any]) -> str:
    match answer["answer"]:
        case "confirmed":
            word = "reached" if answer["claim"]["kind"] == REACHED else "confirmed"
            return f"{word} from {escape_text(answer['by'])}"
        case "conditional":
            needs = f": {escape_text(answer['precondition'])}" if answer["precondition"] else ""
            return f"only if callers of {escape_text(answer['by'])} break a precondition{needs}"
        case "not reachable":
            return "not within these bounds"
    return "undecided"
