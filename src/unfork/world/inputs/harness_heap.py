"""C that builds a test's heap, sets its variables, and calls the function."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from unfork.engine.memory.library_objects import ERRNO_NAME
from unfork.program.c.callbacks import HEAD, PREFIX, text_of_callback
from unfork.program.c.escape import c_comment, c_string, c_text
from unfork.program.c.object_calls import ObjectDriver, used
from unfork.program.llvm.demangle import MANGLED, function_name
from unfork.world.inputs.heap_data import (
    FunctionAddress,
    Heap,
    HeapAddress,
    HeapArgument,
    HeapObject,
    OutsideLocation,
    Reference,
    bytes_of,
)
from unfork.world.inputs.testcase import c_integer, value_of

SUPPORT = """
extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
static struct unfork_array { const void *start; __SIZE_TYPE__ length; void *block; } unfork_arrays[%(count)d];
static unsigned unfork_array_count;
static void *unfork_made(__SIZE_TYPE__ length, __SIZE_TYPE__ size) {
    char *block = (char *)calloc(length ? length : 1, size);
    char *start = length ? block : block + size; /* of no elements, no byte is good */
    unfork_arrays[unfork_array_count].start = start;
    unfork_arrays[unfork_array_count].block = block;
    unfork_arrays[unfork_array_count++].length = length;
    return start;
}
static void unfork_kept(const void *start, __SIZE_TYPE__ length) {
    unfork_arrays[unfork_array_count].start = start;
    unfork_arrays[unfork_array_count++].length = length;
}
"""
LENGTH = """__SIZE_TYPE__ unfork_length(const void *array) {
    unsigned i;
    for (i = 0; i < unfork_array_count; i++)
        if (unfork_arrays[i].start == array) return unfork_arrays[i].length;
    return 0;
}"""
_FORGETTING = """
/* A leak checker takes a block for one in use if a dead part of the stack still has its address. */
__attribute__((noinline, no_sanitize_address)) static void unfork_forget_below(void) {
    volatile char room[1 << 14];
    unsigned i;
    for (i = 0; i < sizeof room; i++) room[i] = 0;
}
__attribute__((noinline)) static void unfork_forget_beside(int first, ...) { (void)first; }
int main(void) {
    int status = unfork_run();
    unfork_forget_below();
    unfork_forget_beside(%s);
    return status;
}
"""
_MAIN = "int main(void)"
_BESIDE = 24
"""Words that are passed on the stack, where the first call does not write: they are in its own frame."""
_WORD = re.compile(r"\W+")
_UNDECLARABLE = "{(["
"""Characters of a type without a short declaration: an unnamed struct, a function pointer, an array."""
_PLAIN = frozenset("unsigned signed char short int long float double _Bool bool void __int128 *".split())
"""Words of types that need no declaration."""
_BYTES = "{}"
"""The type of an object without one in C++."""
_INTEGERS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long", 16: "unsigned __int128"}
"""Integer types by size in bytes, for passing enumerations and characters of C++."""
_WORD_SIZE = 8
_UNNAMED = ("((unsigned char *)", "*(")
"""Prefixes of C expressions for cells that are no members."""


def c_main_of(heap: Heap, known: Collection[str], *, returns_integer: bool) -> str:
    """A main, and its declarations, that makes the objects, calls the function, and ends as a run of it does.

    ``known``: the complete types of the file; objects of other types become bytes.
    """
    names = _variables(heap.objects)
    arguments = [_argument(argument, position, names) for position, argument in enumerate(heap.arguments)]
    call = f"{heap.function}({', '.join(value for value, _ in arguments)})"
    body = [*_objects(heap, names, known), *(line for _, needed in arguments for line in needed)]
    return _main([*body, *([f"return (int){call};"] if returns_integer else [f"{call};", "return 0;"])])


def c_main_of_calls(heap: Heap, known: Collection[str], driver: ObjectDriver) -> str:
    """A main that makes the objects of a heap, and then the calls that a driver makes with it."""
    names = _variables(heap.objects)
    body, values = _objects(heap, names, known), dict[str, str]()
    for position, argument in enumerate(heap.arguments):
        values[argument.name], needed = _argument(argument, position, names)
        body += needed
    return _main([*body, *driver.lines(values, _flags(heap)), "return 0;"])


def without_unused(heap: Heap, driver: ObjectDriver) -> Heap:
    """The heap without arguments of calls that a driver does not make with it, and without what only they lead to."""
    flags = _flags(heap)
    calls = driver.calls(flags)
    needed = used(calls) | {each.flag for each in calls}
    arguments = [each for each in heap.arguments if each.name in needed]
    waiting = [each.target for each in arguments]
    waiting += [cell.target for each in heap.objects if each.symbol for cell in each.cells]
    left = {index for index, each in enumerate(heap.objects) if each.symbol}
    while waiting:
        target = waiting.pop()
        if isinstance(target, HeapAddress) and target.index not in left:
            left.add(target.index)
            waiting += [cell.target for cell in heap.objects[target.index].cells]
    places = {old: new for new, old in enumerate(sorted(left))}

    def moved(target: Reference) -> Reference:
        return HeapAddress(places[target.index], target.offset) if isinstance(target, HeapAddress) else target

    objects = [
        replace(heap.objects[old], cells=tuple([replace(cell, target=moved(cell.target)) for cell in cells]))
        for old in sorted(left)
        for cells in [heap.objects[old].cells]
    ]
    given = tuple([replace(each, target=moved(each.target)) for each in arguments])
    return replace(heap, arguments=given, objects=tuple(objects))


def _flags(heap: Heap) -> dict[str, int]:
    """The values of arguments that are flags."""
    return {each.name: int.from_bytes(each.data, "little") for each in heap.arguments if each.type == "_Bool"}


def cpp_main_of(heap: Heap, result_size: int, *, may_throw: bool, returns_integer: bool) -> str:
    """The same in C++, where some types have no names and private members are out of reach.

    So objects are bytes, functions and variables have linker names, and arguments follow the ABI. The first argument
    points to a result of ``result_size`` bytes. If the function ``may_throw``, the main catches its exceptions.
    """
    heap = _by_symbols(heap)
    names = _variables(heap.objects)
    kinds, values, declared, body = [], [], [], _objects(heap, names, ())
    if result_size:
        kinds, values, body = ["void *"], ["unfork_result"], [*body, f"char unfork_result[{result_size}];"]
    for position, argument in enumerate(heap.arguments):
        if argument.is_copy and isinstance(argument.target, HeapAddress):
            name, copied = f"unfork_argument_{position}", heap.objects[argument.target.index]
            kinds.append(f"struct unfork_passed_{position}")
            values.append(name)
            declared.append(f"{kinds[-1]} {{ {_words(copied)} }};")
            body += [f"{kinds[-1]} {name} = {{}};"]
            body += [f"memcpy((void *)&{name}, {names[argument.target.index]}, {len(copied.data)});"]
            continue
        if not argument.is_pointer and not _PLAIN.issuperset(argument.type.split()):
            argument = replace(argument, type=_INTEGERS[len(argument.data)])
        value, needed = _argument(argument, position, names)
        kinds.append("void *" if argument.is_pointer else argument.type)
        values.append(value)
        body += needed
    result = "int" if returns_integer else "void"
    declared.append(f'extern "C" {result} unfork_called({", ".join(kinds)}) __asm__({c_string(heap.function)});')
    call = f"unfork_called({', '.join(values)}); /* {c_comment(function_name(heap.function, heap.function))} */"
    ends = [f"return {call}"] if returns_integer else [call, "return 0;"]
    if may_throw:
        ends = ["try {", *(f"    {line}" for line in ends), "} catch (...) {", "    return 0;", "}"]
    return "\n".join(declared) + "\n" + _main([*body, *ends])


def _words(copied: HeapObject) -> str:
    """Members that the ABI passes like the class's own: in two registers, or in memory if it is larger."""
    size = len(copied.data)
    if size > 2 * _WORD_SIZE:
        return f"unsigned long words[{-(-size // _WORD_SIZE)}];"
    words = []
    for start in range(0, size, _WORD_SIZE):
        kinds = {cell.type for cell in copied.cells if start <= cell.offset < start + _WORD_SIZE}
        words.append(f"{'double' if kinds and kinds <= {'float', 'double'} else 'unsigned long'} word{start};")
    return " ".join(words)


