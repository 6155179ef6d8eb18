"""How one option is described: its words, its meaning, which way it errs, and the values that it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unfork.errors import InputError

EXACT = "exact"
OVER = "over"
UNDER = "under"
NEUTRAL = "no effect on results"


@dataclass(frozen=True, slots=True)
class Kind:
    """The values of an option: ``words`` names what follows it on the command line, none for a switch.

    ``parse`` turns those words into the value; ``check`` refuses a value. Both raise ValueError with the reason.
    """

    words: tuple[str, ...]
    parse: Callable[[tuple[str, ...]], Any]
    check: Callable[[Any], None]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Description:
    """One option: ``flags`` as typed, longest first; ``unbuilt`` are its values that are refused as "not yet"."""

    flags: tuple[str, ...]
    kind: Kind
    section: str
    meaning: str
    soundness: str
    built: Callable[[Any], bool]


def option(
    default: Any,
    kind: Kind,
    section: str,
    meaning: str,
    soundness: str = NEUTRAL,
    *,
    flags: tuple[str, ...] = (),
    built: Callable[[Any], bool] = lambda value: True,
) -> Any:
    """A dataclass field that carries its description; without ``flags`` the field's name is the flag."""
    description = Description(flags, kind, section, meaning, soundness, built)
    return field(default=default, metadata={"option": description})


def _any(value: Any) -> None:
    return None


def text(word: str) -> Kind:
    """A word taken as it is, whatever it begins with."""
    return Kind((word,), lambda words: words[0], _any)


def word(shown: str, check: Callable[[str], None]) -> Kind:
    """A word that ``check`` accepts."""

    def checked(value: Any) -> None:
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is no word")
        check(value)

    return Kind((shown,), lambda words: words[0], checked)


def texts(word: str) -> Kind:
    """A word, any number of times."""
    return Kind((word,), lambda words: words[0], _any, repeated=True)


def switch() -> Kind:
    """On when given."""
    return Kind((), lambda words: True, _any)


def whole(word: str, least: int) -> Kind:
    """A whole number, at least ``least``; None stands for no limit."""

    def check(value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{value!r} is not a whole number")
        if value < least:
            raise ValueError(f"must be at least {least}, not {value}")

    return Kind((word,), lambda words: _whole(words[0]), check)


def wholes(words: tuple[str, ...], repeated: bool) -> Kind:
    """Several whole numbers, none negative."""

    def check(value: Any) -> None:
        if value is None:
            return
        for each in value:
            numbers = each if isinstance(each, tuple) else (each,)
            for number in numbers:
                if not isinstance(number, int) or number < 0:
                    raise ValueError(f"{number!r} is not a number that is at least 0")

    return Kind(words, lambda given: tuple(_whole(word) for word in given), check, repeated)


def seconds(word: str) -> Kind:
    """A positive number of seconds; None stands for no limit."""

    def check(value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(f"{value!r} is not a number of seconds")
        if not math.isfinite(value) or value <= 0:
            raise ValueError(f"must be a positive number of seconds, not {value}")

    return Kind((word,), lambda words: _number(words[0]), check)


def numbers(words: tuple[str, ...]) -> Kind:
    """Several finite numbers."""

    def check(value: Any) -> None:
        if value is not None and not all(math.isfinite(each) for each in value):
            raise ValueError("must be finite numbers")

    return Kind(words, lambda given: tuple(_number(word) for word in given), check)


def choice(*names: str) -> Kind:
    """One of ``names``."""

    def check(value: Any) -> None:
        if value not in names:
            raise ValueError(f"{value!r} is none of {', '.join(names)}")

    return Kind(("|".join(names),), lambda words: words[0], check)


def subset(*names: str) -> Kind:
    """A comma list of ``names``; a tuple of them as a value."""

    def check(value: Any) -> None:
        for each in value:
            if each not in names:
                raise ValueError(f"{each!r} is none of {', '.join(names)}")

    return Kind((",".join(names),), lambda words: comma_list(words[0]), check)


def list_of(word: str, accept: Callable[[str], None]) -> Kind:
    """A comma list whose parts ``accept`` takes; a tuple of them as a value, never empty."""

    def check(value: Any) -> None:
        if not value:
            raise ValueError("must name at least one")
        for each in value:
            accept(each)

    return Kind((word,), lambda words: comma_list(words[0]), check)


def comma_list(word: str) -> tuple[str, ...]:
    """The parts of a comma list without blanks; the empty word has none."""
    return tuple(part.strip() for part in word.split(",")) if word.strip() else ()


def refuse(flag: str, reason: str) -> InputError:
    """The error of a value that ``flag`` does not take."""
    return InputError(f"{flag}: {reason}")


def _whole(word: str) -> int:
    try:
        return int(word, 10)
    except ValueError:
        raise ValueError(f"{word!r} is not a whole number") from None


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a number") from None
