"""Query count estimation (Kuznetsov12): how many solver queries lie ahead, and how many each variable decides.

From a location l, every path through the control-flow graph is walked. A branch gives each side the weight beta. A
loop turns as often as is known, else kappa times, and is then left without a query. The weight with which a query is
reached counts for Qt(l), and for Qadd(l, v) if the query may depend on v. Counts are local: they include callees
(bottom-up over the call graph, recursion cut at a bound) and stop at the function's return. The caller, who knows
the stack, adds the counts of the return sites on it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TypeVar

from unfork.checked_json import parse, text
from unfork.program.facts.dependence import Dependence, LoadedCell
from unfork.program.facts.function_facts import FactsTable, FunctionFacts
from unfork.program.facts.loops import trip_count
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Function, Program

RECURSION_BOUND = 2
"""The depth to which a cycle of the call graph is followed."""
MOST_GROUPS = 32
"""Groups of a callee's queries, by their dependence."""
NUMBERS = Context(prec=12, rounding=ROUND_HALF_EVEN, Emax=10**17, Emin=-(10**17))
"""Weights outgrow floats: a branch in a loop multiplies them by up to 2 beta, in nested loops kappa^depth times."""
ZERO, ONE = Decimal(0), Decimal(1)

Key = TypeVar("Key")
Weights = dict[int, Decimal]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The paper's Greek letters. ``beta`` is the weight of each side of a branch, ``kappa`` the trips of a loop."""

    beta: float
    kappa: int


@dataclass(frozen=True, slots=True)
class LocalCount:
    """The counts at a location: Qt, and Qadd of every live variable that has one, largest first."""

    total: Decimal
    registers: tuple[tuple[int, Decimal], ...]
    cells: tuple[tuple[LoadedCell, Decimal], ...]


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Queries of a function that depend on the same of its parameters and outer cells.

    ``asked`` counts for Qadd of these, ``total`` for Qt.
    """

    parameters: frozenset[int]
    cells: frozenset[LoadedCell]
    asked: Decimal
    total: Decimal


@dataclass(frozen=True, slots=True)
class _Site:
    """Queries before instruction ``index`` of a block."""

    index: int
    mask: int
    asked: Decimal
    total: Decimal


@dataclass(frozen=True, slots=True)
class _Loop:
    """One turn of a loop from its head: the sites that it reaches, its exits, and the weight that comes back."""

    sites: Weights
    exits: Weights
    back: Decimal
    rest: Weights
    """The exits after the last turn."""
    trips: int

    def turns(self, times: int) -> tuple[Decimal, Decimal]:
        """The total weight of ``times`` turns, and the weight left after them."""
        left = NUMBERS.power(self.back, times) if times else ONE
        if self.back == ONE:
            return Decimal(times), left
        return NUMBERS.divide(NUMBERS.subtract(left, ONE), NUMBERS.subtract(self.back, ONE)), left


Groups = dict[str, tuple[QueryGroup, ...]]
"""The groups of queries of each function, by name."""


LEAST = 64
"""Entries with fewer functions are not kept: they are computed in no time."""


class CachedGroups:
    """The groups of a program under one choice of parameters, as an entry of the cache.

    ``parts`` name everything else on which they depend: the program, how its functions are simplified, and the
    version of this package.
    """

    def __init__(self, parameters: Parameters, parts: tuple[bytes | str, ...]) -> None:
        self._key = compilation_cache.key("queries", repr(parameters), *parts)
        self._kept = 0

    def load(self) -> Groups:
        """An earlier run's groups; empty if there are none."""
        data = compilation_cache.get(self._key)
        groups = {} if data is None else parse(zlib.decompress(data), Groups)
        self._kept = len(groups)
        return groups

    def keep(self, groups: Groups) -> None:
        """Write ``groups`` if they are many and have grown by a quarter."""
        if (
            len(groups) >= LEAST
            and 4 * len(groups) >= 5 * self._kept
            and compilation_cache.put(self._key, zlib.compress(text(groups).encode(), 1))
        ):
            self._kept = len(groups)


