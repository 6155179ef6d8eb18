"""The description of one option: its words, its values, its meaning, and which way it errs."""

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
"""An option's effect on the verdict."""
_SECONDS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {
    f"{prefix}{ending}": float(factor)
    for prefix, factor in (("", 1), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("t", 1 << 40))
    for ending in (("b", "ib", "") if prefix else ("b",))
}


def _any(value: Any) -> None:
    """Accept every value."""


@dataclass(frozen=True, slots=True)
class OptionKind:
    """The values of an option. ``words`` names the words that follow it on the command line; a switch has none.

    ``once`` makes a value of one use of the option: of its word (str), its words (tuple), or a value from a script. It
    raises TypeError for another type, and ValueError with the reason for a wrong word. ``check`` raises ValueError for
    a number out of range.
    """

    words: tuple[str, ...]
    once: Callable[[Any], Any]
    check: Callable[[Any], None] = _any
    repeated: bool = False
    """Whether the option may be given several times; its value is then a tuple."""
    names: tuple[str, ...] = ()
    """The possible words, where they can be listed."""
    is_list: bool = False
    """Whether a word may hold several of ``names``, separated by commas."""
    omitted: str | None = None
    """The number meant where no word follows; None: a word must follow."""

    def accept(self, value: Any) -> Any:
        """The option's value, made of words or of a value from a script. Raises as ``once`` does."""
        if not self.repeated:
            return self.once(value)
        return (self.once(value),) if isinstance(value, str | os.PathLike) else _several(value, self.once)


@dataclass(frozen=True, slots=True)
class Description:
    """One option. Without a ``flag``, its flag is the name of its field."""

    flag: str
    kind: OptionKind
    section: str
    meaning: str
    soundness: str


def option(
    default: Any,
    kind: OptionKind,
    section: str,
    meaning: str,
    soundness: str = NEUTRAL,
    *,
    flag: str = "",
) -> Any:
    """A dataclass field that carries its description."""
    return field(default=default, metadata={"option": Description(flag, kind, section, meaning, soundness)})


def text(word: str) -> OptionKind:
    """Any word, even one that begins with -."""
    return OptionKind((word,), _text)


def word(shown: str, check: Callable[[str], None]) -> OptionKind:
    """A word that ``check`` accepts."""
    return OptionKind((shown,), lambda value: _word(value, check), names=_names_in(shown))


def texts(shown: str, check: Callable[[str], None] = _any) -> OptionKind:
    """A word that ``check`` accepts; the option may be given several times."""
    return OptionKind((shown,), lambda value: _word(value, check), repeated=True)


