"""Models of the str* functions: reads give single values; copies decide lengths per path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unfork.engine.memory import heap
from unfork.engine.memory.loads import load_pointer, pointer_size, store, store_pointer
from unfork.engine.memory.measured_texts import MeasuredText, measured_at
from unfork.engine.memory.ranges import WIDE_VALUE, copy, copy_measured, fill, pin_offset, require_apart, writable
from unfork.engine.memory.resolve import candidates
from unfork.engine.memory.spans import Look, ScanStep, Span, scan
from unfork.engine.memory.strings import (
    Characters,
    compare_strings,
    known_length,
    measured_length,
    read_c_string,
    string_length,
    text_length,
)
from unfork.engine.memory.text_searches import (
    assume_occurrence,
    first_among,
    first_not_among,
    first_occurrence,
    last_of,
)
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.merge_rules import WordPart
from unfork.engine.state.remembered import Fact
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.library.model import FunctionModel

STRTOK: Fact[Value] = Fact("strtok", WordPart(), 0)
LIMITS = 512


def _limit(step: Step, value: Value) -> int:
    return step.concretize(value, 64, LIMITS, "a length limit")


def _strnlen(step: Step, text: Value, bound: Value) -> Value:
    if step.decide(build.eq(bound, 0, 64)):
        return 0
    length = known_length(step, text, bound)
    return text_length(step, text, _limit(step, bound)) if length is None else length


def write_string(step: Step, target: Value, characters: Sequence[Value]) -> None:
    """Write characters and a NUL."""
    location = writable(step, target, len(characters) + 1)
    assert location is not None
    if isinstance(location.offset, Term) and len(characters) < WIDE_VALUE:
        store(step, target, build.concat_bytes([*characters, 0]), len(characters) + 1)
        return
    start = pin_offset(step, location)
    item = step.state.memory.writable(location.number)
    item.write_values(start, [*characters, 0])


def _strcpy(step: Step, target: Value, source: Value, *_: Value) -> Value:
    _copy_text(step, target, source, build.add(_copied(step, target, source), 1, 64), "strcpy")
    return target


def _stpcpy(step: Step, target: Value, source: Value, *_: Value) -> Value:
    length = _copied(step, target, source)
    _copy_text(step, target, source, build.add(length, 1, 64), "stpcpy")
    return build.add(target, length, 64)


def _copy_text(step: Step, target: Value, source: Value, length: Value, function: str) -> None:
    """Copy ``length`` characters; a text copied onto itself overlaps, too."""
    require_apart(step, target, length, source, length, function)
    copy(step, target, source, length)


def _strncpy(step: Step, target: Value, source: Value, bound: Value, *_: Value) -> Value:
    _copy_padded(step, target, source, bound)
    return target


def _stpncpy(step: Step, target: Value, source: Value, bound: Value) -> Value:
    return build.add(target, _copy_padded(step, target, source, bound), 64)


def _copy_padded(step: Step, target: Value, source: Value, bound: Value) -> Value:
    length = None if step.decide(build.eq(bound, 0, 64)) else measured_length(step, source, bound)
    limit = _limit(step, bound) if length is None else bound
    if length is None:
        length = string_length(step, source, _limit(step, bound))
    read = build.add(length, 1, 64)
    read = build.ite(build.ult(read, limit, 64), read, limit, 64)
    require_apart(step, target, limit, source, read, "strncpy")
    writable(step, target, limit)
    copy(step, target, source, length)
    fill(step, build.add(target, length, 64), 0, build.sub(limit, length, 64))
    return length


def _length(step: Step, text: Value) -> Value:
    """The length of a text: one value for a measured one, else a number."""
    length = known_length(step, text)
    return string_length(step, text) if length is None else length


def _strcat(step: Step, target: Value, source: Value, *_: Value) -> Value:
    end = build.add(target, _length(step, target), 64)
    _copy_text(step, end, source, build.add(_copied(step, end, source), 1, 64), "strcat")
    return target


def _copied(step: Step, target: Value, source: Value) -> Value:
    """The length of a text to copy; the available room for one that does not fit, whose copy fails."""
    known = measured_length(step, source)
    if known is not None:
        return known
    targets = candidates(step, target)
    item = None if targets is None or len(targets) != 1 else step.state.memory.objects.get(targets[0].number)
    if targets is None or item is None or item.limit < 0 or item.kind == LAZY or not isinstance(targets[0].offset, int):
        return string_length(step, source)
    room = max(item.limit - targets[0].offset, 0)
    length = string_length(step, source, room)
    if length == room:
        Characters(step, source).at(room)  # read it before writing the byte without room
    return length


def _strncat(step: Step, target: Value, source: Value, bound: Value, *_: Value) -> Value:
    end = build.add(target, _length(step, target), 64)
    known = None if step.decide(build.eq(bound, 0, 64)) else measured_length(step, source, bound)
    if known is not None:
        _require_apart_from_copy(step, end, source, known, bound)
        _copy_measured(step, end, source, known)
        return target
    limit = _limit(step, bound)
    characters = read_c_string(step, source, limit)
    length = len(characters)
    require_apart(step, end, length + 1, source, min(length + 1, limit), "strncat")
    write_string(step, end, characters)
    return target


def _require_apart_from_copy(step: Step, target: Value, source: Value, length: Value, bound: Value) -> None:
    """Check that ``length`` characters, the first of at most ``bound`` (64 bits), and a NUL overlap none of them."""
    room = build.add(length, 1, 64)
    require_apart(step, target, room, source, build.ite(build.ult(length, bound, 64), room, bound, 64), "strncat")


def _strlcpy(step: Step, target: Value, source: Value, bound: Value) -> Value:
    length = measured_length(step, source)
    if length is not None:
        if not step.decide(build.eq(bound, 0, 64)):
            last = build.sub(bound, 1, 64)
            _copy_measured(step, target, source, build.ite(build.ult(length, bound, 64), length, last, 64))
        return length
    limit = _limit(step, bound)
    characters = read_c_string(step, source)
    if limit:
        write_string(step, target, characters[: limit - 1])
    return len(characters)


def _strlcat(step: Step, target: Value, source: Value, bound: Value) -> Value:
    added = measured_length(step, source)
    before = None if added is None or step.decide(build.eq(bound, 0, 64)) else known_length(step, target, bound)
    if added is not None and before is not None:
        if step.decide(build.ult(before, bound, 64)):
            room = build.sub(build.sub(bound, before, 64), 1, 64)
            count = build.ite(build.ult(room, added, 64), room, added, 64)
            _copy_measured(step, build.add(target, before, 64), source, count)
        return build.add(before, added, 64)
    limit = _limit(step, bound)
    length = string_length(step, target, limit)
    characters = read_c_string(step, source)
    if length < limit:
        write_string(step, build.add(target, length, 64), characters[: limit - length - 1])
    return length + len(characters)


def _comparison(prototype: str, *, fold: bool) -> FunctionModel:
    def run(step: Step, left: Value, right: Value, limit: Value | None = None) -> Value:
        return compare_strings(step, left, right, limit, fold=fold)

    return FunctionModel.of(prototype, "i", run)


def _strchr(step: Step, text: Value, character: Value) -> Value:
    """Forks on whether the character is there, not on its place."""
    known = _known_place(step, text, character)
    if known is not None:
        return known.place if known.is_found else 0
    span = _measured_search(step, text, character) or scan(step, text, _looks_for(character), None)
    if span is not None:
        return span.end if step.decide(span.is_found) else 0
    index = _find(step, text, character)
    return 0 if index is None else build.add(text, index, 64)


@dataclass(frozen=True, slots=True)
class _KnownPlace:
    """The address of a character in a known text, or that of its end."""

    place: int
    is_found: bool


def _known_place(step: Step, text: Value, character: Value) -> _KnownPlace | None:
    """The place of a known character in a text whose bytes are all known; None for others."""
    if not isinstance(text, int) or not isinstance(character, int) or step.has_threads:
        return None  # other threads may write beyond the character
    characters = Characters(step, text)
    end = characters.concrete_end()
    if end is None:
        return None
    wanted = character & 0xFF
    index = characters.concrete(end).find(wanted) if wanted else end
    return _KnownPlace(text + (index if index >= 0 else end), index >= 0)


def _measured_search(step: Step, text: Value, character: Value) -> Span | None:
    """The way to a character in a measured text, or to its end; None in another text."""
    known = measured_at(step, text)
    wanted = build.trunc(character, 32, 8)
    if known is None:
        return None
    if step.decide(build.eq(wanted, 0, 8)):
        return Span(known.length, build.add(text, known.length, 64), 1)
    return _span_in(text, known, first_among(step, known, (wanted,)))


def _span_in(text: Value, known: MeasuredText, length: Value) -> Span:
    """The part of a measured text before a place; its end is the wanted one unless it is the text's."""
    return Span(length, build.add(text, length, 64), build.ult(length, known.length, 64))


