"""The input of a failing path: where its pointers lead, its numbers, and which of them a fault is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from unfork.commands.scan.requirements import CallerNumber
from unfork.commands.scan.siblings import Place, Sibling, differences, path_at, pointers_of
from unfork.engine.memory.lazy_values import is_value
from unfork.engine.protocols.fault import AccessFault
from unfork.engine.protocols.outcome import Fault
from unfork.engine.state.lazy import LazyHeap, LazyObject
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.term import Term, Value
from unfork.program.c.callbacks import ANYTHING, CALL_OF, GIVEN_BY, STREAMS
from unfork.program.facts.stored_functions import OF_CALLER, stored_at
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer, RecordType, Routine, Scalar
from unfork.program.llvm.cpp_types import CppTypes
from unfork.program.llvm.demangle import function_name
from unfork.program.llvm.module import LIBRARY_FOLDER, Program

_IN_WORDS = {
    "environment": "the variable {} of the environment",
    "file": "what {} holds",
}
"""The kinds of inputs (engine/state/inputs.py) that are no caller's."""

_IN_REGISTERS = 16
"""The most bytes of a struct whose members are passed as arguments are."""


def differing_pointers(heap: LazyHeap, special: Set[Place], other: State) -> list[tuple[str, int]]:
    """Of the pointers at some places, those that lead elsewhere in another input, by their C expressions, with their
    targets in this one.
    """
    return [(path_at(heap, at), address) for at, address in differences(heap, other.lazy) if at in special]


def goal_of(lazy: LazyHeap, address: int) -> str:
    """Where an address leads, in words."""
    if address in lazy.functions:
        return lazy.functions[address]
    item = lazy.find(object_of(address))
    if item is None:
        return "an object"
    offset = offset_in(address)
    return f"*{item.path}" if not offset else f"the byte {offset} of *{item.path}"


class FunctionPointer(NamedTuple):
    """A pointer to a function in the input: its C expression, address, type, and, but for an argument, its place."""

    path: str
    address: int
    type: CType
    place: Place | None = None
    variable: tuple[LazyObject, int] | None = None
    """The variable that holds it, and where in that."""


def function_pointers(lazy: LazyHeap, types: CTypes) -> Iterator[FunctionPointer]:
    """The pointers to functions that a path read in its input."""
    for argument in lazy.arguments:
        if isinstance(argument.value, int) and _leads_to_function(argument.type, types):
            yield FunctionPointer(argument.name, argument.value, argument.type)
    for (number, offset), address in lazy.pointers.items():
        if _holds_function(lazy, number, offset, types):
            places = (each for each in lazy.around(number, offset) if each[0].variable is not None)
            path, kind = path_at(lazy, (number, offset)), lazy.cell_at(number, offset).type
            yield FunctionPointer(path, address, kind, (number, offset), next(places, None))


def is_chosen(pointer: FunctionPointer, lazy: LazyHeap) -> bool:
    """Whether the caller chooses a function of the project's: by an argument, a member, or a pointer to a variable that
    has one. Where a variable leads, the project has chosen.
    """
    if pointer.variable is None:
        return True
    return any(object_of(address) == pointer.variable[0].number for _, address in pointers_of(lazy))


def may_be_of_caller(pointer: FunctionPointer, program: Program) -> bool:
    """Whether a pointer may lead to a function of the caller's: in a variable, if some function sets it to what it is
    passed.
    """
    if pointer.variable is None:
        return True
    holder, offset = pointer.variable
    return holder.variable is not None and OF_CALLER in stored_at(program, holder.variable.symbol, offset)


def stream_pointers(lazy: LazyHeap) -> Iterator[str]:
    """The pointers of a path's input that lead to a standard stream, which stands for a caller's: C expressions."""
    streams = {address for address, name in lazy.functions.items() if name in STREAMS}
    yield from (argument.name for argument in lazy.arguments if argument.value in streams)
    yield from (path_at(lazy, place) for place, address in lazy.pointers.items() if address in streams)


def raw_class(lazy: LazyHeap, types: CTypes) -> str | None:
    """A class of the C++ library whose members the path read one by one; None if there is none."""
    for item, offset in (each for place in (*lazy.pointers, *lazy.numbers) for each in lazy.around(*place)):
        around = _around(item, offset)
        if any(map(is_value, around)):
            continue
        for kind in around:
            if LIBRARY_FOLDER in CppTypes(types).file_of_class(kind):
                name = kind.name.partition(" ")[2].partition("<")[0]
                return f"{item.path}, which is or has a std::{name},"
    return None


