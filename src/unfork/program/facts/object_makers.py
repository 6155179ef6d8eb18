"""How a library's public functions make objects and change them: found by types, and for some by words of names.

A maker returns a struct, puts it into a variable of its caller's, or fills one. An operation takes it, and neither
ends nor makes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace

from unfork.program.c.object_calls import PREFIX, GivenArgument, ObjectArgument, ObjectCall, ObjectDriver
from unfork.program.facts.cfg import closure
from unfork.program.facts.makers import SETTING_UP, words_of
from unfork.program.llvm.c_types import CType, Opaque, Pointer, Prototype, RecordType, Scalar
from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.ir import Bits, Call, GlobalAddress, Operand, Phi, Register, Return, Select
from unfork.program.llvm.module import Function, Program

_MAKERS, _OPERATIONS = 2, 8
"""The most makers of an object, and operations on it, that a driver may call: more than the projects of
tests/commands/scan need, and set without another trial.
"""
_DEEP = 2
"""How many makers may need an object of another maker."""
_AGAIN = frozenset(("reset", "setup"))
"""Words of makers that are taken where there is no other."""
_ENDING = frozenset(
    (
        *("free", "destroy", "delete", "close", "release", "unref", "deinit", "fini", "finish", "finalize"),
        *("cleanup", "dispose", "term", "terminate", "done", "shutdown", "drop", "exit", "abort", "kill", "destruct"),
    )
)
"""Words in the names of functions after which an object is gone."""
_FREEING = frozenset(("free", "realloc", "reallocarray", "fclose", "munmap"))
_GOES_ON = frozenset(
    (
        *("clear", "reset", "remove", "pop", "erase", "flush", "empty", "truncate", "shrink", "rewind", "set", "put"),
        *("add", "push", "insert", "append", "resize", "reserve", "grow", "update", "replace", "write", "read", "next"),
        *("shift", "unshift", "enqueue", "dequeue", "take", "evict", "expire", "trim", "detach", "unlink", "merge"),
        *("move", "swap", "split", "rehash", "store", "load", "parse", "feed", "process", "step", "decode", "encode"),
    )
)
"""Words in the names of functions that may free a part of an object which stays."""
_FOREIGN = frozenset(("FILE", "struct _IO_FILE", "DIR", "struct __dirstream"))
"""Structs of the C library that nothing here makes."""
_NUMBER = frozenset("unsigned signed char short int long float double __int128".split())
"""Words of types of numbers; an enumeration has a name of its own."""
_NEGATIVE, _ZERO, _POSITIVE = -1, 0, 1

MadeStruct = RecordType | Opaque
"""A struct, or one that is only declared: a handle for objects of another type."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A function that makes an object: it returns one, or takes it as parameter ``at``, which it fills if so."""

    function: str
    at: int | None = None
    is_filler: bool = False


