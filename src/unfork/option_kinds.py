"""How one option is described: its words, its meaning, which way it errs, and the values that it takes."""

from __future__ import annotations

import contextlib
import difflib
import math
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unfork.errors import InputError

EXACT = "exact"
OVER = "over"
UNDER = "under"
NEUTRAL = "no effect on results"
LEGEND = {
    EXACT: "all that the program can do is explored, and nothing else",
    OVER: "more is explored than the program can do: it may be proved safe; what fails is tried before it counts",
    UNDER: "less is explored: what is found is real, and what is not found may still be there",
}
"""What is said of an option's effect on the verdict."""
_SECONDS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {
    f"{prefix}{ending}": float(factor)
    for prefix, factor in (("", 1), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("t", 1 << 40))
    for ending in (("b", "ib", "") if prefix else ("b",))
}


@dataclass(frozen=True, slots=True)
class Kind:
    """The values of an option: ``words`` names what follows it on the command line, none for a switch.

    ``parse`` turns those words into the value; ``accept`` makes it of what a script gives, which may be a str where one
    word would do; ``check`` refuses a value. ``accept`` raises TypeError, all of them ValueError with the reason.
    """

    words: tuple[str, ...]
    parse: Callable[[tuple[str, ...]], Any]
    accept: Callable[[Any], Any]
    check: Callable[[Any], None]
    repeated: bool = False
    takes: Callable[[str], bool] | None = None
    """Whether a word that follows is the option's value; None: it always is."""


@dataclass(frozen=True, slots=True)
class Description:
    """One option: ``flags`` as typed, longest first."""

    flags: tuple[str, ...]
    kind: Kind
    section: str
    meaning: str
    soundness: str