def _around(item: LazyObject, offset: int) -> list[RecordType]:
    """The structs and classes that contain the byte at an offset of an object."""
    if item.cells is None:
        return []
    within = offset % item.cells.size
    return [kind for at, kind in item.cells.parts if isinstance(kind, RecordType) and at <= within < at + kind.size]


def needed_class(heap: LazyHeap, failing: Iterable[Sibling], surviving: Iterable[Sibling]) -> tuple[str, str] | None:
    """An object and its class, if each surviving input has another class there; else None."""
    for (number, offset), address in heap.pointers.items():
        table, _, is_table = heap.functions.get(address, "").partition("+")
        known = {each.state.lazy.pointers.get((number, offset), address) for each in failing}
        others = {each.state.lazy.pointers.get((number, offset), address) for each in surviving}
        if is_table and others - known:
            name = function_name(table, table).removeprefix("vtable for ")
            return path_at(heap, (number, offset)).rpartition("->")[0], name
    return None


def have_equals(heap: LazyHeap, types: CTypes) -> bool:
    """Whether two data pointers in memory have the same target, or are both null."""
    addresses = [
        address
        for place, address in heap.pointers.items()
        if address not in heap.functions and not _holds_function(heap, *place, types)
    ]
    return len({object_of(each) for each in addresses}) < len(addresses)


def _holds_function(heap: LazyHeap, number: int, offset: int, types: CTypes) -> bool:
    """Whether the pointer at an offset of an object of the input leads to a function."""
    item = heap.find(number)
    is_known = item is not None and item.cells is not None
    return is_known and _leads_to_function(heap.cell_at(number, offset).type, types)


def _leads_to_function(kind: CType, types: CTypes) -> bool:
    return isinstance(kind, Pointer) and isinstance(types.target(kind), Routine)


def bounding_members(heap: LazyHeap) -> set[Term]:
    """How far members that bound a range (engine/memory/lazy_ranges.py) are from its beginning."""
    ends = [value for (number, offset), value in heap.numbers.items() if _is_pointer_at(heap, number, offset)]
    return symbols_of(ends)


def _is_pointer_at(heap: LazyHeap, number: int, offset: int) -> bool:
    item = heap.find(number)
    return item is not None and item.cells is not None and isinstance(heap.cell_at(number, offset).type, Pointer)


def is_local(fault: Fault) -> bool:
    """Whether a fault is about a local variable."""
    return fault.thing is not None and fault.thing.is_local


def input_of(state: State, fault: Fault) -> LazyObject | None:
    """The object of the input that a fault is about."""
    thing = fault.thing
    return None if thing is None else next((item for item in state.lazy.objects if item.path == thing.name), None)


def may_begin_before(within: LazyObject, heap: LazyHeap, required: Value) -> bool:
    """Whether a pointer may lead into an array: only its caller knows what lies in front."""
    is_argument = any(argument.name == within.path for argument in heap.arguments)
    is_position = isinstance(within.type, Scalar) and not within.is_text and (is_argument or within.type.size == 1)
    return not within.is_stated and (is_position or not isinstance(required, Term))


def offsets_beside(within: LazyObject, required: Value) -> Iterator[Term]:
    """Terms that ``required`` compares with an object's stated size and that do not depend on it."""
    sizes = symbols_of([within.length]) if within.is_stated else set()
    for condition in conjuncts(required) if isinstance(required, Term) and sizes else ():
        inner = condition.args[0] if condition.op == "not" else condition
        if inner.op in ("ult", "slt"):
            sides = [side for side in inner.args if side.symbols and sizes.isdisjoint(side.symbols)]
            yield from sides if len(sides) == 1 else ()


def needed_characters(fault: Fault) -> int | None:
    """The characters of a text that a read takes for granted; None for any other fault."""
    match fault.access:
        case AccessFault("read", int(size), offset=int(offset)) if offset >= 0:
            return size + offset - 1
    return None


def leaves_room(state: State, fault: Fault) -> bool:
    """Whether a write exceeds the room that the caller promised; a counting member is no promise."""
    named = input_of(state, fault)
    is_stated = named is not None and named.is_stated and not counts_of(named, numbers_of(state))
    return fault.access is not None and fault.access.is_write and is_stated


def largest(symbol: Term, number: CallerNumber | None) -> int:
    """The largest value of a number or character."""
    return (1 << symbol.width - (number is not None and number.is_signed)) - 1


def called_undefined(state: State) -> Iterator[str]:
    """The functions that a path has called and no file of the project defines."""
    return (each.base.removeprefix(CALL_OF) for each in state.inputs if each.base.startswith(CALL_OF))


