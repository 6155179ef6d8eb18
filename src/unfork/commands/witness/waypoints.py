"""The waypoints of a witness as calls in the text of its program, and the order in which a path must pass them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.commands.witness.witness import Segment, Waypoint, WitnessInvariant
from unfork.commands.witness.witnessed import Passing, Stage
from unfork.errors import InputError
from unfork.program.c.location_calls import PASSED
from unfork.program.c.probes import NothingThere, ProbedText, Probes, call, checked_expression
from unfork.program.c.source_places import FileLocation

_Key = tuple[str, int, int | None, str | None]


class CannotFollow(InputError):
    """A witness cannot be followed where it speaks."""


class _Waypoints:
    """Numbers for waypoints; equal ones share a number."""

    def __init__(self, text: str) -> None:
        self._probes = Probes(text)
        self._known: dict[_Key, int] = {}

    def passing(self, point: Waypoint) -> Passing:
        """The number and value by which a path passes a waypoint. Raises NothingThere."""
        is_truth = point.kind == "branching" and point.constraint in ("true", "false")
        said = None if is_truth else point.constraint
        key = (point.kind, point.line, point.column, said)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._known)
            self._put(point, number, said)
        return Passing(number, is_true=not (is_truth and point.constraint == "false"))

    def _put(self, point: Waypoint, number: int, said: str | None) -> None:
        line, column, probes = point.line, point.column, self._probes
        match point.kind:
            case "assumption":
                probes.statement(line, column, call(number, said or ""))
            case "branching":
                probes.decision(line, column, number, None if said is None else checked_expression(said))
            case "function_enter":
                probes.entered(line, column, number)
            case _:
                comparison = point.comparison
                if comparison is None:
                    raise NothingThere(f"the constraint {said!r} is not \\result compared with a constant")
                order, constant = comparison
                probes.returned(line, column, number, f"unfork_v {order} ({checked_expression(constant)})")

    def probed(self) -> tuple[ProbedText, dict[int, FileLocation]]:
        """The text with the calls, and the statements that end the program by number, which have calls too."""
        endings = _put_at_endings(self._probes, len(self._known))
        return self._probes.probed(), endings


def stages(text: str, segments: Sequence[Segment]) -> tuple[ProbedText, list[Stage], dict[int, FileLocation]]:
    """The text with a call for each waypoint, the segments, and the numbers of the calls that end the program.

    Raises CannotFollow.
    """
    waypoints = _Waypoints(text)

    def passing(point: Waypoint) -> Passing:
        try:
            return waypoints.passing(point)
        except NothingThere as problem:
            raise CannotFollow(f"{_waypoint_text(point.kind, point.line, point.column)}: {problem}") from None

    found = []
    for segment in segments:
        follow = None if segment.follow.kind == "target" else passing(segment.follow)
        found.append(Stage(follow, tuple([passing(point) for point in segment.avoided])))
    probed, endings = waypoints.probed()
    return probed, found, endings


def asserted(text: str, invariants: Sequence[WitnessInvariant]) -> ProbedText:
    """The text with a call at each invariant, with its number and its value. Raises CannotFollow."""
    probes = Probes(text)
    for number, each in enumerate(invariants):
        try:
            if each.at_loop:
                probes.loop(each.line, each.column, [call(number, each.expression)])
            else:
                probes.statement(each.line, each.column, call(number, each.expression))
        except NothingThere as problem:
            raise CannotFollow(f"{_waypoint_text('invariant', each.line, each.column)}: {problem}") from None
    return probes.probed()


def _waypoint_text(kind: str, line: int, column: int | None) -> str:
    return f"the {kind} at line {line}{'' if column is None else f', column {column}'}"


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with calls at all ``decisions``, and at statements that ``end`` the program, each by number."""

    probed: ProbedText
    decisions: dict[int, FileLocation]
    ends: dict[int, FileLocation]


def marked(text: str) -> Marked:
    """The text with calls that tell which way a path goes, and where it ends."""
    probes = Probes(text)
    decisions: dict[int, FileLocation] = {}
    for line, column in probes.decisions():
        number = len(decisions)
        try:
            probes.decision(line, column, number, None)
        except NothingThere:
            continue
        decisions[number] = FileLocation(line, column)
    ends = _put_at_endings(probes, len(decisions))
    return Marked(probes.probed(), decisions, ends)


def _put_at_endings(probes: Probes, first: int) -> dict[int, FileLocation]:
    """Put calls at the statements that end the program: these by number, from ``first`` on."""
    endings = dict(enumerate([FileLocation(*end) for end in probes.endings()], first))
    for number, spot in endings.items():
        probes.statement(spot.line, spot.column, f"{PASSED}({number}, 1)")
    return endings


def end_of_main(text: str) -> FileLocation | None:
    """The brace that closes main."""
    brace = Probes(text).end_of_main()
    return None if brace is None else FileLocation(*brace)