def option(
    default: Any,
    kind: Kind,
    section: str,
    meaning: str,
    soundness: str = NEUTRAL,
    *,
    flags: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that carries its description; without ``flags`` the field's name is the flag."""
    description = Description(flags, kind, section, meaning, soundness)
    return field(default=default, metadata={"option": description})


def _any(value: Any) -> None:
    return None


def _text(value: Any) -> str:
    """A str, or the name of a file."""
    made = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(made, str):
        raise TypeError(f"must be a str, not {_type(value)}")
    return made


def _several(value: Any, accept: Callable[[Any], Any]) -> tuple[Any, ...]:
    """A tuple of what a list, a tuple or a set holds."""
    if not isinstance(value, list | tuple | set | frozenset):
        raise TypeError(f"must be a tuple or a list, not {_type(value)}")
    parts = tuple([accept(each) for each in value])
    return tuple(sorted(parts)) if isinstance(value, set | frozenset) else parts


def _type(value: Any) -> str:
    return "None" if value is None else f"{type(value).__name__} {value!r}"


def text(word: str) -> Kind:
    """A word taken as it is, whatever it begins with."""
    return Kind((word,), lambda words: words[0], _text, _any)


def word(shown: str, check: Callable[[str], None]) -> Kind:
    """A word that ``check`` accepts."""
    return Kind((shown,), lambda words: words[0], _text, check)


def texts(word: str) -> Kind:
    """A word, any number of times."""

    def accept(value: Any) -> tuple[str, ...]:
        return (_text(value),) if isinstance(value, str | os.PathLike) else _several(value, _text)

    return Kind((word,), lambda words: words[0], accept, _any, repeated=True)


def switch() -> Kind:
    """On when given."""

    def accept(value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError(f"must be True or False, not {_type(value)}")
        return value

    return Kind((), lambda words: True, accept, _any)


def whole(word: str, least: int) -> Kind:
    """A whole number, at least ``least``; None stands for no limit."""
    return _counted(word, least, _whole)


def port() -> Kind:
    """A port of this machine, 0 for one that is free, which no number means too."""

    def check(value: Any) -> None:
        if value is not None and not 0 <= value <= 65_535:
            raise ValueError(f"must be a port, from 0 to 65535, not {value}")

    def accept(value: Any) -> int:
        return _whole(value) if isinstance(value, str) else _integer(value)

    return Kind(("[PORT]",), lambda words: _whole(words[0]) if words else 0, accept, check, takes=str.isdecimal)


def size(word: str, least: int, unit: int) -> Kind:
    """A number of ``unit`` bytes, at least ``least``, or with a unit of its own (4GB); None stands for no limit."""

    def parse(word: str) -> int:
        bare = word.strip()
        if bare.lstrip("+-").isdecimal():
            return _whole(bare)
        return math.ceil(_scaled(bare, {name: factor / unit for name, factor in _BYTES.items()}, "64MB or 4GB"))

    return _counted(word, least, parse)


def _counted(word: str, least: int, parse: Callable[[str], int]) -> Kind:
    def check(value: Any) -> None:
        if value is not None and value < least:
            raise ValueError(f"must be at least {least}, not {value}")

    def accept(value: Any) -> int:
        return parse(value) if isinstance(value, str) else _integer(value)

    return Kind((word,), lambda words: parse(words[0]), accept, check)


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"must be an int, not {_type(value)}")
    return operator.index(value)


def wholes(words: tuple[str, ...], repeated: bool) -> Kind:
    """Several whole numbers, none negative; of one that is repeated a value is a tuple of tuples."""

    def check(value: Any) -> None:
        for each in () if value is None else value:
            for number in each if isinstance(each, tuple) else (each,):
                if number < 0:
                    raise ValueError(f"{number!r} is not a number that is at least 0")

    def once(value: Any) -> tuple[int, ...]:
        numbers = _several([value] if len(words) == 1 and not isinstance(value, list | tuple) else value, _integer)
        if len(numbers) != len(words):
            raise TypeError(f"must be {' '.join(words)}, not {_type(value)}")
        return numbers

    return Kind(
        words,
        lambda given: tuple(_whole(word) for word in given),
        (lambda value: _several(value, once)) if repeated else once,
        check,
        repeated,
    )


def seconds(word: str) -> Kind:
    """A positive number of seconds, or one with a unit (2min); None stands for no limit."""

    def parse(word: str) -> float:
        return _scaled(word.strip(), _SECONDS, "90, 90s or 2min")

    def check(value: Any) -> None:
        if value is not None and (not math.isfinite(value) or value <= 0):
            raise ValueError(f"must be a positive number of seconds, not {value}")

    return Kind((word,), lambda words: parse(words[0]), lambda value: _real(value, parse), check)


def _real(value: Any, parse: Callable[[str], float]) -> float:
    if isinstance(value, str):
        return parse(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"must be a number, not {_type(value)}")
    return value


def numbers(words: tuple[str, ...]) -> Kind:
    """Several finite numbers."""

    def check(value: Any) -> None:
        if not all(math.isfinite(each) for each in value):
            raise ValueError("must be finite numbers")

    def accept(value: Any) -> tuple[float, ...]:
        parts = _several(value, lambda each: _real(each, _number))
        if len(parts) != len(words):
            raise TypeError(f"must be {' '.join(words)}, not {_type(value)}")
        return parts

    return Kind(words, lambda given: tuple(_number(word) for word in given), accept, check)


def choice(*names: str) -> Kind:
    """One of ``names``."""

    def check(value: Any) -> None:
        if value not in names:
            raise none_of(value, names)

    return Kind(("|".join(names),), lambda words: words[0], _text, check)


def subset(*names: str) -> Kind:
    """A comma list of ``names``; a tuple of them as a value."""

    def check(value: Any) -> None:
        for each in value:
            if each not in names:
                raise none_of(each, names)

    return Kind((",".join(names),), lambda words: _comma_list(words[0]), _listed, check)


def list_of(word: str, accept: Callable[[str], None]) -> Kind:
    """A comma list whose parts ``accept`` takes; a tuple of them as a value, never empty."""

    def check(value: Any) -> None:
        if not value:
            raise ValueError("must name at least one")
        for each in value:
            accept(each)

    return Kind((word,), lambda words: _comma_list(words[0]), _listed, check)


def _listed(value: Any) -> tuple[str, ...]:
    return _comma_list(value) if isinstance(value, str) else _several(value, _text)


def near(word: str, known: Iterable[str]) -> str:
    """What of ``known`` may have been meant, to be put behind a complaint; nothing if none is like ``word``."""
    names = list(known)
    found = difflib.get_close_matches(word.lower().replace("_", "-"), names, 1)
    found += [name for name in names if word and name.startswith(word)]
    return f" (did you mean {found[0]}?)" if found else ""


def none_of(value: str, names: Sequence[str], *forms: str) -> ValueError:
    """The complaint about a value that is none of ``names``, nor like one of ``forms``."""
    return ValueError(f"{value!r} is none of {', '.join((*names, *forms))}{near(value, names)}")


def refuse(flag: str, reason: str) -> InputError:
    """The error of a value that ``flag`` does not take."""
    return InputError(f"{flag}: {reason}")


def _comma_list(word: str) -> tuple[str, ...]:
    """The parts of a comma list without blanks; the empty word has none."""
    return tuple(part.strip() for part in word.split(",")) if word.strip() else ()


def _whole(word: str) -> int:
    try:
        return int(word, 10)
    except ValueError:
        raise ValueError(f"{word!r} is not a whole number") from None


def _scaled(word: str, units: Mapping[str, float], example: str) -> float:
    """A number, in a unit that may stand behind it."""
    lower = word.lower()
    unit = max([name for name in units if lower.endswith(name)], key=len, default="")
    with contextlib.suppress(ValueError):
        return float(lower.removesuffix(unit)) * units[unit] if unit else float(lower)
    raise ValueError(f"{word!r} is not a number, as {example} is")


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a number") from None
