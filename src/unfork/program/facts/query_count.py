"""Query count estimation (Kuznetsov12): how many solver queries lie ahead, and how many each variable decides.

From a location l, every path through the control-flow graph is walked with the weights of ``expected_visits``. The
weight with which a query is reached counts for Qt(l), and for Qadd(l, v) if the query may depend on v. Counts are
local: they include callees (bottom-up over the call graph, recursion cut at a bound) and stop at the function's
return. The caller, who knows the stack, adds the counts of the return sites on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from unfork.program.facts.cfg import strong_components
from unfork.program.facts.dependence import Dependence, Entered, LoadedCell
from unfork.program.facts.expected_visits import LARGEST, ExpectedVisits, add_weights
from unfork.program.facts.function_facts import FactsTable, FunctionFacts
from unfork.program.llvm.module import Function, Program

RECURSION_BOUND = 2
"""The depth to which a cycle of the call graph is followed."""
MOST_GROUPS = 32
"""Groups of a callee's queries, by their dependence."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The paper's Greek letters. ``beta`` is the weight of each side of a branch, ``kappa`` the trips of a loop."""

    beta: float
    kappa: int


@dataclass(frozen=True, slots=True)
class LocalCount:
    """The counts at a location: Qt, and Qadd of every live variable that has one, largest first."""

    total: float
    registers: tuple[tuple[int, float], ...]
    cells: tuple[tuple[LoadedCell, float], ...]


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Queries of a function that depend on the same of its parameters and outer cells.

    ``asked`` counts for Qadd of these, ``total`` for Qt.
    """

    parameters: frozenset[int]
    cells: frozenset[LoadedCell]
    asked: float
    total: float


@dataclass(frozen=True, slots=True)
class _Site:
    """Queries before instruction ``index`` of a block."""

    index: int
    mask: int
    asked: float
    total: float


Groups = dict[str, tuple[QueryGroup, ...]]
"""The groups of queries of each function, by name."""
Place = tuple[int, int, bool]
"""A block, an index in it, and whether the call before it is still running."""


class KeptCounts(Protocol):
    """What earlier runs counted for the same program with the same parameters."""

    def groups(self) -> Groups:
        """The groups of functions; empty if there are none."""

    def keep_groups(self, groups: Groups) -> None: ...

    def count(self, function: str, place: Place) -> LocalCount | None: ...

    def keep_count(self, function: str, place: Place, count: LocalCount) -> None: ...


class ModelledCalls(Protocol):
    """What is known of functions that the program does not define."""

    def sizes(self, name: str) -> tuple[int, ...]:
        """The positions of arguments that are numbers of bytes or elements, whose value a model asks for."""


