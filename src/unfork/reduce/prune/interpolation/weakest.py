"""The interpolant at the beginning of a stretch, from the choices of its paths and the interpolants at their ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.inputs import UNWRITTEN
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.boolean import Interval, decides, interval
from unfork.logic.terms.evaluate import substitution
from unfork.logic.terms.term import Term, Value, postorder
from unfork.reduce.prune.interpolation.general import CannotGeneralise, General
from unfork.reduce.prune.interpolation.interpolant import Fixed, Interpolant, Shape, anchor_closure, in_order
from unfork.reduce.prune.interpolation.oracle import Oracle, PathDecision
from unfork.reduce.prune.interpolation.retrace import Trace
from unfork.reduce.prune.interpolation.sources import (
    PREFIX,
    RegisterSource,
    SizeSource,
    Source,
    addressed_in,
    is_static,
    is_written,
    offset_term,
)
from unfork.reduce.prune.interpolation.strengthen import Holds, pin

SIDES = 64
"""Untaken sides that an interpolant records, the first on the way."""

Contrary = Callable[[Value], bool]
"""Whether others require the contrary of a condition."""
_Combining = Generator[tuple[list["Path"], int], dict[Term, None], dict[Term, None]]


@dataclass(frozen=True, slots=True)
class Path:
    """One path of a stretch: its choices, and the conditions at its end in terms of the general beginning."""

    choices: Sequence[PathDecision]
    conditions: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Precondition:
    """The requirements of the interpolant at the end of a trace on its beginning, and its ``sides`` seen from there."""

    conditions: tuple[Term, ...]
    anchors: dict[Source, None]
    """Pointers that must be followed."""
    sides: tuple[Term, ...] = ()
    taken: frozenset[int] = frozenset()
    """Open edges taken from the end on."""
    written: frozenset[Term] = frozenset()
    """Symbols of the beginning that must not depend on unwritten bytes."""


def precondition(trace: Trace, after: Interpolant, step: Step, oracle: Oracle) -> Precondition:
    """The requirements of the interpolant at the end of a trace on its beginning.

    Raises CannotGeneralise for a requirement that no beginning meets.
    """
    general = trace.general
    oracle.general = general
    step.begin(general.state, None)
    anchors: dict[Source, None] = {}
    for source in after.anchors:
        number = source.anchor
        assert number is not None
        value = at_end(source, general, step)
        _follow(value, number, general, anchors)
    values: dict[Term, Value] = {}
    for symbol, source in after.sources.items():
        value = at_end(source, general, step)
        values[symbol] = value if source.anchor is None else offset_term(value, source.anchor)
    replaced = substitution(values)
    conditions: dict[Term, None] = {}
    for condition in after.conditions:
        here = replaced(condition)
        if isinstance(here, Term):
            conditions[here] = None
        elif not here:
            raise CannotGeneralise("a path that does not meet its own end")
    sides = dict.fromkeys(map(replaced, after.sides))
    known = tuple([side for side in sides if isinstance(side, Term)])
    needed = {symbol for end in after.written if isinstance(value := values[end], Term) for symbol in value.symbols}
    if any(symbol.name.startswith(UNWRITTEN) for symbol in needed):
        raise CannotGeneralise("unwritten bytes")
    written = frozenset(symbol for symbol in needed if symbol.name.startswith(PREFIX))
    return Precondition(tuple(conditions), anchors, known, after.taken, written)


def at_end(source: Source, general: General, step: Step) -> Value:
    """A source's value in the state that a general one has become. Raises CannotGeneralise if it has none."""
    state = general.state
    if isinstance(source, RegisterSource):
        value = source.whole(state)
        if value is None:
            raise CannotGeneralise("a register without a value")
        return value
    item = state.memory.objects.get(source.number)
    if item is None:
        raise CannotGeneralise("an object that is gone")
    if isinstance(source, SizeSource):
        return item.size
    if source.offset + source.size > len(item.data):
        raise CannotGeneralise("an object that is smaller")
    item = initialise(step, source.number, source.offset, source.size)
    if not is_written(item, source.offset, source.size):
        raise CannotGeneralise("unwritten bytes")
    return item.read(source.offset, source.size)


