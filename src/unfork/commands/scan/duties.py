"""Duties of callers: what all calls in a project respect, and no public header contradicts, is a precondition.

So far that is a pointer that no call passes null. A fault that needs such a null pointer is *conditional*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unfork.commands.projects.entries import CallGraph
from unfork.commands.scan.following import ScannedPart
from unfork.commands.scan.judgement import CERTAIN, CONDITIONAL
from unfork.commands.scan.results import ScanFinding
from unfork.program.facts.call_sites import CallSite

NULL_FOR_NOBODY = "never-passed-null"
"""The name of the rule."""
_NAMED = 3
"""The most calls that a sentence names."""


@dataclass(frozen=True, slots=True)
class CallerDuties:
    """The duties that the calls in all programs of a project show."""

    graphs: Sequence[CallGraph]

    def settled(self, part: ScannedPart) -> ScannedPart:
        """A part with the findings of an entry as its callers' duties allow them."""
        if not part.is_entry or not any(map(_is_about_null, part.explored.found)):
            return part
        calls = list(dict.fromkeys(site for graph in self.graphs for site in graph.calls.get(part.name, ())))
        if not calls or any(graph.speaks_of_null(part.name) for graph in self.graphs):
            return part
        found = tuple([_with_duty(each, calls) if _is_about_null(each) else each for each in part.explored.found])
        return replace(part, explored=replace(part.explored, found=found))


def _is_about_null(found: ScanFinding) -> bool:
    return found.certainty == CERTAIN and found.kind == "null-dereference" and bool(found.nulls)


def _with_duty(found: ScanFinding, calls: Sequence[CallSite]) -> ScanFinding:
    """A certain fault of a null pointer as the calls allow it."""
    if not all(each.objects.issuperset(found.nulls) for each in calls):
        return found
    pointers = " and ".join(found.nulls)
    where = ", ".join(f"{each.position.file}:{each.position.line}" for each in calls[:_NAMED])
    more = f" and {len(calls) - _NAMED} more" if len(calls) > _NAMED else ""
    reason = f"it needs a null pointer {pointers}, which no call here passes ({where}{more})"
    precondition = "; ".join(f"{each} is not null" for each in found.nulls)
    return replace(
        found, certainty=CONDITIONAL, rule=NULL_FOR_NOBODY, reason=reason, precondition=precondition, requires=""
    )
