"""Duties of callers: what all calls in a project respect, and no public header contradicts, is a precondition.

So far that is a pointer that no call passes null. A fault that needs such a null pointer is *conditional*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """The calls that are known, by the function that they call, and the functions whose headers allow null."""

    calls: Mapping[str, Sequence[CallSite]]
    nullable: frozenset[str]

    def settled(self, part: ScannedPart) -> ScannedPart:
        """A part with the findings of an entry as its callers' duties allow them."""
        if not part.is_entry or part.name in self.nullable or not self.calls.get(part.name):
            return part
        found = tuple([self._finding(part.name, each) for each in part.explored.found])
        return replace(part, explored=replace(part.explored, found=found))

    def _finding(self, name: str, found: ScanFinding) -> ScanFinding:
        calls = self.calls[name]
        is_respected = bool(found.nulls) and all(each.objects.issuperset(found.nulls) for each in calls)
        if found.certainty != CERTAIN or found.kind != "null-dereference" or not is_respected:
            return found
        pointers = " and ".join(found.nulls)
        where = ", ".join(f"{each.position.file}:{each.position.line}" for each in calls[:_NAMED])
        more = f" and {len(calls) - _NAMED} more" if len(calls) > _NAMED else ""
        reason = f"it needs a null pointer {pointers}, which no call here passes ({where}{more})"
        precondition = "; ".join(f"{each} is not null" for each in found.nulls)
        return replace(
            found, certainty=CONDITIONAL, rule=NULL_FOR_NOBODY, reason=reason, precondition=precondition, requires=""
        )


def duties_of(graphs: Iterable[CallGraph]) -> CallerDuties:
    """The duties that the calls of all programs of a project show."""
    calls: dict[str, dict[CallSite, None]] = {}
    nullable: set[str] = set()
    for graph in graphs:
        nullable |= graph.nullable
        for name, sites in graph.calls.items():
            calls.setdefault(name, {}).update(dict.fromkeys(sites))
    return CallerDuties({name: list(sites) for name, sites in calls.items()}, frozenset(nullable))