def given_by_undefined(state: State) -> Iterator[tuple[str, set[Term]]]:
    """Of those that are another library's, the names, each with the symbols of what it gives."""
    for each in state.inputs:
        if each.base.startswith(GIVEN_BY):
            yield each.base.removeprefix(GIVEN_BY), symbols_of(value for value, _ in each.leaves)


def parts_of_world(state: State, symbols: Set[Term]) -> list[str]:
    """The parts of the world that hold some symbols of a path, in words: variables of the environment, and files."""
    known = (each for each in state.inputs if symbols & symbols_of(value for value, _ in each.leaves))
    return list(
        dict.fromkeys(_IN_WORDS[each.kind].format(_part_name(each.name)) for each in known if each.kind in _IN_WORDS)
    )


def _part_name(name: str) -> str:
    if name.partition("-")[0] == "stdin":
        return "standard input"
    return name.removesuffix("-set").removesuffix("-env").removesuffix("-data")


def counts_of(within: LazyObject, numbers: Mapping[Term, CallerNumber]) -> set[Term]:
    """The members that count the elements of an object."""
    symbols = symbols_of([within.length]) if within.is_stated else set()
    return {each for each in symbols if each in numbers and not numbers[each].is_argument}


def numbers_of(state: State, *, is_called: bool = False) -> dict[Term, CallerNumber]:
    """The numbers that the caller or its callbacks choose, by the symbols of a path.

    Contents of text and byte buffers are none, except in a buffer without a size if the project calls the function:
    then it is a table of the project.
    """
    lazy = state.lazy
    heap = {argument.name for argument in lazy.arguments}
    passed = {
        object_of(each.value)
        for each in lazy.arguments
        if isinstance(each.value, int) and isinstance(each.type, RecordType) and each.type.size <= _IN_REGISTERS
    }
    found: dict[Term, CallerNumber] = {}
    for argument in lazy.arguments:
        if isinstance(argument.type, Scalar) and isinstance(argument.value, Term):
            number = CallerNumber(argument.name, argument.type.encoding, is_argument=True)
            found |= dict.fromkeys(argument.value.symbols, number)
        elif isinstance(argument.value, Term):  # where a range ends, or a pointer into it
            for each in argument.value.symbols:
                found[each] = CallerNumber(each.name, "unsigned", is_argument=True)
    for given in state.inputs:
        if given.base == ANYTHING:
            found |= {
                each: CallerNumber("what a callback gives", "") for each in symbols_of(v for v, _ in given.leaves)
            }
    for (number_of_object, offset), value in lazy.numbers.items():
        item = lazy.find(number_of_object)
        if not isinstance(value, Term) or item is None or item.cells is None:
            continue
        is_table = is_called and item.path in heap and not (item.is_text or item.is_stated)
        if item.cells.size == 1 and item.variable is None and not is_table:
            continue
        if value.width == 8 and any(map(is_value, _around(item, offset))):
            continue  # a character of a string
        cell = lazy.cell_at(number_of_object, offset)
        encoding = cell.type.encoding if isinstance(cell.type, Scalar) else ""
        is_size = isinstance(cell.type, Pointer)  # where a vector ends
        for symbol in value.symbols:
            name = symbol.name if is_size else path_at(lazy, (number_of_object, offset))
            found[symbol] = CallerNumber(name, "unsigned" if is_size else encoding, number_of_object in passed)
    return found


def is_among(numbers: Collection[Term], condition: Term) -> bool:
    """Whether a condition compares two of these numbers."""
    inner = condition.args[0] if condition.op == "not" else condition
    if inner.op not in ("ult", "slt", "eq") or any(side.symbols.isdisjoint(numbers) for side in inner.args):
        return False
    return inner.op != "eq" or any(without_sums(side) in numbers for side in inner.args)


def without_sums(value: Term) -> Term:
    """The number to which a sum adds constants."""
    while value.op in ("add", "zext", "sext"):
        unknown = [each for each in value.args if each.symbols]
        if len(unknown) != 1:
            break
        value = unknown[0]
    return value


def looks_at(test: Term, number: Term, is_little: Callable[[Term], bool]) -> bool:
    """Whether a test looks at a number otherwise than at parts (op "extract") of it that are little."""
    waiting, seen = [test], set[Term]()
    while waiting:
        term = waiting.pop()
        if term is number:
            return True
        if term in seen or (term.op == "extract" and number in term.args and is_little(term)):
            continue
        seen.add(term)
        waiting += [each for each in term.args if number in each.symbols]
    return False


def symbols_of(values: Iterable[Value]) -> set[Term]:
    """The symbols in values."""
    return {symbol for value in values if isinstance(value, Term) for symbol in value.symbols}
