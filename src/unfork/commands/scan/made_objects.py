"""Findings on objects that a project makes itself: they count if its public functions make an object that fails.

A function is explored on any object first. For a finding that reads members of a made struct, its entry is explored
again: after makers, and up to MOST_CALLS public operations. What fails there is certain, and its program makes these
calls. What does not is *conditional* if all that was explored, and *likely* otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from unfork.commands.scan.certainty import OUT_OF_TIME
from unfork.commands.scan.court import REACHED
from unfork.commands.scan.following import ScannedPart, passed_by
from unfork.commands.scan.judgement import CONDITIONAL, LIKELY, SHOWN, UNDECIDED
from unfork.commands.scan.results import Defect, Explored, ScanFinding
from unfork.program.c.object_calls import ObjectDriver
from unfork.program.facts.makers import words_of

MOST_CALLS = 3
"""Operations between the makers and the entry: the fewest that fill what has room for two, as in the programs of
tests/commands/scan/projects.
"""
_SHARE, _SHARE_OF_OTHERS = 0.5, 0.25
"""Shares of a function's time for a question about a certain finding, and about another one."""
NOT_MADE = "not-made"
"""The name of the rule for what no sequence of calls came to."""
_OF_STATE = frozenset(
    (
        *("untested-number", "null-pointer", "pointer-target", "untested-heap"),
        *("equal-pointers", "pointer-to-nothing", "unknown-siblings", "not-native", "made-object"),
        *("short-text", "end-of-text", "room-after-text", "in-front", "chosen-function"),
    )
)
"""Rules that decide by the state of objects: whether a fault of theirs happens, their makers can show."""
_MAY_END = frozenset(("clear", "wipe"))
"""Words in the names of functions that empty an object in one project, and end it in another."""
_LEAKING = frozenset(("leak", "cleanup"))
"""Kinds that say nothing of a driver, which frees no object."""


QuestionKey: TypeAlias = tuple[int, str, Defect]
"""An entry, by its program's calls and its name there, and a fault."""


@dataclass(frozen=True, slots=True)
class ObjectQuestion:
    """Whether an entry comes to a fault on objects of the project's own makers."""

    part: ScannedPart
    found: ScanFinding

    @property
    def key(self) -> QuestionKey:
        return id(self.part.graph), self.part.name, self.found.defect

    def is_about(self, driver: ObjectDriver | None) -> bool:
        """Whether a driver makes an object whose members the path read."""
        return driver is not None and not {kind for _, kind in driver.objects}.isdisjoint(self.found.structs)

    @property
    def share(self) -> float:
        """The share of a function's time for the question."""
        return _SHARE if self.found.certainty in SHOWN else _SHARE_OF_OTHERS


@dataclass(frozen=True, slots=True)
class ObjectAnswer:
    """The result for an entry on made objects; None while it is not known."""

    driver: ObjectDriver
    explored: Explored | None


Answers = Mapping[QuestionKey, ObjectAnswer]


def questions(parts: Iterable[ScannedPart]) -> list[ObjectQuestion]:
    """What to ask about the findings of entries: first about each that is certain, then about each other defect once,
    at the entry with the fewest calls to it.
    """
    certain: list[ObjectQuestion] = []
    others: dict[tuple[int, Defect], ObjectQuestion] = {}
    for part in parts:
        for found in part.explored.found if part.is_entry else ():
            question, key = ObjectQuestion(part, found), (id(part.graph), found.defect)
            if not found.structs or found.kind in _LEAKING:
                continue
            if found.certainty in SHOWN:
                certain.append(question)
            elif found.rule in _OF_STATE and (key not in others or _is_nearer(found, others[key].found)):
                others[key] = question
    return [*certain, *others.values()]


def _is_nearer(found: ScanFinding, other: ScanFinding) -> bool:
    return len(found.stack) < len(other.stack)


