"""What a run did not reach, and since when it has reached nothing new, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unfork.engine.protocols.whereabouts import NOWHERE
from unfork.program.c.escape import escape_text
from unfork.report.record.text import plural
from unfork.report.record.unreached import Hindrance, NotEntered, Obstacle, Unreached

_SHOWN = 8
_CODE = 90
"""Characters of a source line to show."""
_CALLERS = 3
"""Callers to name."""


def growth_line(summary: Mapping[str, Any], growth: Sequence[tuple[float, int]]) -> list[str]:
    """When the run last covered a new branch edge; nothing for a run that ended by itself or has covered none."""
    if not growth or summary["stopped_by"] is None:
        return []
    seconds, total = growth[-1][0], max(summary["seconds"], 0.001)
    idle = max(total - seconds, 0.0)
    return [
        f"the last new branch came after {seconds:.1f} s; the {idle:.1f} s since then, {idle / total:.0%} of the run, "
        "brought none"
    ]


def unreached_lines(found: Unreached, source: Callable[[str], Sequence[bytes]]) -> list[str]:
    """The obstacles with most behind them, each with its line of ``source``, and the functions not entered."""
    lines: list[str] = []
    obstacles = [each for each in found.obstacles if each.behind]
    if obstacles:
        lines += ["", f"what stands before the {plural(len(found.sides), 'branch side')} not taken: sides behind it"]
        lines += _more(len(obstacles))
        for obstacle in obstacles[:_SHOWN]:
            lines.append(f"  {obstacle.behind:>10,}  {place_words(obstacle)}: {reason_words(obstacle)}")
            if code := _code(obstacle, source):
                lines.append(f"{'':>16}{code}")
    if found.functions:
        lines += ["", "functions not entered: branch sides in them, callers, what stands before them"]
        lines += _more(len(found.functions))
        for each in found.functions[:_SHOWN]:
            lines.append(f"  {each.sides:>10,}  {function_words(each)}")
            lines.append(f"{'':>16}{before_words(each, found.obstacles[each.obstacle])}")
    return lines


def place_words(obstacle: Obstacle) -> str:
    """The side of a branch, the call, or the function, with its place."""
    if obstacle.hindrance in (Hindrance.POINTER, Hindrance.UNCALLED) or obstacle.at == NOWHERE:
        return way_words(obstacle)
    place = f"{obstacle.at.file}:{obstacle.at.line}"
    return f"{escape_text(place)} {way_words(obstacle)}"


def way_words(obstacle: Obstacle) -> str:
    """The same without the file and the line."""
    name = escape_text(obstacle.at.function or obstacle.function)
    match obstacle.hindrance:
        case Hindrance.POINTER | Hindrance.UNCALLED:
            return escape_text(obstacle.function)
        case Hindrance.CALL:
            return f"in {name}, the call of {escape_text(obstacle.callee)}"
        case Hindrance.EXCEPTION:
            return f"in {name}, an exception"
        case _:
            return f"in {name}" if obstacle.line is None else f"in {name}, to line {obstacle.line}"


def reason_words(obstacle: Obstacle) -> str:
    """Why no path went on there, and how many states may still do so."""
    count = obstacle.waiting
    waiting = f"; {plural(count, 'state')} wait{'s' * (count == 1)} in the function" if count else ""
    return _reason(obstacle) + waiting


def _reason(obstacle: Obstacle) -> str:
    answers = obstacle.answers
    asked = f"asked {plural(answers.asked, 'time')}"
    match obstacle.hindrance:
        case Hindrance.INFEASIBLE:
            return f"{asked}, always infeasible"
        case Hindrance.UNKNOWN:
            return f"{asked}, {answers.infeasible:,} infeasible, {answers.unknown:,} without an answer in time"
        case Hindrance.UNTESTED:
            return f"{asked}, {answers.untested:,} taken, but no such path got a test"
        case Hindrance.CONSTANT:
            return "never asked, since the condition was a constant each time"
        case Hindrance.WAITING | Hindrance.UNDECIDED:
            return "never tried, since no path got as far"
        case Hindrance.CALL:
            return "no path got as far"
        case Hindrance.EXCEPTION:
            return "none came out of the call"
        case Hindrance.POINTER:
            return "called through pointers only, and never so far"
        case Hindrance.UNCALLED:
            return "nothing calls it"


def function_words(each: NotEntered) -> str:
    """A function that was not entered, and its callers."""
    place = "" if each.at == NOWHERE else escape_text(f" ({each.at.file}:{each.at.line})")
    callers = ", ".join(map(escape_text, each.callers[:_CALLERS]))
    more = f" and {len(each.callers) - _CALLERS:,} more" if len(each.callers) > _CALLERS else ""
    return f"{escape_text(each.function)}{place}{', called by ' * bool(callers)}{callers}{more}"


def before_words(each: NotEntered, obstacle: Obstacle) -> str:
    """What stands before a function that was not entered."""
    if obstacle.hindrance in (Hindrance.POINTER, Hindrance.UNCALLED) and obstacle.function == each.function:
        return reason_words(obstacle)
    return f"behind {place_words(obstacle)}: {reason_words(obstacle)}"


def _code(obstacle: Obstacle, source: Callable[[str], Sequence[bytes]]) -> str:
    """The source line of an obstacle; "" if it is not known."""
    file, line = obstacle.at.file, obstacle.at.line
    if file is None or line is None or obstacle.edge is None:
        return ""
    lines = source(file)
    if not 0 < line <= len(lines):
        return ""
    code = escape_text(lines[line - 1].decode("utf-8", "backslashreplace").strip())
    return code if len(code) <= _CODE else f"{code[:_CODE]}..."


def _more(rows: int) -> list[str]:
    return [f"  (the first {_SHOWN} of {rows})"] if rows > _SHOWN else []