def _follow(value: Value, number: int, general: General, anchors: dict[Source, None]) -> None:
    """Add the pointers of the beginning from which ``value``, a pointer to ``number``, was made: all, if unknown."""
    symbols = sorted(value.symbols, key=_name) if isinstance(value, Term) else ()
    own = [
        source for symbol in symbols if (source := general.sources.get(symbol)) is not None and source.anchor == number
    ]
    if not own and number in general.original.memory.objects and not is_static(number):
        own = [source for source in general.sources.values() if source.anchor == number]
    anchors.update(dict.fromkeys(own))


def _nothing(condition: Value) -> bool:
    return False


def _contrary(conditions: Iterable[Term]) -> Contrary:
    """Whether one of ``conditions`` excludes another, judged by their literals on one term each."""
    known: dict[Term, list[Interval]] = {}
    for condition in conditions:
        bounds = interval(condition)
        if bounds is not None:
            known.setdefault(bounds[0], []).append(bounds)

    def excluded(condition: Value) -> bool:
        bounds = interval(condition) if isinstance(condition, Term) else None
        return bounds is not None and any(decides(interval, bounds) == 0 for interval in known.get(bounds[0], ()))

    return excluded


def combine(paths: Sequence[Path], holds: Holds) -> dict[Term, None]:
    """The conditions under which a state takes one of ``paths``, and meets the requirements at its end.

    A condition required on some paths alone is required on all if it ``holds`` anyway, so that fewer values are
    compared, unless other paths require the contrary.
    """
    groups = [_combining(paths, holds, 0)]
    answer: dict[Term, None] | None = None
    while groups:
        try:
            group, at = next(groups[-1]) if answer is None else groups[-1].send(answer)
        except StopIteration as end:
            groups.pop()
            answer = end.value
        else:
            groups.append(_combining(group, holds, at))
            answer = None
    assert answer is not None
    return answer


def _combining(paths: Sequence[Path], holds: Holds, at: int) -> _Combining:
    """The conditions of a group, whose paths agree in their first ``at`` choices.

    Yields each subgroup with one direction at the first distinguishing choice, and is sent its conditions.
    """
    found: dict[Term, None] = {}
    assumed: Value = 1

    def ask(condition: Value, besides: Value = 1, contrary: Contrary = _nothing) -> None:
        here = build.both(assumed, besides)
        if here != 1 and (contrary(condition) or not holds(condition)):
            condition = build.either(build.negate(here), condition)
        _add(found, condition)

    while any(len(path.choices) > at for path in paths):
        first = paths[0].choices[at] if len(paths[0].choices) > at else None
        branches: dict[int, list[Path]] = {}
        for path in paths:
            if first is None or len(path.choices) <= at or path.choices[at].term is not first.term:
                raise CannotGeneralise("paths that part without a choice")
            branches.setdefault(path.choices[at].value, []).append(path)
        assert first is not None
        at += 1
        if len(branches) == 1:
            if first.is_harmless:
                assumed = build.both(assumed, first.condition)
            else:
                ask(first.condition)
            continue
        term, width = first.term, first.term.width
        if not first.is_harmless and len(branches) < 1 << width:
            ask(build.disjunction([build.eq(term, value, width) for value in branches]))
        asked: dict[int, dict[Term, None]] = {}
        for value, group in branches.items():
            asked[value] = yield group, at
        for value, conditions in asked.items():
            elsewhere = [path for other, group in asked.items() if other != value for path in group]
            contrary = _contrary(elsewhere)
            for condition in conditions:
                if condition not in found:
                    ask(condition, build.eq(term, value, width), contrary)
        return found
    for path in paths:
        for condition in path.conditions:
            ask(condition)
    return found