def settled(parts: Sequence[ScannedPart], answers: Answers, without_makers: Set[QuestionKey]) -> list[ScannedPart]:
    """The parts with their findings as the makers of objects allow them. What is ``without_makers`` stays as it is."""
    asked = {question.key for question in questions(parts) if question.found.certainty in SHOWN}

    def found_in(part: ScannedPart) -> Iterator[ScanFinding]:
        for found in part.explored.found:
            key = id(part.graph), part.name, found.defect
            if key in answers:
                yield _finding(found, answers[key])
            elif key in asked and key not in without_makers:
                yield _not_looked_at(found, "objects that functions here make")
            else:
                yield found

    return [replace(part, explored=replace(part.explored, found=tuple(found_in(part)))) for part in parts]


def _finding(found: ScanFinding, answer: ObjectAnswer) -> ScanFinding:
    explored = answer.explored
    tried = _tried(answer.driver)
    if explored is None:
        return _not_looked_at(found, f"objects made by {tried}")
    seen = next((each for each in explored.found if each.defect == found.defect), None)
    if seen is not None and seen.certainty in SHOWN:
        does = "come there" if seen.kind == REACHED else "fail like this"
        return with_calls(seen, does)
    if seen is not None and seen.certainty == CONDITIONAL and found.certainty in SHOWN:
        reason = f"{_in_words(seen.calls)} fail like this, but {seen.reason}"
        return replace(found, certainty=CONDITIONAL, rule=seen.rule, reason=reason, precondition=seen.precondition)
    if seen is not None and seen.certainty == UNDECIDED:
        return _at_most_likely(found, f"objects made by {tried} come to it, which is undecided: {seen.reason}")
    if explored.explored == "all" and found.certainty in (*SHOWN, UNDECIDED) and seen is None:
        names = ", ".join(name for name, _ in answer.driver.objects).replace("made_", "")
        reason = f"it needs an object that is not made by {tried}"
        precondition = f"{names} is made by {tried}"
        return replace(found, certainty=CONDITIONAL, rule=NOT_MADE, reason=reason, precondition=precondition)
    if explored.came_by(found.defect) and found.certainty in SHOWN:
        return passed_by(found, f"objects made by {tried}")
    extent = "in part" if explored.explored == "part" else "not"
    why = f" ({explored.reason})" if explored.reason else ""
    return _at_most_likely(found, f"objects made by {tried} do not come to it so far: explored {extent}{why}")


def _not_looked_at(found: ScanFinding, objects: str) -> ScanFinding:
    """A finding that is certain on any object, and was not looked at on ``objects``."""
    if found.certainty not in SHOWN:
        return _at_most_likely(found, f"on {objects} it was not looked at")
    return replace(found, certainty=UNDECIDED, rule=OUT_OF_TIME, reason=f"no time was left to look at it on {objects}")


def _at_most_likely(found: ScanFinding, followed: str) -> ScanFinding:
    if found.certainty in SHOWN:
        return replace(found, certainty=LIKELY, followed=followed)
    return replace(found, followed=followed) if found.certainty == UNDECIDED else found


def _tried(driver: ObjectDriver) -> str:
    """The calls of a driver, in words."""
    makers = " and ".join(" or ".join(dict.fromkeys(call.function for call in group)) for group in driver.makers)
    operations = ", ".join(dict.fromkeys(call.function for group in driver.steps for call in group))
    return f"{makers} and up to {len(driver.steps)} calls of {operations}" if operations else makers


def with_calls(found: ScanFinding, does: str = "fail like this") -> ScanFinding:
    """A finding whose reason names its calls, and what they do. It is likely at most if one may be an object's end."""
    told = replace(found, reason=f"{_in_words(found.calls)} {does}: {found.reason}")
    end = next((each for each in found.calls[:-1] if not _MAY_END.isdisjoint(words_of(each))), None)
    return told if end is None else _at_most_likely(told, f"{end} may be the end of an object, or empty it")


def _in_words(calls: Sequence[str]) -> str:
    return f"the calls {', '.join(calls[:-1])} and {calls[-1]}"