class QueryCounts:
    """Counts for the functions of a program, computed on first use or loaded from ``store``."""

    def __init__(self, program: Program, facts: FactsTable, parameters: Parameters, store: CachedGroups) -> None:
        self._program = program
        self._facts = facts
        self._defined = frozenset(program.defined)
        self._parameters = parameters
        self._beta = Decimal(str(parameters.beta))
        self._counts: dict[str, _FunctionCounts] = {}
        self._groups: Groups = {}
        self._store = store
        self._has_loaded = False

    def at(self, function: Function, block: int, index: int) -> LocalCount:
        """The local counts of ``function`` before instruction ``index`` of a block, after its phis."""
        return self._function(function).at(block, index, is_calling=False)

    def after_call(self, function: Function, block: int, index: int) -> LocalCount:
        """The counts while the call before instruction ``index`` has not returned, so that its result is missing."""
        return self._function(function).at(block, index, is_calling=True)

    def _function(self, function: Function) -> _FunctionCounts:
        counts = self._counts.get(function.name)
        if counts is None:
            self._summarise(function.name)
            counts = self._counts[function.name] = self._counts_of(function)
        return counts

    def _counts_of(self, function: Function) -> _FunctionCounts:
        facts, kappa = self._facts[function], self._parameters.kappa
        return _FunctionCounts(facts, self._defined.__contains__, self._groups, self._beta, kappa)

    def _summarise(self, name: str) -> None:
        """Compute the groups of all callees of ``name``, callees first; recursive functions take several rounds."""
        if not self._has_loaded:
            self._groups.update(self._store.load())
            self._has_loaded = True
        if all(callee in self._groups for callee in self._callees(name)):
            return
        for component in _components(name, self._callees):
            pending = [member for member in component if member not in self._groups]
            cyclic = len(component) > 1 or component[0] in self._callees(component[0])
            if not pending or (component == (name,) and not cyclic):
                continue
            for member in pending:
                self._groups[member] = ()
            for _ in range(RECURSION_BOUND if cyclic else 1):
                self._groups.update(
                    {member: self._counts_of(self._program.function(member)).groups() for member in pending}
                )
        self._store.keep(self._groups)

    def _callees(self, name: str) -> tuple[str, ...]:
        return tuple([callee for callee in callees(self._program.function(name)) if callee in self._defined])


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
        self,
        facts: FunctionFacts,
        enters: Callable[[str], bool],
        groups: Groups,
        beta: Decimal,
        kappa: int,
    ) -> None:
        function = self._function = facts.function
        self._flow, self._nest, self._liveness = facts.flow, facts.nest, facts.liveness
        self._dependence = Dependence(function, self._flow, enters)
        self._beta, self._kappa = beta, kappa
        self._known_cells = sum(1 << function.register_count + i for i in range(len(self._dependence.cells)))
        self._sites: list[_Site] = []
        self._of_block: list[list[int]] = []
        for block in range(self._flow.size):
            self._of_block.append([])
            self._add_sites(block, groups)
        self._loops: dict[int, _Loop] = {}
        for head in self._nest.inside_out:
            self._loops[head] = self._loop(head)
        self._located: dict[tuple[int, int, bool], LocalCount] = {}

    # --- sites ---

    def _add_sites(self, block: int, groups: Groups) -> None:
        sites = [_Site(query.index, query.mask, ONE, ONE) for query in self._dependence.queries[block]]
        for call in self._dependence.calls[block]:
            for group in groups.get(call.callee, ()):
                mask = 0
                for parameter in group.parameters:
                    mask |= call.masks[parameter] if parameter < len(call.masks) else 0
                for cell in sorted(group.cells, key=repr):
                    mask |= self._cell_of_caller(cell, call.addresses)
                sites.append(_Site(call.index, mask, group.asked, group.total))
        sites.sort(key=lambda site: site.index)
        self._of_block[block] = list(range(len(self._sites), len(self._sites) + len(sites)))
        self._sites += sites

    def _cell_of_caller(self, cell: LoadedCell, addresses: tuple[tuple[int | str, int] | None, ...]) -> int:
        """A cell of the callee as a variable of the caller."""
        base, offset = cell.base, cell.offset
        if isinstance(base, int):
            address = addresses[base] if base < len(addresses) else None
            if address is None:
                return 0
            base, offset = address[0], address[1] + offset
        return 1 << self._dependence.cell(base, offset, cell.size)

    # --- weights ---

    def _loop(self, head: int) -> _Loop:
        sites, exits, back = self._spread(head, {head: ONE}, 0)
        leaving = [target for target in self._flow.successors[head] if target in exits] or list(exits)
        share = NUMBERS.divide(ONE, Decimal(len(leaving))) if leaving else ZERO
        trips = trip_count(self._function, self._nest, head)
        return _Loop(sites, exits, back, dict.fromkeys(leaving, share), self._kappa if trips is None else trips)

    def _spread(self, level: int | None, sources: Weights, start: int) -> tuple[Weights, Weights, Decimal]:
        """Follow weights from blocks of a loop once through its body; ``start`` cuts the first of a single source.

        Gives the weights of sites and of the outside blocks reached, and the weight that comes back to the head.
        """
        rank, nest = self._flow.rank, self._nest
        sites: Weights = {}
        exits: Weights = {}
        back = ZERO
        waiting = dict(sources)
        while waiting:
            block = min(waiting, key=rank.__getitem__)
            weight = waiting.pop(block)
            if nest.innermost[block] != level:
                loop = self._loops[block]
                reached = self._turn(loop, loop.trips, weight, sites)
            else:
                _add(sites, [(site, weight) for site in self._of_block[block] if self._sites[site].index >= start])
                targets = self._flow.successors[block]
                each = NUMBERS.multiply(weight, self._beta) if len(targets) > 1 else weight
                reached = dict.fromkeys(targets, each)
            start = 0
            for target, amount in reached.items():
                if target == level:
                    back = NUMBERS.add(back, amount)
                elif not nest.contains(level, target):
                    exits[target] = NUMBERS.add(exits.get(target, ZERO), amount)
                else:
                    node = nest.node(level, target)
                    if rank[node] > rank[block]:  # an irreducible cycle turns once
                        waiting[node] = NUMBERS.add(waiting.get(node, ZERO), amount)
        return sites, exits, back

    def _turn(self, loop: _Loop, times: int, weight: Decimal, sites: Weights) -> Weights:
        """Enter a loop with ``weight`` for ``times`` turns: adds to ``sites``, returns the weights of its exits."""
        turned, left = loop.turns(times)
        factor = NUMBERS.multiply(weight, turned)
        _add(sites, [(number, NUMBERS.multiply(amount, factor)) for number, amount in loop.sites.items()])
        reached = {target: NUMBERS.multiply(amount, factor) for target, amount in loop.exits.items()}
        for target, amount in loop.rest.items():
            _add(reached, [(target, NUMBERS.multiply(NUMBERS.multiply(amount, left), weight))])
        return reached

    def weights(self, block: int, index: int) -> Weights:
        """The weight with which each site is reached from before instruction ``index`` of ``block``."""
        level = self._nest.innermost[block]
        sites, exits, back = self._spread(level, {block: ONE}, index)
        while level is not None:
            if back:
                loop = self._loops[level]
                _add(exits, self._turn(loop, loop.trips - 1, back, sites).items())
            level = self._nest.parent[level]
            back = exits.pop(level, ZERO) if level is not None else ZERO
            inside: Weights = {}
            outside: Weights = {}
            for target, amount in exits.items():
                if self._nest.contains(level, target):
                    node = self._nest.node(level, target)
                    inside[node] = NUMBERS.add(inside.get(node, ZERO), amount)
                else:
                    outside[target] = amount
            more, exits, again = self._spread(level, inside, 0)
            back = NUMBERS.add(back, again)
            _add(sites, more.items())
            _add(exits, outside.items())
        return sites

    # --- counts ---

    def at(self, block: int, index: int, *, is_calling: bool) -> LocalCount:
        """The counts before instruction ``index`` of a block; ``is_calling`` as for ``Liveness.at``."""
        key = (block, index, is_calling)
        count = self._located.get(key)
        if count is None:
            live = self._liveness.at(block, index, is_calling=is_calling)
            count = self._located[key] = self._count(block, index, live)
        return count

    def _count(self, block: int, index: int, live: int) -> LocalCount:
        cells = self._dependence.cells
        registers = self._function.register_count
        total = ZERO
        by_mask: dict[int, Decimal] = {}
        for number, weight in self.weights(block, index).items():
            site = self._sites[number]
            total = NUMBERS.add(total, NUMBERS.multiply(weight, site.total))
            _add(by_mask, [(site.mask, NUMBERS.multiply(weight, site.asked))])
        wanted = live & (1 << registers) - 1
        # Within a block, a cell counts as live even if it was stored to since the block's start.
        alive = self._dependence.live_cells[block] | ~self._known_cells if index == 0 else -1
        for number, cell in enumerate(cells, registers):
            held = isinstance(cell.base, str) or live >> cell.base & 1
            if held and alive >> number & 1:
                wanted |= 1 << number
        counts: Weights = {}
        for mask, amount in by_mask.items():
            _add(counts, [(variable, amount) for variable in _bits(mask & wanted)])
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
        by_variables: dict[tuple[frozenset[int], frozenset[LoadedCell]], list[Decimal]] = {}
        outer = (1 << parameters) - 1
        for number, cell in enumerate(self._dependence.cells, registers):
            if isinstance(cell.base, str) or cell.base < parameters:
                outer |= 1 << number
        for number, weight in self.weights(0, 0).items():
            site = self._sites[number]
            bits = list(_bits(site.mask & outer))
            key = (
                frozenset(v for v in bits if v < registers),
                frozenset(self._dependence.cells[v - registers] for v in bits if v >= registers),
            )
            sums = by_variables.setdefault(key, [ZERO, ZERO])
            sums[0] = NUMBERS.add(sums[0], NUMBERS.multiply(weight, site.asked))
            sums[1] = NUMBERS.add(sums[1], NUMBERS.multiply(weight, site.total))
        groups = [QueryGroup(*key, asked, total) for key, (asked, total) in by_variables.items()]
        return tuple(groups) if len(groups) <= MOST_GROUPS else _one_by_one(groups)