def _add(conditions: dict[Term, None], condition: Value) -> None:
    if isinstance(condition, Term):
        conditions[condition] = None
    elif not condition:
        raise CannotGeneralise("a stretch that contradicts itself")


def without_inputs(
    conditions: Iterable[Term], known: Sequence[Value], is_valid: Callable[[Sequence[Value], Term], bool]
) -> list[Term]:
    """The conditions that remain when inputs made on the way may be anything that ``known`` allows.

    Raises CannotGeneralise for one that depends on such an input.
    """
    left = []
    for condition in conditions:
        if all(symbol.name.startswith(PREFIX) for symbol in condition.symbols):
            left.append(condition)
        elif not is_valid(known, condition):
            raise CannotGeneralise("an input that decides")
    return left


def distinct_generals(traces: Iterable[Trace]) -> Iterable[General]:
    """The general beginnings of traces; one of twins, which share their symbols."""
    return {id(trace.general.values): trace.general for trace in traces}.values()


def interpolant(
    traces: Sequence[Trace],
    conditions: Sequence[Term],
    anchors: Iterable[Source],
    absent: Iterable[int],
    heap_count: int | None,
    strengthened: Callable[[Sequence[Term]], Sequence[Term]],
    sides: Iterable[Term] = (),
    written: frozenset[Term] = frozenset(),
) -> Interpolant:
    """Builds the interpolant: drops parts that are not needed, and simplifies where there are too many."""
    original = traces[0].general.original
    sources: dict[Term, Source] = {}
    for general in distinct_generals(traces):
        sources.update(general.sources)
    kept = strengthened(pin(conditions, traces[0].general.bases))
    used = {symbol: sources[symbol] for condition in kept for symbol in sorted(condition.symbols, key=_name)}
    used.update({symbol: sources[symbol] for symbol in sorted(written, key=_name)})
    followed = dict.fromkeys(anchors)
    followed.update(dict.fromkeys(source for source in used.values() if source.anchor is not None))
    for choice in (choice for trace in traces for choice in trace.choices):
        named = [sources[symbol] for symbol in sorted(choice.term.symbols, key=_name) if symbol in sources]
        followed.update(dict.fromkeys(source for source in named if source.anchor is not None))
    pointers = [source for source in sources.values() if source.anchor is not None]
    pointers.sort(key=lambda source: not isinstance(source, RegisterSource))
    touched = {number for trace in traces for number in trace.general.touched if not is_static(number)}
    terms = postorder(kept)
    addressed = addressed_in(terms)
    if addressed and heap_count is None:
        heap_count = original.heap_count
    objects = touched | _objects(used.values()) | _objects(followed) | _made(addressed, original)
    reached = anchor_closure(followed, pointers)
    besides = [source for source in pointers if isinstance(source, RegisterSource) and source.anchor in objects]
    order = in_order((*reached, *[source for source in besides if source not in reached]))
    shapes = {}
    for number in sorted(objects | _objects(order)):
        shape = Shape.of(number, original)
        if shape is None:
            raise CannotGeneralise("a pointer to what is gone")
        shapes[number] = shape
    known = islice((side for side in dict.fromkeys(sides) if side.symbols <= used.keys()), SIDES)
    return Interpolant(
        tuple(kept),
        used,
        order,
        shapes,
        frozenset(absent),
        Fixed.of(original),
        heap_count,
        len(terms),
        tuple(known),
        written,
    )


def _made(numbers: Iterable[int], state: State) -> set[int]:
    """The objects among these that exist by now: a number that is the address of one requires its existence."""
    return {number for number in numbers if not FIRST_HEAP + state.heap_count <= number < FIRST_STACK}


def _objects(sources: Iterable[Source]) -> set[int]:
    """The objects that sources are in, or lead to."""
    numbers = set()
    for source in sources:
        if not isinstance(source, RegisterSource):
            numbers.add(source.number)
        if source.anchor is not None:
            numbers.add(source.anchor)
    return numbers


def _name(symbol: Term) -> str:
    return symbol.name