class ObjectMakers:
    """Knows how the functions in ``public`` make the structs of a program, and makes drivers of up to ``most`` calls
    between makers and a function.
    """

    def __init__(self, program: Program, public: Collection[str], most: int) -> None:
        self._program = program
        self.most = most
        self._prototypes = {name: each for name in program.own if (each := _prototype(program, name)) is not None}
        self._public = [name for name in self._prototypes if name in public]
        self._called = {name: program.outlines.called(name) for name in program.own}
        self._freed = _freed(program)
        self._ways = self._all_ways()

    def names(self) -> list[str]:
        """The structs that can be made, by their names."""
        return [kind.name for kind in self._ways]

    def driver(self, entry: str, visible: Container[str]) -> ObjectDriver | None:
        """A driver that calls ``entry`` on made objects; None if it takes none, or an argument cannot be made.

        It calls functions that are ``visible`` in the entry's file.
        """
        return _Driver(self, entry, visible).built() if entry in self._prototypes else None

    # --- makers

    def ways(self, kind: MadeStruct) -> list[_Way]:
        return self._ways.get(kind, [])

    def prototype(self, name: str) -> Prototype:
        return self._prototypes[name]

    def record(self, kind: CType) -> MadeStruct | None:
        """The struct that a pointer leads to."""
        target = self._program.c_types.target(kind) if isinstance(kind, Pointer) else None
        is_declared = isinstance(target, Opaque) and target.name.startswith("struct ")
        is_struct = isinstance(target, RecordType) or is_declared
        return target if isinstance(target, MadeStruct) and is_struct and target.name not in _FOREIGN else None

    def _all_ways(self) -> dict[MadeStruct, list[_Way]]:
        found: dict[MadeStruct, list[_Way]] = defaultdict(list)
        for name in self._public:
            for kind, way in self._ways_of(name):
                found[kind].append(way)
        for kind, ways in found.items():
            first = [each for each in ways if _AGAIN.isdisjoint(words_of(each.function))] or ways
            found[kind] = sorted(first, key=self._size_of)
        return dict(found)

    def _size_of(self, way: _Way) -> tuple[int, int]:
        """How many arguments a maker takes, and how many functions it runs."""
        called = closure({way.function}, lambda each: self._called.get(each, frozenset()))
        return len(self._prototypes[way.function].parameters), len(called)

    def _ways_of(self, name: str) -> Iterator[tuple[MadeStruct, _Way]]:
        prototype = self._prototypes[name]
        taken = [self.record(parameter.type) for parameter in prototype.parameters]
        made = self.record(prototype.result)
        if made is not None and made not in taken:
            yield made, _Way(name)
        if self.success(name) is None:
            return
        if taken and isinstance(taken[0], RecordType) and made in (None, taken[0]) and _is_set_up(name, taken[0]):
            yield taken[0], _Way(name, 0, is_filler=True)
        for at, parameter in enumerate(prototype.parameters):
            inner = self._program.c_types.target(parameter.type) if isinstance(parameter.type, Pointer) else None
            placed = None if inner is None else self.record(inner)
            if placed is not None and _is_set_up(name, placed):
                yield placed, _Way(name, at)
                return

    def success(self, name: str) -> str | None:
        """What follows a call in C to say that it succeeded, "" if it always does; None if that is not known."""
        match self._prototypes[name].result:
            case Opaque():
                return ""
            case Pointer() | Scalar(encoding="boolean"):
                return "!= 0"
            case Scalar(name=kind):
                signs = set(_signs(self._program.function(name)))
                is_enumeration = kind.startswith("enum ") or not _NUMBER.issuperset(kind.split())
                return "== 0" if is_enumeration or _NEGATIVE in signs or _POSITIVE not in signs else None
        return None

    # --- operations

    def operations(self, kind: MadeStruct) -> list[tuple[str, int]]:
        """The functions that may change an object, each with the position where it is taken."""
        return [(name, at) for name in self._public if (at := self._changed_at(name, kind)) is not None]

    def _changed_at(self, name: str, kind: MadeStruct) -> int | None:
        prototype, types = self._prototypes[name], self._program.c_types
        takes = [at for at, parameter in enumerate(prototype.parameters) if self.record(parameter.type) == kind]
        words = words_of(name)
        if not takes or not _ENDING.isdisjoint(words) or any(way.function == name for way in self.ways(kind)):
            return None
        pointer = prototype.parameters[takes[0]].type
        if not isinstance(pointer, Pointer) or types.leads_to_const(pointer) or takes[0] in self._freed[name]:
            return None
        if not SETTING_UP.isdisjoint(words) and takes[0] == 0:
            return None
        called = closure({name}, lambda each: self._called.get(each, frozenset()))
        return takes[0] if _FREEING.isdisjoint(called) or not _GOES_ON.isdisjoint(words) else None


class _Driver:
    """Builds one driver."""

    def __init__(self, makers: ObjectMakers, entry: str, visible: Container[str]) -> None:
        self._makers = makers
        self._entry = entry
        self._visible = visible
        self._objects: dict[str, MadeStruct] = {}
        self._making: list[tuple[ObjectCall, ...]] = []

    def built(self) -> ObjectDriver | None:
        arguments: list[GivenArgument | ObjectArgument] = []
        for parameter in self._makers.prototype(self._entry).parameters:
            kind = self._makers.record(parameter.type)
            name = f"made_{parameter.name}"
            if kind is not None and self._make(kind, name, ()):
                arguments.append(ObjectArgument(name))
                continue
            spelled = _spelled(parameter.type)
            if spelled is None:
                return None
            arguments.append(GivenArgument(parameter.name, spelled))
        objects = [each.name for each in arguments if isinstance(each, ObjectArgument)]
        if not objects:
            return None
        steps = [step for number in range(1, self._makers.most + 1) if (step := tuple(self._step(number, objects)))]
        kinds = tuple([(name, kind.name) for name, kind in self._objects.items()])
        entry = ObjectCall(self._entry, tuple(arguments))
        return ObjectDriver(f"{PREFIX}{self._entry}", kinds, tuple(self._making), tuple(steps), entry)

    def _make(self, kind: MadeStruct, name: str, around: tuple[MadeStruct, ...]) -> bool:
        """Plan how the object ``name`` is made; whether that is possible. Its maker may need objects, too."""
        if kind in around or len(around) > _DEEP:
            return False
        calls: list[ObjectCall] = []
        for way in self._makers.ways(kind):
            before = dict(self._objects), list(self._making)
            call = self._maker(way, name, (*around, kind))
            if call is None:
                self._objects, self._making = before
            else:
                calls.append(call)
            if len(calls) == _MAKERS:
                break
        if calls:
            self._objects[name] = kind
            self._making.append(tuple(calls))
        return bool(calls)

    def _maker(self, way: _Way, name: str, around: tuple[MadeStruct, ...]) -> ObjectCall | None:
        if way.function == self._entry or way.function not in self._visible:
            return None
        is_known = any(call.function == way.function for group in self._making for call in group)
        prefix = f"make_{way.function}" + (f"_{name.removeprefix('made_')}" if is_known else "")
        arguments: list[GivenArgument | ObjectArgument] = []
        for at, parameter in enumerate(self._makers.prototype(way.function).parameters):
            if at == way.at:
                arguments.append(ObjectArgument(name, is_place=not way.is_filler))
                continue
            kind, inner = self._makers.record(parameter.type), self._inner(f"{name}_{parameter.name}", way)
            if kind is not None and self._make(kind, inner, around):
                arguments.append(ObjectArgument(inner))
            elif (kind is None or not self._makers.ways(kind)) and (spelled := _spelled(parameter.type)) is not None:
                arguments.append(GivenArgument(_named(prefix, parameter.name), spelled))
            else:
                return None
        call = ObjectCall(way.function, tuple(arguments), prefix, name, way.is_filler, way.at is None)
        return call if way.at is None else replace(call, success=self._makers.success(way.function) or "")

    def _inner(self, name: str, way: _Way) -> str:
        """The name of an object that a maker takes: another maker of the same group may take one of that name."""
        return f"{name}_{way.function}" if name in self._objects else name

    def _step(self, number: int, objects: list[str]) -> Iterator[ObjectCall]:
        """The calls that may be made as the ``number``-th."""
        for name in objects:
            known = [each for each in self._makers.operations(self._objects[name]) if each[0] in self._visible]
            for function, at in known[:_OPERATIONS]:
                flag = f"call{number}_{function}" + (f"_{name.removeprefix('made_')}" if len(objects) > 1 else "")
                arguments = self._of_operation(function, at, name, objects, flag)
                if arguments is not None:
                    yield ObjectCall(function, arguments, flag)

    def _of_operation(
        self, function: str, at: int, name: str, objects: list[str], prefix: str
    ) -> tuple[GivenArgument | ObjectArgument, ...] | None:
        arguments: list[GivenArgument | ObjectArgument] = []
        for position, parameter in enumerate(self._makers.prototype(function).parameters):
            kind = self._makers.record(parameter.type)
            others = [each for each in objects if each != name and self._objects[each] == kind]
            spelled = _spelled(parameter.type)
            if position == at:
                arguments.append(ObjectArgument(name))
            elif others:
                arguments.append(ObjectArgument(others[0]))
            elif spelled is not None and (kind is None or not self._makers.ways(kind)):
                arguments.append(GivenArgument(_named(prefix, parameter.name), spelled))
            else:
                return None
        return tuple(arguments)


