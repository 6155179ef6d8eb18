"""States as bytes: shared parts are kept once, and functions and globals are named, not copied.

The process that unpacks them has the same program. Earlier states of a path (EarlierState) stay behind, and are
recorded anew.
"""

from __future__ import annotations

import gc
import hashlib
import io
import pickle
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import EnumMeta
from functools import cache
from operator import attrgetter
from typing import Any

from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.objects import Beginnings, Objects
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import EitherOutput, Frame, LoopVisit, Output, OutputPrefix, State, Written
from unfork.engine.state.thread_links import linked
from unfork.engine.state.threads import THREADS
from unfork.errors import UnforkError
from unfork.logic.solve.path import PathCondition, Slice, Trail
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Rows, Term, postorder, sort_terms
from unfork.logic.terms.term_table import extend
from unfork.program.llvm.module import Function, Program

Reduced = tuple[Callable[..., Any], tuple[Any, ...]]
Row = tuple[Any, ...]

_STATE = tuple([field.name for field in fields(State) if field.name != "output"])
_FRAME = tuple([field.name for field in fields(Frame) if field.name != "entered"])
_of_state, _of_frame = attrgetter(*_STATE), attrgetter(*_FRAME)
_BUILTINS = frozenset(["object", "set", "frozenset", "bytearray", "complex", "range", "slice"])
_WORD, _RECORD = re.compile(r"\w+"), re.compile(r"unfork(?:\.\w+)+")
_LIBRARIES = frozenset([("collections", "Counter"), ("collections", "OrderedDict"), ("copyreg", "__newobj__")])


class Unreadable(UnforkError):
    """Bytes that are not packed states, or that name something states are not made of."""


@dataclass(frozen=True, slots=True)
class StateSurroundings:
    """Objects that states name instead of holding them."""

    program: Program
    beginnings: Beginnings[MemoryObject]


def pack(value: Any, surroundings: StateSurroundings) -> bytes:
    """``value``, which may hold states, terms and path conditions anywhere, as bytes."""
    collects = gc.isenabled()
    gc.disable()  # packing makes many small objects and no garbage
    try:
        return _Packing(surroundings).pack(value)
    finally:
        if collects:
            gc.enable()


