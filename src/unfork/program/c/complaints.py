"""The compiler's errors about C++, reported at the lines of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_PLACED = re.compile(r"(?P<at>(?P<file>[^\s:][^:]*):\d+:\d+): (?P<kind>(?:fatal )?error|warning|note): (?P<text>.*)")
_INCLUDING = re.compile(r"In file included from (?P<at>(?P<file>[^:]+):\d+)")
_ENDING = re.compile(r"\d+ (?:error|warning)s?(?: and \d+ errors?)? generated\.|fatal error: too many errors")
_OF_MODULES = re.compile(r" *\d+ \| *((?:export\s+)?(?:import|module)\b[^=(]*;|export\s.*)")
"""A line, as the compiler shows it, that only makes sense with modules."""


@dataclass(frozen=True, slots=True)
class _Complaint:
    """An error, a warning or a note, and the files that include its file."""

    head: re.Match[str]
    including: tuple[re.Match[str], ...]
    excerpt: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The message and its location, as the compiler prints them."""
        return [self.head.string, *self.excerpt]


def of_program(output: str, library: str) -> str:
    """The messages, errors first. Those in files whose names begin with ``library`` are reported where the program
    leads there, one for each place; only notes in the program are kept.
    """
    told: dict[str, list[str]] = {}
    warnings: list[str] = []
    for head, *notes in _with_notes(_complaints(output)):
        if head.excerpt and (line := _OF_MODULES.match(head.excerpt[0])) is not None:
            return f"{head.head['at']}: error: modules of C++20 are not supported: {line[1]}"
        place, lines = head.head["at"], head.lines
        own = [each for each in notes if not each.head["file"].startswith(library)]
        if head.head["file"].startswith(library):
            leading = [*[each.head for each in own], *reversed(head.including)]
            outer = next((each["at"] for each in leading if not each["file"].startswith(library)), place)
            if outer in told or (told and not own):  # the compiler states once what leads to several errors
                continue
            lines = [f"{outer}: {head.head['kind']}: {head.head['text']} (in {place.removeprefix(library)})"]
            place = outer
        lines += [line for each in own for line in each.lines]
        if head.head["kind"] == "warning":
            warnings += lines
        else:
            told.setdefault(place, []).extend(lines)
    return "\n".join([*[line for lines in told.values() for line in lines], *warnings]) if told else output


def _complaints(output: str) -> list[_Complaint]:
    """All messages, in order, without the number of errors."""
    found: list[_Complaint] = []
    including: tuple[re.Match[str], ...] = ()
    for line in output.splitlines():
        if (head := _PLACED.match(line)) is not None:
            found.append(_Complaint(head, including))
            including = ()
        elif (includer := _INCLUDING.match(line)) is not None:
            including += (includer,)
        elif found and not _ENDING.match(line):
            found[-1].excerpt.append(line)
    return found


def _with_notes(complaints: Sequence[_Complaint]) -> list[list[_Complaint]]:
    """Each error and warning with the notes on it."""
    groups: list[list[_Complaint]] = []
    for each in complaints:
        if each.head["kind"] == "note" and groups:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups
