"""Models of the str* functions: what only looks gives single values; what copies decides lengths per path."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.execute import heap
from unfork.execute.handlers import plain
from unfork.execute.loads import load, store
from unfork.execute.ranges import copy, fill, pinned, require_apart, writable
from unfork.execute.spans import Look, Sight, Span, scan
from unfork.execute.step import Step
from unfork.execute.strings import Characters, compare_strings, read_c_string, string_length, text_length
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.merge_rules import Word
from unfork.state.remembered import Fact

STRTOK: Fact[Value] = Fact("strtok", Word(), 0)
"""Where strtok() goes on."""
LIMITS = 512
"""How many values a symbolic limit (the n of strncpy) may have."""


def _limit(step: Step, value: Value) -> int:
    return step.concretize(value, 64, LIMITS, "a length limit")


def _strnlen(step: Step, arguments: Arguments, call: Call) -> Value:
    return text_length(step, arguments[0], _limit(step, arguments[1]))


def write_string(step: Step, target: Value, characters: Sequence[Value]) -> None:
    """Write characters and a NUL."""
    location = writable(step, target, len(characters) + 1)
    assert location is not None
    start = pinned(step, location)
    item = step.state.memory.writable(location.number)
    item.write_values(start, [*characters, 0])


def _strcpy(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source = arguments[:2]
    _copy_text(step, target, source, string_length(step, source) + 1, "strcpy")
    return target


def _stpcpy(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source = arguments[:2]
    length = string_length(step, source)
    _copy_text(step, target, source, length + 1, "stpcpy")
    return build.add(target, length, 64)


def _copy_text(step: Step, target: Value, source: Value, length: int, function: str) -> None:
    """Copy ``length`` characters; a text that is copied onto itself counts as an overlap, too."""
    require_apart(step, target, length, source, length, function)
    copy(step, target, source, length)


def _strncpy(step: Step, arguments: Arguments, call: Call) -> Value:
    _copy_padded(step, arguments)
    return arguments[0]


def _stpncpy(step: Step, arguments: Arguments, call: Call) -> Value:
    return build.add(arguments[0], _copy_padded(step, arguments), 64)


def _copy_padded(step: Step, arguments: Arguments) -> int:
    target, source, limit = arguments[0], arguments[1], _limit(step, arguments[2])
    length = string_length(step, source, limit)
    require_apart(step, target, limit, source, min(length + 1, limit), "strncpy")
    location = writable(step, target, limit)
    if location is not None:
        pinned(step, location)
    copy(step, target, source, length)
    fill(step, build.add(target, length, 64), 0, limit - length)
    return length


def _strcat(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source = arguments[:2]
    end = build.add(target, string_length(step, target), 64)
    _copy_text(step, end, source, string_length(step, source) + 1, "strcat")
    return target


def _strncat(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source, limit = arguments[0], arguments[1], _limit(step, arguments[2])
    end = build.add(target, string_length(step, target), 64)
    characters = read_c_string(step, source, limit)
    length = len(characters)
    require_apart(step, end, length + 1, source, min(length + 1, limit), "strncat")
    write_string(step, end, characters)
    return target


def _strlcpy(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source, limit = arguments[0], arguments[1], _limit(step, arguments[2])
    characters = read_c_string(step, source)
    if limit:
        write_string(step, target, characters[: limit - 1])
    return len(characters)


def _strlcat(step: Step, arguments: Arguments, call: Call) -> Value:
    target, source, limit = arguments[0], arguments[1], _limit(step, arguments[2])
    length = string_length(step, target, limit)
    characters = read_c_string(step, source)
    if length < limit:
        write_string(step, build.add(target, length, 64), characters[: limit - length - 1])
    return length + len(characters)


def _comparison(prototype: str, *, fold: bool) -> Model:
    def run(step: Step, arguments: Arguments, call: Call) -> Value:
        left, right, *limit = arguments
        return compare_strings(step, left, right, limit[0] if limit else None, fold=fold)

    return Model(prototype, "i", run)


def _strchr(step: Step, arguments: Arguments, call: Call) -> Value:
    """The path forks over whether the character is there, and not over where."""
    span = scan(step, arguments[0], _looks_for(arguments[1]), None)
    if span is not None:
        return span.end if step.decide(span.is_found) else 0
    index = _find(step, arguments)
    return 0 if index is None else build.add(arguments[0], index, 64)


def _looks_for(character: Value) -> Look:
    """A scan for a character (of 32 bits), to the end of a text."""
    wanted = build.trunc(character, 32, 8)

    def look(character: Value) -> Sight:
        is_wanted = build.eq(character, wanted, 8)
        return Sight(build.either(is_wanted, build.eq(character, 0, 8)), is_wanted)

    return look


def _find(step: Step, arguments: Arguments) -> int | None:
    wanted = build.trunc(arguments[1], 32, 8)
    characters = Characters(step, arguments[0])
    index = 0
    while True:
        byte = characters.at(index)
        if step.decide(build.eq(byte, wanted, 8)):
            return index
        if step.decide(build.eq(byte, 0, 8)):
            return None
        index += 1


def _strchrnul(step: Step, arguments: Arguments, call: Call) -> Value:
    span = scan(step, arguments[0], _looks_for(arguments[1]), None)
    if span is not None:
        return span.end
    index = _find(step, arguments)
    return build.add(arguments[0], string_length(step, arguments[0]) if index is None else index, 64)


def _strrchr(step: Step, arguments: Arguments, call: Call) -> Value:
    wanted = build.trunc(arguments[1], 32, 8)
    characters = [*read_c_string(step, arguments[0]), 0]
    for index in reversed(range(len(characters))):
        if step.decide(build.eq(characters[index], wanted, 8)):
            return build.add(arguments[0], index, 64)
    return 0


def _strstr(step: Step, arguments: Arguments, call: Call) -> Value:
    needle = read_c_string(step, arguments[1])
    hay = read_c_string(step, arguments[0])
    for index in range(len(hay) - len(needle) + 1):
        pairs = zip(hay[index:], needle, strict=False)
        if step.decide(build.conjunction([build.eq(a, b, 8) for a, b in pairs])):
            return build.add(arguments[0], index, 64)
    return 0


def _strdup(step: Step, arguments: Arguments, call: Call) -> Value:
    return _duplicate(step, arguments[0], None, "strdup")


def _strndup(step: Step, arguments: Arguments, call: Call) -> Value:
    return _duplicate(step, arguments[0], _limit(step, arguments[1]), "strndup")


def _duplicate(step: Step, source: Value, limit: int | None, maker: str) -> Value:
    characters = read_c_string(step, source, limit)
    block = heap.allocate(step, len(characters) + 1, maker)
    write_string(step, block, characters)
    return block


def _span(step: Step, text: Value, accepted: Value, *, inside: bool) -> Span:
    """As far as characters are among those accepted, or not among them; found is one that is no NUL."""
    members = read_c_string(step, accepted)

    def look(character: Value) -> Sight:
        is_end = build.eq(character, 0, 8)
        is_member = build.disjunction([build.eq(character, member, 8) for member in members])
        return Sight(build.either(is_end, build.negate(is_member) if inside else is_member), build.negate(is_end))

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


def _strspn(step: Step, arguments: Arguments, call: Call) -> Value:
    return _span(step, arguments[0], arguments[1], inside=True).length


def _strcspn(step: Step, arguments: Arguments, call: Call) -> Value:
    return _span(step, arguments[0], arguments[1], inside=False).length


def _strpbrk(step: Step, arguments: Arguments, call: Call) -> Value:
    span = _span(step, arguments[0], arguments[1], inside=False)
    return span.end if step.decide(span.is_found) else 0


def _strsep(step: Step, arguments: Arguments, call: Call) -> Value:
    start = load(step, arguments[0], 8)
    if step.decide(build.eq(start, 0, 64)):
        return 0
    writable(step, arguments[0], 8)
    span = _span(step, start, arguments[1], inside=False)
    if not step.decide(span.is_found):
        store(step, arguments[0], 0, 8)
    else:
        store(step, span.end, 0, 1)
        store(step, arguments[0], build.add(span.end, 1, 64), 8)
    return start


def _token(step: Step, text: Value, separators: Value) -> tuple[Value, Value]:
    """The next token (0: none) and where to go on; the separator after the token becomes NUL."""
    before = _span(step, text, separators, inside=True)
    if not step.decide(before.is_found):
        return 0, 0
    token = _span(step, before.end, separators, inside=False)
    if not step.decide(token.is_found):
        return before.end, 0
    store(step, token.end, 0, 1)
    return before.end, build.add(token.end, 1, 64)


def _strtok(step: Step, arguments: Arguments, call: Call) -> Value:
    text, separators = arguments
    remembered = step.state.remembered
    if step.decide(build.eq(text, 0, 64)):
        text = remembered[STRTOK]
        if step.decide(build.eq(text, 0, 64)):
            return 0
    token, rest = _token(step, text, separators)
    remembered[STRTOK] = rest
    return token


def _strtok_r(step: Step, arguments: Arguments, call: Call) -> Value:
    text, separators, saved = arguments
    if step.decide(build.eq(text, 0, 64)):
        text = load(step, saved, 8)
        if step.decide(build.eq(text, 0, 64)):
            return 0
    writable(step, saved, 8)
    token, rest = _token(step, text, separators)
    store(step, saved, rest, 8)
    return token


MODELS = {
    "strlen": Model("p", "l", plain(text_length)),
    "strnlen": Model("pl", "l", _strnlen),
    "strcpy": Model("pp", "p", _strcpy),
    "stpcpy": Model("pp", "p", _stpcpy),
    "strncpy": Model("ppl", "p", _strncpy),
    "stpncpy": Model("ppl", "p", _stpncpy),
    "strcat": Model("pp", "p", _strcat),
    "strncat": Model("ppl", "p", _strncat),
    "strlcpy": Model("ppl", "l", _strlcpy),
    "strlcat": Model("ppl", "l", _strlcat),
    "strcmp": _comparison("pp", fold=False),
    "strcoll": _comparison("pp", fold=False),
    "strncmp": _comparison("ppl", fold=False),
    "strcasecmp": _comparison("pp", fold=True),
    "strncasecmp": _comparison("ppl", fold=True),
    "strchr": Model("pi", "p", _strchr),
    "index": Model("pi", "p", _strchr),
    "strchrnul": Model("pi", "p", _strchrnul),
    "strrchr": Model("pi", "p", _strrchr),
    "rindex": Model("pi", "p", _strrchr),
    "strstr": Model("pp", "p", _strstr),
    "strdup": Model("p", "p", _strdup),
    "__strdup": Model("p", "p", _strdup),
    "strndup": Model("pl", "p", _strndup),
    "strspn": Model("pp", "l", _strspn),
    "strcspn": Model("pp", "l", _strcspn),
    "strpbrk": Model("pp", "p", _strpbrk),
    "strsep": Model("pp", "p", _strsep),
    "strtok": Model("pp", "p", _strtok),
    "strtok_r": Model("ppp", "p", _strtok_r),
    "__strtok_r": Model("ppp", "p", _strtok_r),
    "__strcpy_chk": Model("ppl", "p", _strcpy),
    "__stpcpy_chk": Model("ppl", "p", _stpcpy),
    "__strncpy_chk": Model("ppll", "p", _strncpy),
    "__strcat_chk": Model("ppl", "p", _strcat),
    "__strncat_chk": Model("ppll", "p", _strncat),
}
