"""Unread bytes: unwritten ones become fresh inputs when first read; copies of one byte agree.

A variable that the program declares and the C library defines, such as stdout, has known bytes.
"""

from __future__ import annotations

from unfork.engine.memory.lazy_objects import Reader, character_at, touch
from unfork.engine.memory.library_objects import extern_contents
from unfork.engine.state.flat_layout import number_of
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import CopiedText, MemoryObject, Origin, OverwrittenByte, TextCharacter
from unfork.engine.state.merge_rules import CountPart, FirstNamePart
from unfork.engine.state.remembered import FactFamily
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import NARROW_POINTER, POINTER

WIDEST = 8
"""A longer run is cut into symbols of this many bytes."""
SHARED_COPIES = 1 << 16
"""A longer unwritten range does not share symbols with its copies."""
LABELS: FactFamily[int] = FactFamily("objects called", CountPart(), 0)
"""How many objects of a name have labels, by name."""
COPIED: FactFamily[Value | None] = FactFamily("uninitialised", FirstNamePart(), None)
"""The symbols (8 bits) of unwritten bytes that were read after they were copied, by object and offset."""


def initialise(step: Reader, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after fresh symbols have replaced the unwritten bytes of a range."""
    memory = step.state.memory
    item = memory.objects[number]
    if item.mask is None:
        return item
    runs = item.uninitialised_runs(offset, count)
    if not runs:
        return item
    if item.kind == LAZY:
        for start, origin in [*(item.origins or {}).items()]:
            if offset <= start < offset + count:
                value = _unread(step, origin)
                memory.writable(number).write(start, 1, value)
        touch(step, number, offset, count)
        return memory.objects[number]
    item = memory.writable(number)
    known = extern_contents(item.name) if item.kind == "global" else None
    if known is not None and memory.is_narrow and len(known) == POINTER.size:
        known = number_of(int.from_bytes(known, "little"), memory).to_bytes(NARROW_POINTER.size, "little")
    for start, length in runs:
        if known is not None and start + length <= len(known):
            item.write_bytes(start, known[start : start + length])
        else:
            _fill(step, item, start, length)
    if item.read_only:
        item.owner = None
    return item


def _fill(step: Reader, item: MemoryObject, start: int, length: int) -> None:
    origins = item.origins or {}
    end = start + length
    while start < end:
        origin = origins.get(start)
        if origin is not None:
            item.write(start, 1, _unread(step, origin))
            start += 1
            continue
        stop = start + 1
        while stop < end and stop not in origins:
            stop += 1
        size = stop - start
        if size > WIDEST and size != 16:
            size = WIDEST
        item.write(start, size, step.fresh(f"{_label(step, item)}[{start}]", 8 * size, "uninit"))
        start += size


def _label(step: Reader, item: MemoryObject) -> str:
    """A name for the object that is unique on the path, and the same in a replay."""
    label = item.label
    if label is None:
        remembered = step.state.remembered
        name = item.name if item.site is None else f"{item.name}:{item.site.line}"
        count = remembered[LABELS.of(name)] + 1
        remembered[LABELS.of(name)] = count
        label = item.label = name if count == 1 else f"{name}#{count}"
    return label


def _copied_byte(step: Reader, origin: tuple[str, int]) -> Value:
    """The value of an unwritten byte that was copied: one symbol for all copies."""
    remembered = step.state.remembered
    name = f"{origin[0]}[{origin[1]}]"
    value = remembered[COPIED.of(name)]
    if value is None:
        value = remembered[COPIED.of(name)] = step.fresh(name, 8, "uninit")
    return value


def _unread(step: Reader, origin: Value | Origin) -> Value:
    """The value of a byte by its origin. What the path excludes is not made."""
    path, layers = step.state.path, list[tuple[Value, Value]]()
    while isinstance(origin, CopiedText | OverwrittenByte):
        value: Value | TextCharacter
        if isinstance(origin, CopiedText):
            condition, otherwise = build.ult(origin.index, origin.count, 64), origin.otherwise
            value = TextCharacter(origin.text, origin.offset)
        else:
            condition, value, otherwise = origin.is_meant, origin.value, origin.before
        if condition == 0 or (isinstance(step, Step) and step.chain.must(path, build.negate(condition))):
            origin = otherwise
            continue
        is_certain = condition == 1 or (isinstance(step, Step) and step.chain.must(path, condition))
        then = character_at(step, value.text, value.offset) if isinstance(value, TextCharacter) else value
        path = step.state.path
        if is_certain:
            origin = then
        else:
            layers.append((condition, then))
            origin = otherwise
    result = _copied_byte(step, origin) if isinstance(origin, tuple) else origin
    for condition, then in reversed(layers):
        result = build.ite(condition, then, result, 8)
    return result


def mark_copied(step: Reader, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after its unwritten bytes in a range have names, so that the copies to be made agree."""
    memory = step.state.memory
    item = memory.objects[number]
    if item.kind == LAZY:
        return initialise(step, number, offset, count)
    if item.mask is None or count > SHARED_COPIES:
        return item
    runs = item.uninitialised_runs(offset, count)
    if not runs:
        return item
    item = memory.writable(number)
    origins = {} if item.origins is None else item.origins
    fresh = [i for start, length in runs for i in range(start, start + length) if i not in origins]
    if fresh:
        name = _label(step, item)
        origins.update((i, (name, i)) for i in fresh)
        item.origins = origins
    return item