class QueryCounts:
    """Counts for the functions of a program, computed on first use or taken from ``store``."""

    def __init__(
        self, program: Program, facts: FactsTable, models: ModelledCalls, parameters: Parameters, store: KeptCounts
    ) -> None:
        self._program = program
        self._facts = facts
        self._models = models
        self._parameters = parameters
        self._located: dict[str, dict[Place, LocalCount]] = {}
        self._counts: dict[str, _FunctionCounts] = {}
        self._groups: Groups | None = None
        self._store = store

    def at(self, function: Function, block: int, index: int) -> LocalCount:
        """The local counts of ``function`` before instruction ``index`` of a block, after its phis."""
        return self._count(function, (block, index, False))

    def after_call(self, function: Function, block: int, index: int) -> LocalCount:
        """The counts while the call before instruction ``index`` has not returned, so that its result is missing."""
        return self._count(function, (block, index, True))

    def _count(self, function: Function, place: Place) -> LocalCount:
        located = self._located.setdefault(function.name, {})
        count = located.get(place)
        if count is None:
            count = self._store.count(function.name, place)
            if count is None:
                count = self._function(function).at(place)
                self._store.keep_count(function.name, place, count)
            located[place] = count
        return count

    def _function(self, function: Function) -> _FunctionCounts:
        counts = self._counts.get(function.name)
        if counts is None:
            counts = self._counts[function.name] = self._counts_of(function, self._summarised(function.name))
        return counts

    def _counts_of(self, function: Function, groups: Groups) -> _FunctionCounts:
        facts, defined = self._facts[function], self._program.defined
        dependence = Dependence(function, facts.flow, defined.__contains__, self._models.sizes)
        return _FunctionCounts(facts, dependence, groups, self._parameters)

    def _summarised(self, name: str) -> Groups:
        """The groups, those of all callees of ``name`` included.

        Callees come first; recursive functions take several rounds.
        """
        groups = self._groups
        if groups is None:
            groups = self._groups = self._store.groups()
        if all(callee in groups for callee in self._callees(name)):
            return groups
        for component in strong_components(name, self._callees):
            pending = [member for member in component if member not in groups]
            cyclic = len(component) > 1 or component[0] in self._callees(component[0])
            if not pending or (component == (name,) and not cyclic):
                continue
            for member in pending:
                groups[member] = ()
            for _ in range(RECURSION_BOUND if cyclic else 1):
                counted = {member: self._counts_of(self._program.function(member), groups) for member in pending}
                groups.update({member: counts.groups() for member, counts in counted.items()})
        self._store.keep_groups(groups)
        return groups

    def _callees(self, name: str) -> tuple[str, ...]:
        defined = self._program.defined
        return tuple([callee for callee in callees(self._program.function(name)) if callee in defined])


def callees(function: Function) -> tuple[str, ...]:
    """The names that ``function`` calls directly, each once."""
    names: dict[str, None] = {}
    for block in function.blocks:
        for instruction in block.body:
            name = getattr(getattr(instruction, "callee", None), "name", None)
            if name is not None:
                names[name] = None
    return tuple(names)


