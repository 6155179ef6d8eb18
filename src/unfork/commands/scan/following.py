"""Follows faults of functions that are no entries up their callers.

A fault is *certain* only if an entry fails. Where every caller excludes it, it is none: each was explored completely,
with what it knows at its calls, and did not fail like this. It is *likely* if the function fails in every state, and
how its callers call it is not known.

A cycle of callers excludes a fault if all callers from outside do: every call begins at an entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from unfork.commands.projects.entries import MAIN, CallGraph
from unfork.commands.scan.judgement import CLASSES, CONDITIONAL, LIKELY, SHOWN, UNDECIDED
from unfork.commands.scan.leak_claims import LEAK
from unfork.commands.scan.results import Defect, Explored, ScanFinding

_NAMED = 3
"""The most callers that a sentence names."""
PASSED_BY = "passed-by"
"""The name of the rule for what others came by, where it did not happen."""


@dataclass(frozen=True, slots=True)
class ScannedPart:
    """The result for a function, ``name`` in its program, whose calls are in ``graph``."""

    graph: CallGraph
    name: str
    explored: Explored
    aim: Defect | None = None
    """The only fault that was looked for."""

    @property
    def is_entry(self) -> bool:
        return self.name in self.graph.entries


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Whether ``caller`` comes to a fault: it would settle how certain that is."""

    graph: CallGraph
    caller: str
    defect: Defect


@dataclass(frozen=True, slots=True)
class Followed:
    """The results of functions with faults as their callers allow them; those of further looks at single faults; the
    faults that all callers exclude; and open questions about those that are likely.
    """

    functions: list[Explored]
    aimed: list[Explored]
    excluded: list[tuple[ScanFinding, Explored]]
    questions: list[OpenQuestion]


@dataclass(slots=True)
class _Way:
    """What the callers of a function say of a fault: the findings of entries, the functions of which it is not known
    whether they come to it, a remark for each place where the way ends, and the functions that came by its line.
    """

    entries: list[ScanFinding] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def ends(self) -> bool:
        """Whether all is known."""
        return not self.unknown and not self.remarks

    @property
    def classes(self) -> set[str]:
        return {each.certainty for each in self.entries}


def follow(
    parts: Sequence[ScannedPart],
    without_entry: Callable[[ScannedPart, ScanFinding], ScanFinding] = lambda part, found: found,
) -> Followed:
    """Follow all faults of ``parts`` up their callers. ``without_entry`` says what is left of a likely one to which no
    entry comes.
    """
    return _Following(parts, without_entry).all()


