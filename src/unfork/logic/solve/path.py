"""The path condition: the constraints of a path, partitioned into independent slices that each carry a model.

Constraints that share no symbol are independent. A condition joins the slices that it connects; the result is split
again where it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Rows, Term, flatten, postorder, union
from unfork.logic.terms.term_table import unflatten

Item = TypeVar("Item")
_CONJUNCTS = 64

Trail = tuple[Any, Term]
"""The constraints as a linked list, latest first: (trail before or None, constraint)."""


class Slice:
    """A part of a path condition that shares no symbol with the rest, with values that satisfy it.

    Never assign to a field. ``members`` are the terms of ``constraints`` as a set, which identifies the slice;
    ``model`` is valid for ``symbols`` only. ``digest`` is the same in every run and orders slices.
    """

    __slots__ = ("constraints", "digest", "members", "model", "symbols")

    def __init__(
        self, constraints: tuple[Term, ...], members: frozenset[Term], symbols: frozenset[Term], model: Model
    ) -> None:
        self.constraints = constraints
        self.members = members
        self.symbols = symbols
        self.model = model
        self.digest = constraints[0].digest if constraints else 0

    def __repr__(self) -> str:
        return f"Slice({len(self.constraints)} constraints over {len(self.symbols)} symbols)"


def _digest(part: Slice) -> int:
    return part.digest


class PathCondition:
    """A satisfiable conjunction of constraints (terms of 1 bit), immutable and cheap to extend.

    Never assign to a field. Equal for the same constraints in any order. ``slices`` maps every constrained symbol to
    its slice. ``defaults`` are the values that unconstrained symbols have in its model; others have 0.
    """

    __slots__ = ("_parts", "_set", "defaults", "length", "slices", "trail")
    EMPTY: ClassVar[PathCondition]

    def __init__(
        self,
        trail: Trail | None,
        length: int,
        slices: dict[Term, Slice],
        defaults: Mapping[Term, int] = MappingProxyType({}),
    ) -> None:
        self.trail = trail
        self.length = length
        self.slices = slices
        self.defaults = defaults
        self._set: frozenset[Term] | None = None

    def parts(self) -> list[Slice]:
        """Every slice once."""
        kept = getattr(self, "_parts", None)
        return list({id(part): part for part in self.slices.values()}.values()) if kept is None else list(kept)

    def stow(self) -> None:
        """Keep ``slices`` as a plain list until the next access (see engine/state/stowed.py)."""
        if getattr(self, "_parts", None) is None:
            self._parts, self._set = tuple(self.parts()), None
            del self.slices
            for part in self._parts:
                part.model.memo.clear()

    if not TYPE_CHECKING:  # every other name would be an attribute too

        def __getattr__(self, name: str) -> dict[Term, Slice]:
            if name != "slices":
                raise AttributeError(name)
            self.slices = {symbol: part for part in self._parts for symbol in part.symbols}
            del self._parts
            return self.slices

    def constraints(self, after: int = 0) -> list[Term]:
        """The constraints in order, without the first ``after``."""
        result: list[Term] = []
        trail = self.trail
        for _ in range(self.length - after):
            assert trail is not None
            trail, term = trail
            result.append(term)
        result.reverse()
        return result

    def touched(self, symbols: Iterable[Term]) -> list[Slice]:
        """The slices that mention any of ``symbols``, in an order that is the same in every run."""
        slices = self.slices
        parts = {id(part): part for s in symbols if (part := slices.get(s)) is not None}
        if len(parts) < 2:
            return list(parts.values())
        return sorted(parts.values(), key=_digest)

    def all_slices(self) -> list[Slice]:
        """Every slice, in an order that is the same in every run."""
        return sorted(self.parts(), key=_digest)

    def model(self) -> Model:
        """Values that satisfy the whole path. Unconstrained symbols without a default are absent: any value will do."""
        values: dict[Term, int] = dict(self.defaults)
        for part in self.all_slices():
            known = part.model.values
            for s in part.symbols:
                values[s] = known.get(s, 0)
        return Model(values)

    def extended(self, conditions: Sequence[Term], slices: Sequence[Slice]) -> PathCondition:
        """This path with ``conditions`` added; ``slices`` must hold all that was known of their symbols."""
        trail = self.trail
        for condition in conditions:
            trail = (trail, condition)
        parts = self.slices.copy()
        for part in slices:
            for s in part.symbols:
                parts[s] = part
        return PathCondition(trail, self.length + len(conditions), parts, self.defaults)

    def with_defaults(self, defaults: Mapping[Term, int]) -> PathCondition:
        """This path, with other values for unconstrained symbols."""
        return PathCondition(self.trail, self.length, self.slices, defaults)

    def common_prefix(self, other: PathCondition) -> int:
        """How many constraints both paths begin with."""
        mine, theirs, length = self.trail, other.trail, self.length
        for _ in range(self.length - other.length):
            assert mine is not None
            mine, length = mine[0], length - 1
        for _ in range(other.length - self.length):
            assert theirs is not None
            theirs = theirs[0]
        shared = length
        while mine is not theirs:
            assert mine is not None and theirs is not None
            length -= 1
            if mine[1] is not theirs[1]:
                shared = length
            mine, theirs = mine[0], theirs[0]
        return shared

    def _members(self) -> frozenset[Term]:
        if self._set is None:
            self._set = frozenset(self.constraints())
        return self._set

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathCondition):
            return NotImplemented
        return self is other or self.trail is other.trail or self._members() == other._members()

    def __hash__(self) -> int:
        return hash(self._members())

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"PathCondition({self.length} constraints in {len(self.all_slices())} slices)"

    def __reduce__(self) -> tuple[Callable[..., PathCondition], tuple[Any, ...]]:
        order = self.constraints()
        parts = self.all_slices()
        roots = list(order)
        shapes: list[tuple[int, list[int]]] = []
        for part in parts:
            symbols = sorted(part.symbols, key=lambda s: s.digest)
            roots.extend(part.constraints)
            roots.extend(symbols)
            shapes.append((len(part.constraints), [part.model.values.get(s, 0) for s in symbols]))
        rows = flatten(roots)
        where = {term: i for i, term in enumerate(postorder(roots))}
        return _restored, (rows, [where[term] for term in roots], len(order), shapes)


PathCondition.EMPTY = PathCondition(None, 0, {})


def _restored(rows: Rows, roots: list[int], length: int, shapes: list[tuple[int, list[int]]]) -> PathCondition:
    terms = unflatten(rows)
    named = [terms[i] for i in roots]
    at = length
    slices = []
    for count, values in shapes:
        constraints = tuple(named[at : at + count])
        symbols = named[at + count : at + count + len(values)]
        at += count + len(values)
        model = Model(dict(zip(symbols, values, strict=True)))
        slices.append(Slice(constraints, frozenset(constraints), frozenset(symbols), model))
    return PathCondition.EMPTY.extended(named[:length], slices)


# --- independence ---


def parts_of(condition: Term) -> Sequence[Term]:
    """The conjuncts of a condition."""
    return conjuncts(condition, _CONJUNCTS) if condition.op == "and" else (condition,)


def join(slices: Sequence[Slice]) -> Slice:
    """Independent slices as one, whose model takes each symbol from the slice that mentions it."""
    values: dict[Term, int] = {}
    constraints: tuple[Term, ...] = ()
    for part in slices:
        known = part.model.values
        for s in part.symbols:
            values[s] = known.get(s, 0)
        constraints += part.constraints
    members = frozenset(constraints)
    return Slice(constraints, members, frozenset(values), Model(values))


def split(base: Slice, conditions: Sequence[Term], model: Model) -> list[Slice]:
    """The independent slices of ``base`` and ``conditions`` together, which ``model`` satisfies."""
    constraints = (*base.constraints, *[c for c in conditions if c not in base.members])
    if len(conditions) == 1:
        return [Slice(constraints, frozenset(constraints), union(base.symbols, conditions[0].symbols), model)]
    groups = connected(constraints, lambda constraint: constraint.symbols)
    if len(groups) == 1:
        symbols = frozenset().union(*[c.symbols for c in constraints])
        return [Slice(constraints, frozenset(constraints), symbols, model)]
    result = []
    for group in groups:
        symbols = frozenset().union(*[c.symbols for c in group])
        result.append(Slice(tuple(group), frozenset(group), symbols, model))
    return result


class Components:
    """Disjoint sets of terms, joined in pairs (union-find). ``above`` leads from each term to its root."""

    def __init__(self) -> None:
        self.above: dict[Term, Term] = {}

    def root(self, term: Term) -> Term:
        """The root of the set of ``term``; a new term is a set of its own."""
        above = self.above
        while (higher := above.setdefault(term, term)) is not term:
            above[term] = term = above[higher]
        return term

    def join(self, a: Term, b: Term) -> None:
        """Join two sets under the root of ``b``."""
        self.above[self.root(a)] = self.root(b)


def connected(items: Sequence[Item], keys: Callable[[Item], Collection[Term]]) -> list[list[Item]]:
    """The items grouped by common ``keys``; groups and items in the given order."""
    components = Components()
    firsts = [next(iter(keys(item))) for item in items]
    for item, first in zip(items, firsts, strict=True):
        for key in keys(item):
            components.join(key, first)
    groups: dict[Term, list[Item]] = {}
    for item, first in zip(items, firsts, strict=True):
        groups.setdefault(components.root(first), []).append(item)
    return list(groups.values())