def _looks_for(character: Value) -> Look:
    wanted = build.trunc(character, 32, 8)

    def look(character: Value) -> ScanStep:
        is_wanted = build.eq(character, wanted, 8)
        return ScanStep(build.either(is_wanted, build.eq(character, 0, 8)), is_wanted)

    return look


def _find(step: Step, text: Value, character: Value) -> int | None:
    wanted = build.trunc(character, 32, 8)
    characters = Characters(step, text)
    index = 0
    while True:
        byte = characters.at(index)
        if step.decide(build.eq(byte, wanted, 8)):
            return index
        if step.decide(build.eq(byte, 0, 8)):
            return None
        index += 1


def _strchrnul(step: Step, text: Value, character: Value) -> Value:
    known = _known_place(step, text, character)
    if known is not None:
        return known.place
    span = _measured_search(step, text, character) or scan(step, text, _looks_for(character), None)
    if span is not None:
        return span.end
    index = _find(step, text, character)
    return build.add(text, string_length(step, text) if index is None else index, 64)


def _strrchr(step: Step, text: Value, character: Value) -> Value:
    wanted = build.trunc(character, 32, 8)
    known = measured_at(step, text)
    if known is not None:
        if step.decide(build.eq(wanted, 0, 8)):
            return build.add(text, known.length, 64)
        place = _span_in(text, known, last_of(step, known, wanted))
        return place.end if step.decide(place.is_found) else 0
    characters = [*read_c_string(step, text), 0]
    for index in reversed(range(len(characters))):
        if step.decide(build.eq(characters[index], wanted, 8)):
            return build.add(text, index, 64)
    return 0