def support_of(heap: Heap, *, is_cpp: bool, needs_length: bool) -> str:
    """The parts of the main that have C linkage."""
    lines = [SUPPORT % {"count": len(heap.objects) + 1}]
    if any(each.symbol == ERRNO_NAME for each in heap.objects):
        lines.insert(0, "#include <errno.h>")
    shown = _by_symbols(heap) if is_cpp else heap
    for heap_object, name in zip(shown.objects, _variables(shown.objects), strict=True):
        if heap_object.is_foreign:
            lines.append(f"extern unsigned char {name}[] __asm__({c_string(heap_object.symbol)});")
    callbacks = [name for name in _functions(heap) if name.startswith(PREFIX)]
    lines += [HEAD.rstrip(), *map(text_of_callback, callbacks)] if callbacks else []
    mangled = [name for name in _functions(heap) if name.startswith(MANGLED)]
    lines += [f"extern unsigned char {name.partition('+')[0]}[];" for name in mangled]
    return "\n".join([*lines, LENGTH] if needs_length else lines) + "\n"


def _main(body: Sequence[str]) -> str:
    return "\n".join([f"{_MAIN} {{", *(f"    {line}" for line in body), "}"]) + "\n"


def forgetting(code: str) -> str:
    """The C of a main that calls a function, with a stack that has no old pointers at its end."""
    zeros = ", ".join(["0", *["0L"] * _BESIDE])
    return code.replace(_MAIN, "__attribute__((noinline)) static int unfork_run(void)", 1) + _FORGETTING % zeros


def _objects(heap: Heap, names: Sequence[str], known: Collection[str]) -> list[str]:
    lines = [
        f"{_declaration(heap_object, name, known)} /* {c_comment(heap_object.name)} */"
        for heap_object, name in zip(heap.objects, names, strict=True)
    ]
    for heap_object, name in zip(heap.objects, names, strict=True):
        lines += _contents(heap_object, name, names, known)
    return lines