class _FunctionCounts:
    """The counts of one function, given the groups of its callees."""

    def __init__(
        self, facts: FunctionFacts, dependence: Dependence, groups: Mapping[str, tuple[QueryGroup, ...]], by: Parameters
    ) -> None:
        function = self._function = facts.function
        self._liveness = facts.liveness
        self._dependence = dependence
        self._visits = ExpectedVisits(function, facts.flow, facts.nest, by.beta, by.kappa)
        known = len(dependence.cells)
        self._sites = [self._sites_of(block, groups) for block in range(facts.flow.size)]
        self._known_cells = ((1 << known) - 1) << function.register_count

    # --- sites ---

    def _sites_of(self, block: int, groups: Mapping[str, tuple[QueryGroup, ...]]) -> list[_Site]:
        sites = [_Site(query.index, query.mask, 1.0, 1.0) for query in self._dependence.queries[block]]
        for call in self._dependence.calls[block]:
            sites += [
                _Site(call.index, self._mask_in_caller(group, call), group.asked, group.total)
                for group in groups.get(call.callee, ())
            ]
        return sites

    def _mask_in_caller(self, group: QueryGroup, call: Entered) -> int:
        """The variables of the caller on which a group of queries of the callee depends."""
        mask = 0
        for parameter in group.parameters:
            mask |= call.masks[parameter] if parameter < len(call.masks) else 0
        for cell in sorted(group.cells, key=repr):
            mask |= self._cell_of_caller(cell, call.addresses)
        return mask

    def _cell_of_caller(self, cell: LoadedCell, addresses: tuple[tuple[int | str, int] | None, ...]) -> int:
        """A cell of the callee as a variable of the caller."""
        base, offset = cell.base, cell.offset
        if isinstance(base, int):
            address = addresses[base] if base < len(addresses) else None
            if address is None:
                return 0
            base, offset = address[0], address[1] + offset
        return 1 << self._dependence.cell(base, offset, cell.size)

    def _weighted(self, block: int, index: int) -> Iterable[tuple[_Site, float]]:
        """The sites that are reached from before instruction ``index`` of ``block``, with their weights."""
        for reached, weight in self._visits.since(block).items():
            for site in self._sites[reached]:
                yield site, weight - 1.0 if reached == block and site.index < index else weight

    # --- counts ---

    def at(self, place: Place) -> LocalCount:
        """The counts at a place."""
        block, index, is_calling = place
        live = self._liveness.at(block, index, is_calling=is_calling)
        cells = self._dependence.cells
        registers = self._function.register_count
        total = 0.0
        by_mask: dict[int, float] = {}
        for site, weight in self._weighted(block, index):
            total = min(total + weight * site.total, LARGEST)
            add_weights(by_mask, [(site.mask, weight * site.asked)])
        wanted = live & (1 << registers) - 1
        # Within a block, a cell counts as live even if it was stored to since the block's start.
        alive = self._dependence.live_cells[block] | ~self._known_cells if index == 0 else -1
        for number, cell in enumerate(cells, registers):
            held = isinstance(cell.base, str) or live >> cell.base & 1
            if held and alive >> number & 1:
                wanted |= 1 << number
        counts: dict[int, float] = {}
        for mask, amount in by_mask.items():
            if amount:
                add_weights(counts, [(variable, amount) for variable in _bits(mask & wanted)])
        ranked = sorted(counts.items(), key=_by_count, reverse=True)
        return LocalCount(
            total,
            tuple([(v, count) for v, count in ranked if v < registers]),
            tuple([(cells[v - registers], count) for v, count in ranked if v >= registers]),
        )

    def groups(self) -> tuple[QueryGroup, ...]:
        """The queries of a whole call, by the parameters and outer cells on which they depend."""
        registers = self._function.register_count
        parameters = len(self._function.type.parameters)
        by_variables: dict[int, list[float]] = {}
        outer = (1 << parameters) - 1
        for number, cell in enumerate(self._dependence.cells, registers):
            if isinstance(cell.base, str) or cell.base < parameters:
                outer |= 1 << number
        for site, weight in self._weighted(0, 0):
            sums = by_variables.setdefault(site.mask & outer, [0.0, 0.0])
            sums[0] = min(sums[0] + weight * site.asked, LARGEST)
            sums[1] = min(sums[1] + weight * site.total, LARGEST)
        groups = []
        for mask, (asked, total) in by_variables.items():
            bits = list(_bits(mask))
            cells = frozenset([self._dependence.cells[v - registers] for v in bits if v >= registers])
            groups.append(QueryGroup(frozenset([v for v in bits if v < registers]), cells, asked, total))
        return tuple(groups) if len(groups) <= MOST_GROUPS else _one_by_one(groups)


def _one_by_one(groups: Iterable[QueryGroup]) -> tuple[QueryGroup, ...]:
    """One group per variable: its own count stays right, that of several together becomes their sum."""
    total = 0.0
    parameters: dict[int, float] = {}
    cells: dict[LoadedCell, float] = {}
    for group in groups:
        total = min(total + group.total, LARGEST)
        add_weights(parameters, [(parameter, group.asked) for parameter in group.parameters])
        for cell in sorted(group.cells, key=repr):
            cells[cell] = min(cells.get(cell, 0.0) + group.asked, LARGEST)
    nothing: frozenset[LoadedCell] = frozenset()
    singles = [QueryGroup(frozenset(), nothing, 0.0, total)]
    singles += [
        QueryGroup(frozenset((parameter,)), nothing, asked, 0.0) for parameter, asked in sorted(parameters.items())
    ]
    singles += [QueryGroup(frozenset(), frozenset((cell,)), asked, 0.0) for cell, asked in cells.items()]
    return tuple(singles)


def _by_count(counted: tuple[int, float]) -> tuple[float, int]:
    variable, count = counted
    return count, -variable


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