def _strstr(step: Step, text: Value, searched: Value) -> Value:
    needle = read_c_string(step, searched)
    wanted = tuple([each for each in needle if isinstance(each, int)])
    known = measured_at(step, text) if needle and len(wanted) == len(needle) else None
    if known is not None:
        place = _span_in(text, known, first_occurrence(step, known, wanted))
        if not step.decide(place.is_found):
            return 0
        assume_occurrence(step, known, place.length, wanted)
        return place.end
    hay = read_c_string(step, text)
    for index in range(len(hay) - len(needle) + 1):
        pairs = zip(hay[index:], needle, strict=False)
        if step.decide(build.conjunction([build.eq(a, b, 8) for a, b in pairs])):
            return build.add(text, index, 64)
    return 0


def _strdup(step: Step, text: Value) -> Value:
    return _duplicate(step, text, None, "strdup")


def _strndup(step: Step, text: Value, bound: Value) -> Value:
    return _duplicate(step, text, bound, "strndup")


def _duplicate(step: Step, source: Value, bound: Value | None, maker: str) -> Value:
    is_empty = bound is not None and step.decide(build.eq(bound, 0, 64))
    length = None if is_empty else measured_length(step, source, bound)
    if length is not None:
        block = heap.allocate(step, build.add(length, 1, 64), maker)
        _copy_measured(step, block, source, length)
        return block
    characters = read_c_string(step, source, None if bound is None else _limit(step, bound))
    block = heap.allocate(step, len(characters) + 1, maker)
    write_string(step, block, characters)
    return block


def _copy_measured(step: Step, target: Value, source: Value, length: Value) -> None:
    """Copy ``length`` characters (64 bits), at most all, of a measured text, and end the copy."""
    text = measured_at(step, source)
    assert text is not None
    if length is not text.length and not step.chain.must(step.state.path, build.eq(length, text.length, 64)):
        text = replace(text, length=length, is_cut=True)
    copy_measured(step, target, source, text)


def _span(step: Step, text: Value, accepted: Value, *, inside: bool) -> Span:
    """The prefix of characters that are ``accepted`` (or are not); it is found if it ends before the NUL."""
    members = read_c_string(step, accepted)
    known = measured_at(step, text)
    if known is not None:
        search = first_not_among if inside else first_among
        return _span_in(text, known, search(step, known, tuple(members)))

    def look(character: Value) -> ScanStep:
        is_end = build.eq(character, 0, 8)
        is_member = build.disjunction([build.eq(character, member, 8) for member in members])
        return ScanStep(build.either(is_end, build.negate(is_member) if inside else is_member), build.negate(is_end))

    span = scan(step, text, look, None)
    if span is not None:
        return span
    characters = Characters(step, text)
    index = 0
    while True:
        byte = characters.at(index)
        sight = look(byte)
        if step.decide(sight.ends):
            return Span(index, build.add(text, index, 64), int(step.decide(sight.is_wanted)))
        index += 1


def _strspn(step: Step, text: Value, accepted: Value) -> Value:
    return _span(step, text, accepted, inside=True).length