def _functions(heap: Heap) -> list[str]:
    cells = [cell for each in heap.objects for cell in each.cells]
    targets = [*(argument.target for argument in heap.arguments), *(cell.target for cell in cells)]
    return list(dict.fromkeys(target.name for target in targets if isinstance(target, FunctionAddress)))


def _by_symbols(heap: Heap) -> Heap:
    objects = [
        each if each.symbol == ERRNO_NAME else replace(each, type=_BYTES, is_foreign=bool(each.symbol))
        for each in heap.objects
    ]
    return replace(heap, objects=tuple(objects))


def _variables(objects: Sequence[HeapObject]) -> list[str]:
    variables: list[str] = []
    for index, heap_object in enumerate(objects):
        if heap_object.symbol and not heap_object.is_foreign:
            variables.append(f"({heap_object.name})")
            continue
        name = "unfork_" + _WORD.sub("_", heap_object.name).strip("_")
        variables.append(name if name not in variables else f"{name}_{index}")
    return variables


def _is_typed(heap_object: HeapObject, known: Collection[str]) -> bool:
    kind = heap_object.type
    if any(mark in kind for mark in _UNDECLARABLE) or not (heap_object.data or heap_object.cells):
        return False
    base = kind.rstrip(" *")
    is_tagged = kind.endswith("*") and base.startswith(("struct ", "union "))
    return is_tagged or base in known or _PLAIN.issuperset(base.split())


def _declaration(heap_object: HeapObject, name: str, known: Collection[str]) -> str:
    if heap_object.symbol:
        return f"unfork_kept({name}, {heap_object.length});"
    if _is_typed(heap_object, known):
        pointer = f"{heap_object.type}*" if heap_object.type.endswith("*") else f"{heap_object.type} *"
        tail = f" + {heap_object.tail}" if heap_object.tail else ""
        return f"{pointer}{name} = unfork_made({heap_object.length}, sizeof({heap_object.type}){tail});"
    if heap_object.length == 0:
        return f"void *{name} = unfork_made(0, 1);"
    return f"void *{name} = unfork_made({heap_object.length}, {len(heap_object.data) // heap_object.length});"


def _contents(heap_object: HeapObject, name: str, names: Sequence[str], known: Collection[str]) -> list[str]:
    """Assignments for the values that the path has read; the rest is arbitrary, and 0."""
    if heap_object.is_text:
        return [_copy(name, heap_object.data, "")]
    lines = []
    for cell in heap_object.cells:
        if not cell.is_touched:
            continue
        if heap_object.symbol:
            location, is_named = cell.path, not heap_object.is_foreign and not cell.path.startswith(_UNNAMED)
        else:
            location = name + cell.path.removeprefix(heap_object.name)
            is_named = _is_typed(heap_object, known) and cell.path.startswith(heap_object.name)
        is_named = is_named and not cell.is_const
        if cell.is_pointer:
            value = _pointer(cell.target, names)
            if is_named:
                lines.append(f"{location} = {value};")
            else:
                lines.append(f"{{ void *to = {value}; memcpy((char *){name} + {cell.offset}, &to, {cell.size}); }}")
            continue
        data = bytes_of(cell, heap_object.data)
        literal = _literal(value_of(cell.type, data)) if is_named else None
        if literal is not None:
            lines.append(f"{location} = {literal};")
        else:
            remark = f" /* {c_comment(f'{cell.path} = {value_of(cell.type, data)}')} */"
            lines.append(_copy(f"(char *){name} + {cell.offset}", data, remark))
    return lines


def _copy(location: str, data: bytes, remark: str) -> str:
    return f"memcpy({location}, {c_text(data)}, {len(data)});{remark}"


def _literal(value: object) -> str | None:
    return c_integer(value) if isinstance(value, int) else None


def _pointer(target: Reference, names: Sequence[str]) -> str:
    match target:
        case HeapAddress(index, 0):
            return f"(void *){names[index]}"
        case HeapAddress(index, offset):
            return f"(void *)((char *){names[index]} + {offset})"
        case FunctionAddress(name) if "+" in name:  # an entry of a table of functions
            table, _, place = name.partition("+")
            return f"(void *)((char *)&{table} + {place})"
        case FunctionAddress(name):
            return f"(void *){name}"
        case OutsideLocation() | None:
            return "0"


def _argument(argument: HeapArgument, position: int, names: Sequence[str]) -> tuple[str, list[str]]:
    if argument.is_copy:
        assert isinstance(argument.target, HeapAddress)
        return f"*({argument.type} *){names[argument.target.index]}", []
    if argument.is_pointer:
        return _pointer(argument.target, names), []
    literal = _literal(value_of(argument.type, argument.data))
    if literal is not None:
        return f"/* {argument.name} = */ {literal}", []
    name = f"unfork_argument_{position}"
    return name, [f"{argument.type} {name};", _copy(f"&{name}", argument.data, "")]