def _one_by_one(groups: Iterable[QueryGroup]) -> tuple[QueryGroup, ...]:
    """One group per variable: its own count stays right, that of several together becomes their sum."""
    total = ZERO
    parameters: Weights = {}
    cells: dict[LoadedCell, Decimal] = {}
    for group in groups:
        total = NUMBERS.add(total, group.total)
        _add(parameters, [(parameter, group.asked) for parameter in group.parameters])
        _add(cells, [(cell, group.asked) for cell in sorted(group.cells, key=repr)])
    nothing: frozenset[LoadedCell] = frozenset()
    singles = [QueryGroup(frozenset(), nothing, ZERO, total)]
    singles += [
        QueryGroup(frozenset((parameter,)), nothing, asked, ZERO) for parameter, asked in sorted(parameters.items())
    ]
    singles += [QueryGroup(frozenset(), frozenset((cell,)), asked, ZERO) for cell, asked in cells.items()]
    return tuple(singles)


def _add(weights: dict[Key, Decimal], more: Iterable[tuple[Key, Decimal]]) -> None:
    """Add to the weights."""
    for key, amount in more:
        weights[key] = NUMBERS.add(weights.get(key, ZERO), amount)


def _by_count(counted: tuple[int, Decimal]) -> tuple[Decimal, int]:
    variable, count = counted
    return count, -variable


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _components(start: str, following: Callable[[str], tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The strongly connected components that ``start`` reaches, each after those that it leads to (Tarjan 1972)."""
    number: dict[str, int] = {start: 0}
    low = {start: 0}
    open_: list[str] = [start]
    is_open = {start}
    components: list[tuple[str, ...]] = []
    stack = [(start, iter(following(start)))]
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if target not in number:
                number[target] = low[target] = len(number)
                open_.append(target)
                is_open.add(target)
                stack.append((target, iter(following(target))))
                break
            if target in is_open:
                low[node] = min(low[node], number[target])
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == number[node]:
                start_of_component = open_.index(node)
                component = tuple(open_[start_of_component:])
                components.append(component)
                is_open.difference_update(component)
                del open_[start_of_component:]
    return components
