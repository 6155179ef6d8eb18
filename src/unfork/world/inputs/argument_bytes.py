"""The arguments of one function as the bytes of a fuzzer: what they mean, and the C that calls the function with them.

The shape is that of a first state of the function run alone: numbers, texts, blocks of bytes with their number beside
them, objects, and structs by value. Pointers within objects are null. All numbers come first, then two bytes for the
length of each text and block but the last, then contents; the last has all that is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.memory.lazy_objects import length_name
from unfork.engine.state.lazy import LazyArgument, LazyObject, cell_path
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import c_registers
from unfork.program.llvm.c_types import CType, Pointer, RecordType, Scalar, TypeCell
from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.module import FUZZ_TARGET, Function, Program
from unfork.world.inputs.heap_data import Heap

_MOST = 4096
"""The most bytes of a text or a block."""
_ELEMENTS = 64
"""Elements of an array of numbers whose length nothing says. This and the two beside it were set without a trial."""
_LARGEST = 4096
"""The most bytes of an object that is filled."""
_COUNTS = (0, 1, 7, 8, 64)
"""Numbers for which a length is compared with what it may count."""
_WORDS = {
    **{("signed", size): word for size, word in ((1, "signed char"), (2, "short"), (4, "int"), (8, "long long"))},
    **{("float", size): word for size, word in ((4, "float"), (8, "double"))},
}
_UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}
_HEAD = """\
typedef __SIZE_TYPE__ unfork_size;
extern void *malloc(unfork_size);
extern void free(void *);
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern int __asan_address_is_poisoned(void const volatile *);
#define unfork_is_gone(block) __asan_address_is_poisoned(block)
#endif
#endif
#ifndef unfork_is_gone
#define unfork_is_gone(block) 1 /* free would be called twice */
#endif
static const unsigned char *unfork_at, *unfork_end;
static void *unfork_blocks[%d];
static int unfork_count;
static unfork_size unfork_left(void) { return unfork_end - unfork_at; }
static void unfork_read(void *to, unfork_size size) {
    unsigned char *bytes = to;
    for (; size; size--) *bytes++ = unfork_at < unfork_end ? *unfork_at++ : 0;
}
static unfork_size unfork_length(unfork_size most) {
    unsigned char bytes[2];
    unfork_read(bytes, 2);
    return (bytes[0] | bytes[1] << 8) %% (most + 1);
}
static unfork_size unfork_rest(unfork_size most) { return unfork_left() < most ? unfork_left() : most; }
static void *unfork_block(unfork_size size) {
    char *block = malloc(size ? size : 1);
    unfork_blocks[unfork_count++] = block;
    return size ? block : block + 1;
}
static void *unfork_bytes(unfork_size size) {
    void *block = unfork_block(size);
    unfork_read(block, size);
    return block;
}
static void *unfork_text(unfork_size most) {
    unfork_size size = unfork_rest(most), length = 0;
    char *text;
    const unsigned char *from = unfork_at;
    while (length < size && from[length]) length++;
    unfork_at += size;
    text = unfork_block(length + 1);
    text[length] = 0;
    for (size = 0; size < length; size++) text[size] = from[size];
    return text;
}
"""


@dataclass(frozen=True, slots=True)
class _Number:
    """An argument that is a number of ``size`` bytes."""

    name: str
    size: int
    word: str
    is_boolean: bool


@dataclass(frozen=True, slots=True)
class _Room:
    """The number of ``size`` bytes that says how long a block is: its elements, or (``is_of_bytes``) its bytes."""

    name: str
    size: int
    is_of_bytes: bool


@dataclass(frozen=True, slots=True)
class _Block:
    """An argument that points to an object: a text, or ``count`` elements, or as many as ``room`` says.

    ``filled`` are the bytes of it that are not 0.
    """

    name: str
    thing: LazyObject
    room: _Room | None
    count: int
    filled: int
    is_constant: bool

    @property
    def element(self) -> int:
        """Bytes of an element."""
        assert self.thing.cells is not None
        return self.thing.cells.size

    @property
    def is_long(self) -> bool:
        """Whether the input says how long it is."""
        return self.thing.is_text or self.room is not None

    @property
    def first(self) -> int:
        """The bytes of an object of a fixed size that the input says."""
        return min(self.filled, self.count * self.element)

    @property
    def most(self) -> int:
        """The most characters, or elements."""
        if self.room is None:
            return _MOST
        most = _MOST // self.element
        return min(most, ((1 << 8 * self.room.size - 1) - 1) // (self.element if self.room.is_of_bytes else 1))


@dataclass(frozen=True, slots=True)
class _Struct:
    """An argument that is a struct by value, which is the object ``object_name`` of a heap.

    Pointers of it for which there is no part are null.
    """

    name: str
    object_name: str
    members: Sequence[tuple[TypeCell, _Number | _Block | None]]

    @property
    def parts(self) -> list[_Number | _Block]:
        return [part for _, part in self.members if part is not None]

    @property
    def tag(self) -> str:
        """The type in C."""
        return f"struct unfork_of_{self.name}"

    def declaration(self) -> str:
        """The C that declares the type."""
        members = [
            f"{part.word if isinstance(part, _Number) else 'void *'} m{at};"
            for at, (_, part) in enumerate(self.members)
        ]
        return f"{self.tag} {{ {' '.join(members)} }};"

    def value(self, members: Sequence[str]) -> str:
        """The C that makes it."""
        return f"({self.tag}){{{', '.join(members)}}}"

    def numbers_in(self, data: bytes) -> dict[str, bytes]:
        """The numbers of the struct that has these bytes."""
        numbers = [(cell, part) for cell, part in self.members if isinstance(part, _Number)]
        return {
            part.name: data[cell.offset : cell.offset + cell.size].ljust(cell.size, b"\0") for cell, part in numbers
        }


class ArgumentBytes:
    """Reads a fuzzer's bytes as the arguments of a function whose first state ``state`` is.

    ``optional`` names arguments that do not matter where a number is 0, with that number: it is if they cannot be made.
    """

    def __init__(self, program: Program, function: Function, state: State, optional: Mapping[str, str]) -> None:
        self._function = function
        self._arguments = state.lazy.arguments
        parts = [_part(program, state, each) for each in self._arguments]
        given = list(zip(self._arguments, parts, strict=True))
        self._off = {optional[each.name] for each, part in given if part is None and each.name in optional}
        self._parts = [
            None if each.name in self._off or optional.get(each.name) in self._off else part for each, part in given
        ]
        whole = [each for part in self._parts for each in (part.parts if isinstance(part, _Struct) else (part,))]
        blocks = [each for each in whole if isinstance(each, _Block)]
        self._blocks = sorted(blocks, key=lambda each: (each.is_long, each.is_constant))
        self._structs = [each for each in self._parts if isinstance(each, _Struct)]
        self._long = [each for each in self._blocks if each.is_long]
        self._counted = {each.room.name: each for each in blocks if each.room is not None}
        """The blocks by the names of the numbers that say how long they are."""
        numbers = [each for each in whole if isinstance(each, _Number)]
        self._numbers = [each for each in numbers if each.name not in self._counted]
        rooms = [each.room.name for each in blocks if each.room is not None]
        are_counted = len({*rooms}) == len(rooms) and {*rooms} <= {each.name for each in numbers}
        self.is_known = _is_callable(program, function) and are_counted and self._are_known(optional)
        """Whether all arguments can be made that matter."""

    @property
    def takes_contents(self) -> bool:
        """Whether there is a text or a block: numbers alone are better explored."""
        return bool(self._long)

    def _are_known(self, optional: Mapping[str, str]) -> bool:
        unknown = [each.name for each, part in zip(self._arguments, self._parts, strict=True) if part is None]
        return all(each in self._off or optional.get(each) in self._off for each in unknown)

    def contents(self, data: bytes) -> dict[str, bytes]:
        """The inputs of the function by name, where they are not 0."""
        reader = _Reader(data)
        inputs: dict[str, bytes] = {}
        for number in self._numbers:
            value = reader.take(number.size)
            inputs[number.name] = bytes([value[0] & 1]) if number.is_boolean else value
        lengths = {each.name: int.from_bytes(reader.take(2), "little") % (each.most + 1) for each in self._long[:-1]}
        for block in self._blocks:
            inputs |= _contents_of(block, reader, lengths.get(block.name))
        return inputs

    def input_of(self, heap: Heap) -> bytes:
        """The fuzzer's bytes for the arguments of a test, as far as they can say them."""
        objects = {each.name: each.data for each in heap.objects}
        values = {each.name: each.data for each in heap.arguments}
        for struct in self._structs:
            values |= struct.numbers_in(objects.get(struct.object_name, b""))
        parts = [values[each.name].ljust(each.size, b"\0") for each in self._numbers]
        contents = [(each, objects.get(each.thing.path, b"")) for each in self._blocks]
        given = {each.name: data.partition(b"\0")[0] if each.thing.is_text else data for each, data in contents}
        for block in self._long[:-1]:
            length = len(given[block.name]) // (1 if block.thing.is_text else block.element)
            parts.append(min(length, block.most).to_bytes(2, "little"))
        for block in self._blocks:
            data = given[block.name]
            parts.append(data if block.is_long else data[: block.first].ljust(block.first, b"\0"))
        return b"".join(parts)

    def target(self) -> str:
        """The fuzz target, in C."""
        numbers = {each.name: f"a{at}" for at, each in enumerate(self._numbers)}
        blocks = {each.name: f"p{at}" for at, each in enumerate(self._blocks)}
        reads = [_read(each, numbers[each.name]) for each in self._numbers]
        reads += [f"unfork_size n{blocks[each.name]} = unfork_length({each.most});" for each in self._long[:-1]]
        reads += [_made(each, blocks[each.name], is_last=each in self._long[-1:]) for each in self._blocks]
        variables = numbers | blocks
        values = [
            each.value([self._value(part, variables) for _, part in each.members])
            if isinstance(each, _Struct)
            else self._value(each, variables)
            for each in self._parts
        ]
        types = [
            each.tag if isinstance(each, _Struct) else _type_of(argument.type)
            for each, argument in zip(self._parts, self._arguments, strict=True)
        ]
        lines = [
            *(each.declaration() for each in self._structs),
            _HEAD % max(len(self._blocks), 1),
            f'extern long unfork_tried({", ".join(types) or "void"}) __asm__("{self._function.name}");',
            f"int {FUZZ_TARGET}(const unsigned char *data, unfork_size size) {{",
            "    unfork_at = data; unfork_end = data + size; unfork_count = 0;",
            *(f"    {line}" for line in reads),
            f"    unfork_tried({', '.join(values)});",
            "    while (unfork_count--)",
            "        if (!unfork_is_gone(unfork_blocks[unfork_count])) free(unfork_blocks[unfork_count]);",
            "    return 0;",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _value(self, part: _Number | _Block | None, variables: Mapping[str, str]) -> str:
        """What the call passes for an argument, or for a member of one."""
        if part is None:
            return "0"
        counted = self._counted.get(part.name)
        if not isinstance(part, _Number) or counted is None:
            return variables[part.name]
        scale = counted.element if counted.room is not None and counted.room.is_of_bytes else 1
        return f"({part.word})(n{variables[counted.name]} * {scale})"


class _Reader:
    """Bytes, and zeros behind them."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        taken = self.some(count)
        return taken.ljust(count, b"\0")

    def some(self, count: int) -> bytes:
        """At most ``count`` bytes."""
        taken = self._data[self._at : self._at + count]
        self._at += len(taken)
        return taken


def _is_callable(program: Program, function: Function) -> bool:
    """Whether C can call a function by its name and ignore what it returns."""
    prototype = None if function.name.startswith(MANGLED) else program.c_types.prototype(function.name)
    is_plain = prototype is not None and not c_registers.has_result_pointer(function, prototype)
    return is_plain and not function.is_static and not function.type.variadic


def _word(kind: Scalar) -> str | None:
    """A type of C that is passed like a number of this type; None if there is none."""
    unsigned = _UNSIGNED.get(kind.size) if kind.encoding != "float" else None
    return _WORDS.get((kind.encoding.removesuffix("_char"), kind.size)) or unsigned


def _type_of(kind: CType) -> str:
    """The type of C as which an argument is passed."""
    return _word(kind) or "int" if isinstance(kind, Scalar) else "void *"


def _part(program: Program, state: State, argument: LazyArgument) -> _Number | _Block | _Struct | None:
    """How an argument is made; None if it cannot be."""
    kind, value = argument.type, argument.value
    if isinstance(kind, Scalar):
        return _number(argument.name, kind, value)
    if not isinstance(value, int) or offset_in(value):
        return None
    thing = state.lazy.find(object_of(value))
    if isinstance(kind, RecordType) and thing is not None:
        return _struct(program, state, argument.name, thing)
    return _block(program, argument.name, kind, thing, argument.room) if isinstance(kind, Pointer) else None


def _number(name: str, kind: Scalar, value: Value) -> _Number | None:
    word = _word(kind)
    is_named = isinstance(value, Term) and [each.name for each in value.symbols] == [name]
    return _Number(name, kind.size, word, kind.encoding == "boolean") if word and is_named else None


def _struct(program: Program, state: State, name: str, thing: LazyObject) -> _Struct | None:
    """How a struct is made whose members C puts where they are, one behind the other."""
    assert thing.cells is not None
    members: list[tuple[TypeCell, _Number | _Block | None]] = []
    end = largest = 0
    for cell in thing.cells.cells:
        if cell.path is None:
            continue
        at, place = cell_path(thing, 0, cell), (thing.number, cell.offset)
        part: _Number | _Block | None = None
        if isinstance(cell.type, Scalar):
            part = _number(at, cell.type, state.lazy.numbers.get(place, 0))
        elif isinstance(cell.type, Pointer) and state.lazy.pointers.get(place):
            target = state.lazy.find(object_of(state.lazy.pointers[place]))
            room = None if target is None or isinstance(target.length, int) else target.length
            part = _block(program, at, cell.type, target, room)
        if -(-end // cell.size) * cell.size != cell.offset or (part is None and not isinstance(cell.type, Pointer)):
            return None
        members.append((cell, part))
        end, largest = cell.end, max(largest, cell.size)
    is_whole = members and -(-end // largest) * largest == thing.cells.size
    return _Struct(name, thing.path, members) if is_whole else None


def _block(program: Program, name: str, kind: Pointer, thing: LazyObject | None, length: Value | None) -> _Block | None:
    """How what a pointer leads to is made, where ``length`` is the number beside it, or depends on that."""
    if thing is None or thing.cells is None or thing.cells.tail is not None or thing.variable is not None:
        return None
    is_constant = program.c_types.leads_to_const(kind)
    if thing.is_text:
        return _Block(name, thing, None, 0, 0, is_constant)
    if length is not None:
        room = _room(thing, length)
        is_plain = room is not None and not thing.cells.holds_pointers
        return _Block(name, thing, room, 0, 0, is_constant) if is_plain else None
    if not isinstance(thing.length, int):
        return None
    count = thing.length
    if not thing.is_stated and len(thing.cells.cells) == 1 and not thing.cells.holds_pointers:
        count = _ELEMENTS
    filled = 0 if thing.cells.holds_pointers else min(thing.cells.size, _LARGEST)
    return _Block(name, thing, None, count, filled, is_constant)


def _room(thing: LazyObject, room: Value) -> _Room | None:
    """The number that says the length of an object, if the length is that, or the elements that fit."""
    assert thing.cells is not None
    if not isinstance(room, Term) or not isinstance(thing.length, Term) or thing.length.symbols != room.symbols:
        return None
    if len(room.symbols) != 1:
        return None
    [number] = room.symbols
    lengths = [evaluate(thing.length, Model({number: count})) for count in _COUNTS]
    if lengths == [*_COUNTS]:
        return _Room(number.name, number.width // 8, False)
    if lengths == [count // thing.cells.size for count in _COUNTS]:
        return _Room(number.name, number.width // 8, True)
    return None


def _read(number: _Number, name: str) -> str:
    """The statements that read a number into the variable ``name``."""
    if number.is_boolean:
        return f"unsigned char {name} = 0; unfork_read(&{name}, {number.size}); {name} &= 1;"
    return f"{number.word} {name} = 0; unfork_read(&{name}, {number.size});"


def _made(block: _Block, name: str, *, is_last: bool) -> str:
    """The statement that makes a block, as the variable ``name``."""
    size = block.element
    if block.thing.is_text:
        return f"void *{name} = unfork_text({f'unfork_rest({block.most})' if is_last else f'n{name}'});"
    if block.room is not None:
        count = f"unfork_size n{name} = unfork_rest({block.most * size}) / {size}; " if is_last else ""
        return f"{count}void *{name} = unfork_bytes(n{name} * {size});"
    zeros = f"unsigned char *{name} = unfork_block({block.count * size}); "
    zeros += f"for (unfork_size i = 0; i < {block.count * size}; i++) {name}[i] = 0;"
    return f"{zeros} unfork_read({name}, {block.first});"


def _contents_of(block: _Block, reader: _Reader, length: int | None) -> dict[str, bytes]:
    """The inputs of an object: its bytes, and its length."""
    thing, inputs = block.thing, dict[str, bytes]()
    if thing.is_text:
        data = reader.some(block.most if length is None else length).partition(b"\0")[0]
        inputs[length_name(thing)] = len(data).to_bytes(8, "little")
    elif block.room is not None:
        count = min(reader.left, block.most * block.element) // block.element if length is None else length
        data = reader.take(count * block.element)
        said = count * (block.element if block.room.is_of_bytes else 1)
        inputs[block.room.name] = said.to_bytes(block.room.size, "little")
    else:
        data = reader.take(block.first)
        if not thing.is_stated:
            inputs[length_name(thing)] = block.count.to_bytes(8, "little")
    return inputs | dict(_cells(thing, data))


def _cells(thing: LazyObject, data: bytes) -> Iterator[tuple[str, bytes]]:
    """The cells of numbers in the first bytes of an object, by their C expressions."""
    assert thing.cells is not None
    for index, cell in thing.cells.within(0, len(data)) if data else ():
        start = index * thing.cells.size + cell.offset
        if isinstance(cell.type, Scalar):
            value = data[start : start + cell.size].ljust(cell.size, b"\0")
            yield cell_path(thing, index, cell), bytes([value[0] & 1]) if cell.type.encoding == "boolean" else value