def _strcspn(step: Step, text: Value, rejected: Value) -> Value:
    return _span(step, text, rejected, inside=False).length


def _strpbrk(step: Step, text: Value, accepted: Value) -> Value:
    span = _span(step, text, accepted, inside=False)
    return span.end if step.decide(span.is_found) else 0


def _strsep(step: Step, rest: Value, separators: Value) -> Value:
    start = load_pointer(step, rest)
    if step.decide(build.eq(start, 0, 64)):
        return 0
    writable(step, rest, pointer_size(step))
    span = _span(step, start, separators, inside=False)
    if not step.decide(span.is_found):
        store_pointer(step, rest, 0)
    else:
        store(step, span.end, 0, 1)
        store_pointer(step, rest, build.add(span.end, 1, 64))
    return start


def _token(step: Step, text: Value, separators: Value) -> tuple[Value, Value]:
    """The next token (0: none) and the place to go on; the separator after the token becomes NUL."""
    before = _span(step, text, separators, inside=True)
    if not step.decide(before.is_found):
        return 0, 0
    token = _span(step, before.end, separators, inside=False)
    if not step.decide(token.is_found):
        return before.end, 0
    store(step, token.end, 0, 1)
    return before.end, build.add(token.end, 1, 64)


def _strtok(step: Step, text: Value, separators: Value) -> Value:
    remembered = step.state.remembered
    if step.decide(build.eq(text, 0, 64)):
        text = remembered[STRTOK]
        if step.decide(build.eq(text, 0, 64)):
            return 0
    token, rest = _token(step, text, separators)
    remembered[STRTOK] = rest
    return token


def _strtok_r(step: Step, text: Value, separators: Value, saved: Value) -> Value:
    if step.decide(build.eq(text, 0, 64)):
        text = load_pointer(step, saved)
        if step.decide(build.eq(text, 0, 64)):
            return 0
    writable(step, saved, pointer_size(step))
    token, rest = _token(step, text, separators)
    store_pointer(step, saved, rest)
    return token


MODELS = {
    "strlen": FunctionModel.of("p", "l", text_length),
    "strnlen": FunctionModel.of("pn", "l", _strnlen),
    "strcpy": FunctionModel.of("pp", "p", _strcpy),
    "stpcpy": FunctionModel.of("pp", "p", _stpcpy),
    "strncpy": FunctionModel.of("ppn", "p", _strncpy),
    "stpncpy": FunctionModel.of("ppn", "p", _stpncpy),
    "strcat": FunctionModel.of("pp", "p", _strcat),
    "strncat": FunctionModel.of("ppn", "p", _strncat),
    "strlcpy": FunctionModel.of("ppn", "l", _strlcpy),
    "strlcat": FunctionModel.of("ppn", "l", _strlcat),
    "strcmp": _comparison("pp", fold=False),
    "strcoll": _comparison("pp", fold=False),
    "strncmp": _comparison("ppn", fold=False),
    "strcasecmp": _comparison("pp", fold=True),
    "strncasecmp": _comparison("ppn", fold=True),
    "strchr": FunctionModel.of("pi", "p", _strchr),
    "index": FunctionModel.of("pi", "p", _strchr),
    "strchrnul": FunctionModel.of("pi", "p", _strchrnul),
    "strrchr": FunctionModel.of("pi", "p", _strrchr),
    "rindex": FunctionModel.of("pi", "p", _strrchr),
    "strstr": FunctionModel.of("pp", "p", _strstr),
    "strdup": FunctionModel.of("p", "p", _strdup),
    "__strdup": FunctionModel.of("p", "p", _strdup),
    "strndup": FunctionModel.of("pn", "p", _strndup),
    "strspn": FunctionModel.of("pp", "l", _strspn),
    "strcspn": FunctionModel.of("pp", "l", _strcspn),
    "strpbrk": FunctionModel.of("pp", "p", _strpbrk),
    "strsep": FunctionModel.of("pp", "p", _strsep),
    "strtok": FunctionModel.of("pp", "p", _strtok),
    "strtok_r": FunctionModel.of("ppp", "p", _strtok_r),
    "__strtok_r": FunctionModel.of("ppp", "p", _strtok_r),
    "__strcpy_chk": FunctionModel.of("ppl", "p", _strcpy),
    "__stpcpy_chk": FunctionModel.of("ppl", "p", _stpcpy),
    "__strncpy_chk": FunctionModel.of("ppnl", "p", _strncpy),
    "__strcat_chk": FunctionModel.of("ppl", "p", _strcat),
    "__strncat_chk": FunctionModel.of("ppnl", "p", _strncat),
}