class _Following:
    def __init__(
        self, parts: Sequence[ScannedPart], without_entry: Callable[[ScannedPart, ScanFinding], ScanFinding]
    ) -> None:
        self._parts, self._without_entry = parts, without_entry
        self._of: dict[tuple[int, str], list[ScannedPart]] = defaultdict(list)
        for part in parts:
            self._of[id(part.graph), part.name].append(part)

    def all(self) -> Followed:
        functions: list[Explored] = []
        aimed: list[Explored] = []
        excluded: list[tuple[ScanFinding, Explored]] = []
        questions: dict[tuple[int, str, Defect], OpenQuestion] = {}
        for part in self._parts:
            found: list[ScanFinding] = []
            for each in part.explored.found:
                if part.is_entry:
                    found.append(replace(each, entry=part.explored.function))
                    continue
                way = self._way(part, each.defect)
                settled = _settled(each, way)
                if settled is None:
                    excluded.append((replace(each, followed="every caller excludes it"), part.explored))
                    continue
                if settled.certainty == LIKELY:
                    for name in way.unknown:
                        if name == MAIN and each.kind == LEAK:
                            continue  # the system takes all back at its end
                        question = OpenQuestion(part.graph, name, each.defect)
                        questions.setdefault((id(part.graph), name, each.defect), question)
                    settled = settled if way.entries else _left(self._without_entry(part, settled), way.passed)
                found.append(settled)
            settled_part = replace(part.explored, found=tuple(found))
            (functions if part.aim is None else aimed).append(settled_part)
        return Followed(functions, aimed, excluded, list(questions.values()))

    def _way(self, part: ScannedPart, defect: Defect) -> _Way:
        """What is known of a fault on the way up from a function that is no entry."""
        way, graph = _Way(), part.graph
        waiting, seen = [part.name], {part.name}
        while waiting:
            name = waiting.pop()
            callers = graph.callers.get(name, ())
            if name in graph.taken:
                way.remarks.append(f"{self._shown(graph, name)} may be called in other ways: through a pointer, say")
            elif not callers:
                way.remarks.append(f"nothing here calls {self._shown(graph, name)}")
            for caller in callers:
                if caller in seen:
                    continue
                seen.add(caller)
                found = self._finding(graph, caller, defect)
                if found is not None and caller in graph.entries:
                    way.entries.append(found)
                if found is not None and caller not in graph.entries:
                    waiting.append(caller)
                if found is None and any(each.explored.came_by(defect) for each in self._of[id(graph), caller]):
                    way.passed.append(self._shown(graph, caller))
                if found is None and not self._excludes(graph, caller, defect):
                    way.unknown.append(caller)
                    way.remarks.append(self._why_unknown(graph, caller))
        return way

    def _finding(self, graph: CallGraph, name: str, defect: Defect) -> ScanFinding | None:
        found = [each for part in self._of[id(graph), name] for each in part.explored.found if each.defect == defect]
        return min(found, key=lambda each: CLASSES.index(each.certainty), default=None)

    def _excludes(self, graph: CallGraph, name: str, defect: Defect) -> bool:
        """Whether a function was explored completely, as far as it leads to a fault."""
        parts = (each for each in self._of[id(graph), name] if each.aim in (None, defect))
        return any(each.explored.explored == "all" for each in parts)

    def _shown(self, graph: CallGraph, name: str) -> str:
        parts = self._of[id(graph), name]
        return parts[0].explored.function if parts else name

    def _why_unknown(self, graph: CallGraph, name: str) -> str:
        parts = self._of[id(graph), name]
        if not parts:
            return f"its caller {name} was not explored"
        extent = "in part" if parts[-1].explored.explored == "part" else "not"
        why = f" ({parts[-1].explored.reason})" if parts[-1].explored.reason else ""
        return f"its caller {parts[-1].explored.function} was explored {extent}{why}"


def _settled(found: ScanFinding, way: _Way) -> ScanFinding | None:
    """A finding of a function that is no entry, as its callers allow it; None if all exclude it."""
    if way.ends and not way.entries:
        return None
    if way.ends and way.classes == {CONDITIONAL}:
        needs = way.entries[0]
        if found.certainty == CONDITIONAL:
            return found
        return replace(found, certainty=CONDITIONAL, rule=needs.rule, reason=needs.reason)
    if found.certainty in SHOWN:
        said = "; ".join([*_entries(way.entries), *_few(way.remarks)])
        return replace(found, certainty=LIKELY, followed=said)
    return replace(found, followed="; ".join(_few(way.remarks)))


def _left(found: ScanFinding, passed: Sequence[str]) -> ScanFinding:
    """What is left of a finding to which no entry comes: callers that came by its line speak against a likely one."""
    return found if found.certainty != LIKELY or not passed else passed_by(found, " and ".join(passed[:_NAMED]))


def passed_by(found: ScanFinding, others: str) -> ScanFinding:
    """A finding whose line ``others`` came by without a fault."""
    reason = f"{found.reason}, but {others} came by here without this fault"
    return replace(found, certainty=UNDECIDED, rule=PASSED_BY, reason=reason)


def _entries(found: Iterable[ScanFinding]) -> Iterator[str]:
    for each in found:
        if each.certainty == UNDECIDED:
            yield f"an entry comes to it, which is undecided: {each.reason}"
            return


def _few(remarks: Sequence[str]) -> list[str]:
    more = [f"and {len(remarks) - _NAMED} more"] if len(remarks) > _NAMED else []
    return [*remarks[:_NAMED], *more]