def unpack(data: bytes, surroundings: StateSurroundings) -> Any:
    """The inverse of pack(). Raises Unreadable."""
    try:
        rows, trails, outputs, packed = _Unpickler(data, {}).load()
        return _Unpacking(surroundings, rows, trails, outputs).unpack(packed)
    except (pickle.UnpicklingError, EOFError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(f"packed states cannot be read: {error}") from None


@cache
def layout(*roots: type) -> str:
    """A fingerprint of the fields of records and of all that they hold: only bytes of the same layout can be
    unpacked.
    """
    fields_of: dict[str, list[str]] = {}
    waiting = list(roots)
    while waiting:
        kind = waiting.pop()
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name in fields_of:
            continue
        parts = [part for each in kind.__mro__ for part in vars(each).get("__annotations__", {}).items()]
        fields_of[name] = [*map(str, parts), *getattr(kind, "__slots__", ())]
        scope = vars(sys.modules[kind.__module__])
        named = [repr(scope.get(word)) for word in _WORD.findall(str(parts))]  # an alias: all that it stands for
        for module, _, record in [path.rpartition(".") for path in _RECORD.findall(" ".join(named))]:
            held = getattr(sys.modules.get(module), record, None)
            waiting += [held] if isinstance(held, type) else []
    return hashlib.sha256(repr(sorted(fields_of.items())).encode()).hexdigest()[:8]


# Stand-ins in a pickle for values that are built separately: _Unpacking has a method of each name.
def _term(row: int) -> Any: ...
def _path(trail: int, length: int, slices: list[Slice]) -> Any: ...
def _slice(constraints: tuple[Term, ...], symbols: list[Term], values: list[int]) -> Any: ...
def _function(name: str) -> Any: ...
def _global(number: int) -> Any: ...
def _beginnings() -> Any: ...
def _state(output: int, events: list[object], *values: Any) -> Any: ...
def _frame(*values: Any) -> Any: ...


class _Packing:
    """One call of pack().

    Terms, the trails of path conditions and outputs are linked deeper than a pickle may be nested, so they become
    rows that name earlier rows. Events of threads come before they are needed, oldest first.
    """

    def __init__(self, surroundings: StateSurroundings) -> None:
        self._beginnings = surroundings.beginnings
        self._globals = {id(item): number for number, item in surroundings.beginnings.made()}
        self._terms: dict[Term, int] = {}
        self._rows: Rows = []
        self._trails: dict[int, int] = {}
        self._trail_rows: list[tuple[int, int]] = []
        self._outputs: dict[int, int] = {}
        self._output_rows: list[Row] = []
        self._events: set[int] = set()
        self._kept: list[Any] = []
        """Keeps objects alive that are known by identity, so that no other object gets theirs."""
        self._reduced: dict[type, Callable[[Any], Any]] = {
            Term: lambda term: (_term, (self._term(term),)),
            PathCondition: self._path,
            Slice: _reduce_slice,
            Function: lambda function: (_function, (function.name,)),
            Beginnings: self._of_beginnings,
            MemoryObject: self._object,
            State: self._state,
            Frame: _reduce_frame,
            Objects: lambda objects: (Objects, objects.looked_at(attrgetter("held", "beginnings"))),
            Remembered: lambda remembered: (Remembered, (remembered.looked_at(attrgetter("_values")),)),
            LoopVisit: lambda iteration: (
                LoopVisit,
                (iteration.count, iteration.instructions, None, iteration.never_ends),
            ),
        }

    def pack(self, value: Any) -> bytes:
        data = self._pickle(value)
        return self._pickle((self._rows, self._trail_rows, self._output_rows, data))

    def _pickle(self, value: Any) -> bytes:
        file = io.BytesIO()
        pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = self._reduced
        pickler.dump(value)
        return file.getvalue()

    def _term(self, root: Term) -> int:
        terms, rows = self._terms, self._rows
        if root not in terms:
            for term in postorder((root,), terms):
                terms[term] = len(rows)
                rows.append((term.op, term.width, tuple([terms[a] for a in term.args]), term.parameter))
        return terms[root]

    def _path(self, path: PathCondition) -> Reduced:
        return _path, (self._trail(path.trail), path.length, path.parts())

    def _trail(self, trail: Trail | None) -> int:
        known, unknown = self._trails, []
        while trail is not None and id(trail) not in known:
            unknown.append(trail)
            trail = trail[0]
        number = -1 if trail is None else known[id(trail)]
        for trail in reversed(unknown):
            self._trail_rows.append((number, self._term(trail[1])))
            number = self._trails[id(trail)] = len(self._trail_rows) - 1
        self._kept += unknown
        return number

    def _output(self, output: Output) -> int:
        """The row of an output, after the rows that it builds on."""
        rows, known = self._output_rows, self._outputs
        waiting = [output]
        while waiting:
            link = waiting[-1]
            if link is None or id(link) in known:
                waiting.pop()
                continue
            before = (link.first, link.second) if isinstance(link, EitherOutput) else (link[0],)
            missing = [each for each in before if each is not None and id(each) not in known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            numbers = [-1 if each is None else known[id(each)] for each in before]
            if isinstance(link, EitherOutput):
                rows.append((*numbers, self._value(link.guard)))
            else:
                rows.append((*numbers, link[1], self._written(link[2]), None))
            known[id(link)] = len(rows) - 1
            self._kept.append(link)
        return -1 if output is None else known[id(output)]

    def _value(self, value: int | Term) -> int | tuple[int]:
        return (self._term(value),) if isinstance(value, Term) else value

    def _written(self, written: Written) -> Any:
        if isinstance(written, OutputPrefix):
            return [self._value(value) for value in written.values], self._term(written.length)
        return [self._value(value) for value in written] if isinstance(written, tuple) else written

    def _of_beginnings(self, beginnings: Beginnings[MemoryObject]) -> Reduced:
        assert beginnings is self._beginnings
        return _beginnings, ()

    def _object(self, item: MemoryObject) -> Any:
        number = self._globals.get(id(item))
        return object.__reduce_ex__(item, 4) if number is None else (_global, (number,))

    def _state(self, state: State) -> Reduced:
        threads = state.remembered[THREADS]
        events = [] if threads is None else linked(threads, self._events)
        return _state, (self._output(state.output), events, *state.looked_at(_of_state))


def _reduce_slice(part: Slice) -> Reduced:
    symbols, known = sort_terms(part.symbols), part.model.values
    return _slice, (part.constraints, symbols, [known.get(symbol, 0) for symbol in symbols])


def _reduce_frame(frame: Frame) -> Reduced:
    return _frame, frame.looked_at(_of_frame)


class _Unpickler(pickle.Unpickler):
    """Makes only what states are made of, so that a file of packed states can do no harm."""

    def __init__(self, data: bytes, makers: dict[str, Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._makers = makers

    def find_class(self, module: str, name: str) -> Any:
        if module == __name__ and name in self._makers:
            return self._makers[name]
        is_ours = module.startswith("unfork.") and "." not in name
        kind = super().find_class(module, name) if is_ours else None
        if isinstance(kind, type):
            return kind
        if (module, name) == ("builtins", "getattr"):
            return _member
        if (module == "builtins" and name in _BUILTINS) or (module, name) in _LIBRARIES:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def _member(kind: object, name: str) -> Any:
    """A member of an enumeration, which Python before 3.11.4 names as an attribute. Raises UnpicklingError."""
    if isinstance(kind, EnumMeta) and name in kind.__members__:
        return kind[name]
    raise pickle.UnpicklingError(f"{name} of {kind!r}")


class _Unpacking:
    """One call of unpack()."""

    def __init__(
        self, surroundings: StateSurroundings, rows: Rows, trails: list[tuple[int, int]], outputs: list[Row]
    ) -> None:
        self._surroundings = surroundings
        self._terms: list[Term] = []
        extend(self._terms, rows)
        self._trails: list[Trail] = []
        for earlier, row in trails:
            self._trails.append((None if earlier < 0 else self._trails[earlier], self._terms[row]))
        self._outputs: list[Output] = []
        for output in outputs:
            self._outputs.append(self._output(output))

    def unpack(self, data: bytes) -> Any:
        makers = {
            "_term": self._terms.__getitem__,
            "_path": self._path,
            "_slice": _slice_of,
            "_function": self._surroundings.program.function,
            "_global": self._surroundings.beginnings.__getitem__,
            "_beginnings": lambda: self._surroundings.beginnings,
            "_state": self._state,
            "_frame": lambda *values: Frame(**dict(zip(_FRAME, values, strict=True)), entered=None),
        }
        return _Unpickler(data, makers).load()

    def _output(self, row: Row) -> Output:
        if len(row) == 3:
            first, second, guard = row
            return EitherOutput(self._value(guard), self._link(first), self._link(second))
        earlier, descriptor, written, _ = row
        if isinstance(written, tuple):
            values, length = written
            written = OutputPrefix(tuple([self._value(value) for value in values]), self._terms[length])
        elif isinstance(written, list):
            written = tuple([self._value(value) for value in written])
        return self._link(earlier), descriptor, written

    def _link(self, number: int) -> Output:
        return None if number < 0 else self._outputs[number]

    def _value(self, value: int | tuple[int]) -> int | Term:
        return self._terms[value[0]] if isinstance(value, tuple) else value

    def _path(self, trail: int, length: int, slices: list[Slice]) -> PathCondition:
        of_symbol = {symbol: part for part in slices for symbol in part.symbols}
        return PathCondition(None if trail < 0 else self._trails[trail], length, of_symbol)

    def _state(self, output: int, _: list[object], *values: Any) -> State:
        return State(**dict(zip(_STATE, values, strict=True)), output=self._link(output))


def _slice_of(constraints: tuple[Term, ...], symbols: list[Term], values: list[int]) -> Slice:
    model = Model(dict(zip(symbols, values, strict=True)))
    return Slice(constraints, frozenset(constraints), frozenset(symbols), model)