def _prototype(program: Program, name: str) -> Prototype | None:
    """The prototype of a function in C that a driver may call."""
    if name.startswith(MANGLED) or name == "main":
        return None
    prototype = program.c_types.prototype(name)
    if prototype is None or prototype.is_variadic or isinstance(prototype.result, RecordType):
        return None
    return prototype


def _is_set_up(name: str, kind: MadeStruct) -> bool:
    """Whether a function's name says that it sets up a struct: queue_init, init_queue, but not queue_init_item."""
    words = words_of(name)
    places = [at for at, word in enumerate(words) if word in SETTING_UP]
    if not places:
        return False
    about = words[places[-1] + 1 :][:1] or words[: places[-1]][-1:]
    return not about or about[0] in kind.name.lower()


def _named(prefix: str, parameter: str) -> str:
    """The driver's parameter for a parameter: ``n`` alone says that it is a count."""
    return f"{prefix}_{'count' if parameter == 'n' else parameter}"


def _spelled(kind: CType) -> str | None:
    """A type of an argument in C; None if there is no short word for it."""
    is_plain = isinstance(kind, Scalar | Pointer) and kind.name and not any(mark in kind.name for mark in "{[")
    return kind.name if is_plain and kind.name.count("(*)") <= 1 else None


def _freed(program: Program) -> dict[str, set[int]]:
    """For each function, the parameters that it frees, or passes to one that does."""
    freed: dict[str, set[int]] = {name: set() for name in program.own} | {name: {0} for name in _FREEING}
    passes = [
        (name, argument.index, callee, at)
        for name in program.own
        for instruction in program.function(name).instructions()
        if isinstance(instruction, Call) and isinstance(instruction.callee, GlobalAddress)
        for callee in [instruction.callee.name]
        if callee in freed
        for at, argument in enumerate(instruction.arguments)
        if isinstance(argument, Register) and argument.index < len(program.function(name).type.parameters)
    ]
    has_changed = True
    while has_changed:
        has_changed = False
        for name, parameter, callee, at in passes:
            if at in freed[callee] and parameter not in freed[name]:
                freed[name].add(parameter)
                has_changed = True
    return freed


def _signs(function: Function) -> Iterator[int]:
    """The signs of the constants that a function returns."""
    made = {each.result: each for each in function.instructions() if isinstance(each, Phi | Select)}
    waiting: list[Operand] = [
        each.value for each in function.instructions() if isinstance(each, Return) and each.value is not None
    ]
    seen = set[int]()
    while waiting:
        match waiting.pop():
            case Bits(value, kind):
                width = getattr(kind, "width", 0)
                yield _ZERO if value == 0 else _NEGATIVE if width and value >> (width - 1) else _POSITIVE
            case Register(index) if index in made and index not in seen:
                seen.add(index)
                match made[index]:
                    case Phi(incoming=incoming):
                        waiting += [operand for operand, _ in incoming]
                    case Select(then=then, otherwise=otherwise):
                        waiting += [then, otherwise]