def switch() -> OptionKind:
    """No word: the option is on when given."""

    def once(value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError(f"must be True or False, not {_type(value)}")
        return value

    return OptionKind((), once)


def whole(word: str, least: int) -> OptionKind:
    """A whole number, at least ``least``."""
    return OptionKind((word,), _integer, _at_least(least))


def port() -> OptionKind:
    """A port of this machine; 0, or no number, stands for a free one."""

    def check(number: int) -> None:
        if not 0 <= number <= 65_535:
            raise ValueError(f"must be a port, from 0 to 65535, not {number}")

    return OptionKind(("[PORT]",), _integer, check, omitted="0")


def size(word: str, least: int, unit: int) -> OptionKind:
    """A number of ``unit`` bytes, at least ``least``, or a number with its own unit (4GB)."""

    def once(value: Any) -> int:
        if not isinstance(value, str) or value.strip().lstrip("+-").isdecimal():
            return _integer(value)
        return math.ceil(_with_unit(value, {name: factor / unit for name, factor in _BYTES.items()}, "64MB or 4GB"))

    return OptionKind((word,), once, _at_least(least))


def wholes(words: tuple[str, ...], repeated: bool) -> OptionKind:
    """Several whole numbers, none negative."""

    def once(value: Any) -> tuple[int, ...]:
        is_bare = len(words) == 1 and not isinstance(value, list | tuple)
        return _as_many(words, [value] if is_bare else value, _integer)

    def check(value: Any) -> None:
        for number in [number for each in value for number in each] if repeated else value:
            if number < 0:
                raise ValueError(f"{number!r} is not a number that is at least 0")

    return OptionKind(words, once, check, repeated)


def sized(words: tuple[str, str]) -> OptionKind:
    """A name and a whole number that is not negative; the option may be given several times."""

    def once(value: Any) -> tuple[str, int]:
        name, number = _as_many(words, value, lambda each: each)
        return _text(name), _integer(number)

    def check(value: tuple[tuple[str, int], ...]) -> None:
        for _, number in value:
            if number < 0:
                raise ValueError(f"{number!r} is not a number that is at least 0")

    return OptionKind(words, once, check, True)


def seconds(word: str) -> OptionKind:
    """A positive number of seconds, or a number with a unit (2min)."""

    def check(number: float) -> None:
        if not math.isfinite(number) or number <= 0:
            raise ValueError(f"must be a positive number of seconds, not {number}")

    return OptionKind((word,), lambda value: _real(value, _SECONDS, "90, 90s or 2min"), check)


def numbers(words: tuple[str, ...]) -> OptionKind:
    """Several finite numbers."""

    def check(value: tuple[float, ...]) -> None:
        if not all(math.isfinite(each) for each in value):
            raise ValueError("must be finite numbers")

    return OptionKind(words, lambda value: _as_many(words, value, lambda each: _real(each, {}, "0.5")), check)


def choice(*names: str) -> OptionKind:
    """One of ``names``."""
    return OptionKind(("|".join(names),), lambda value: _word(value, _among(names)), names=names)


def subset(*names: str) -> OptionKind:
    """A comma list of ``names``; its value is a tuple."""
    return OptionKind((",".join(names),), lambda value: _comma_list(value, _among(names)), names=names, is_list=True)


def list_of(shown: str, check: Callable[[str], None]) -> OptionKind:
    """A comma list, not empty, whose parts ``check`` accepts; its value is a tuple."""

    def is_any(value: tuple[str, ...]) -> None:
        if not value:
            raise ValueError("must name at least one")

    names = _names_in(shown.removesuffix(",..."))
    return OptionKind((shown,), lambda value: _comma_list(value, check), is_any, names=names, is_list=True)


def _among(names: Sequence[str]) -> Callable[[str], None]:
    def check(value: str) -> None:
        if value not in names:
            raise none_of(value, names)

    return check


def _names_in(shown: str) -> tuple[str, ...]:
    """The alternatives that are plain words, without a part in capitals or brackets."""
    return tuple(
        name for name in shown.split("|") if name.replace("-", "").replace(":", "").islower() and "[" not in name
    )


def _text(value: Any) -> str:
    """A str, or a path as one."""
    name = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(name, str):
        raise TypeError(f"must be a str, not {_type(value)}")
    return name


def _word(value: Any, check: Callable[[str], None]) -> str:
    text = _text(value)
    check(text)
    return text


def _comma_list(value: Any, check: Callable[[str], None]) -> tuple[str, ...]:
    """The parts of a comma list, stripped, or of a collection from a script. The empty word has no parts."""
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")] if value.strip() else []
    return _several(value, lambda part: _word(part, check))


def _several(value: Any, once: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The members of a list, tuple or set as a tuple."""
    if not isinstance(value, list | tuple | set | frozenset):
        raise TypeError(f"must be a tuple or a list, not {_type(value)}")
    parts = tuple([once(each) for each in value])
    return tuple(sorted(parts)) if isinstance(value, set | frozenset) else parts


def _as_many(words: tuple[str, ...], value: Any, once: Callable[[Any], Any]) -> tuple[Any, ...]:
    parts = _several(value, once)
    if len(parts) != len(words):
        raise TypeError(f"must be {' '.join(words)}, not {_type(value)}")
    return parts


def _type(value: Any) -> str:
    return "None" if value is None else f"{type(value).__name__} {value!r}"


def _integer(value: Any) -> int:
    if isinstance(value, str):
        try:
            return int(value, 10)
        except ValueError:
            raise ValueError(f"{value!r} is not a whole number") from None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"must be an int, not {_type(value)}")
    return operator.index(value)


def _at_least(least: int) -> Callable[[int], None]:
    def check(number: int) -> None:
        if number < least:
            raise ValueError(f"must be at least {least}, not {number}")

    return check


def _real(value: Any, units: Mapping[str, float], example: str) -> float:
    if isinstance(value, str):
        return _with_unit(value, units, example)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"must be a number, not {_type(value)}")
    return value


def _with_unit(word: str, units: Mapping[str, float], example: str) -> float:
    """A number, with or without a unit after it."""
    lower = word.strip().lower()
    unit = max([name for name in units if lower.endswith(name)], key=len, default="")
    with contextlib.suppress(ValueError):
        return float(lower.removesuffix(unit)) * units.get(unit, 1.0)
    raise ValueError(f"{word!r} is not a number, as {example} is")


def near(word: str, known: Iterable[str]) -> str:
    """A question about the member of ``known`` that ``word`` resembles, to end a complaint; "" if there is none."""
    names = list(known)
    similar = difflib.get_close_matches(word.lower().replace("_", "-"), names, 1)
    similar += [name for name in names if word and name.startswith(word)]
    return f" (did you mean {similar[0]}?)" if similar else ""


def none_of(value: str, names: Sequence[str], *forms: str) -> ValueError:
    """The complaint about a value that is none of ``names``, and of none of the ``forms``."""
    return ValueError(f"{value!r} is none of {', '.join((*names, *forms))}{near(value, names)}")


def refuse(flag: str, reason: str) -> InputError:
    """The error about a value that ``flag`` does not take."""
    return InputError(f"{flag}: {reason}")
