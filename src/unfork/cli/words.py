"""The words of a command: options with their values, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unfork.api.given import STDIN
from unfork.errors import InputError
from unfork.option_kinds import near
from unfork.options import DEFAULTS, DESCRIPTIONS, Options, flags_of

_FLAGS = {flag: name for name, description in DESCRIPTIONS.items() for flag in flags_of(name, description)}


def parse(words: Sequence[str]) -> tuple[list[str], Options, list[str], bool]:
    """Files, options, program arguments (after --), and whether help is asked for.

    An option takes the next words as its values, whatever they begin with; --option=value means the same.
    Raises InputError for unknown options and wrong values.
    """
    files: list[str] = []
    values: dict[str, Any] = {}
    rest = list(words)
    wants_help = False
    while rest:
        word = rest.pop(0)
        if word == "--":
            return files, _options(values), rest, wants_help
        if word in ("--help", "-h"):
            wants_help = True
        elif word.startswith("-") and word != STDIN:
            _option(word, rest, values)
        else:
            files.append(word)
    return files, _options(values), [], wants_help


def _option(word: str, rest: list[str], values: dict[str, Any]) -> None:
    flag, joined = split_flag(word)
    name = _FLAGS.get(flag)
    if name is None:
        raise InputError(f"unknown option {flag}{near(flag, _FLAGS)}; see unfork run --help")
    kind = DESCRIPTIONS[name].kind
    given = [] if joined is None else [joined]
    if len(given) > len(kind.words):
        raise InputError(f"{flag} takes no value")
    while len(given) < len(kind.words):
        if kind.takes is not None and not (rest and kind.takes(rest[0])):
            break
        if not rest:
            raise InputError(f"{flag} needs {' '.join(kind.words)}")
        given.append(rest.pop(0))
    try:
        value = kind.parse(tuple(given))
        kind.check((value,) if kind.repeated else value)
    except ValueError as problem:
        raise InputError(f"{flag}: {problem}") from None
    if name == "sym_arg" and "sym_args" in values:
        raise InputError(
            "--sym-arg after --sym-args: say both after -- (-- --sym-args 0 1 2 --sym-arg 3) for that order"
        )
    values[name] = (*values.get(name, DEFAULTS[name]), value) if kind.repeated else value


def split_flag(word: str) -> tuple[str, str | None]:
    """A flag and the value joined to it: --seed=1, -Idir, -DNAME."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        return flag, value if equals else None
    return (word[:2], word[2:] or None) if word[:2] in _FLAGS else (word, None)


def _options(values: dict[str, Any]) -> Options:
    return Options(**values, given=frozenset(values))


def refuse_others(options: Options, allowed: Sequence[str], reason: str) -> None:
    """Raise InputError for the first option that is given and not allowed."""
    if refused := sorted(options.given.difference(allowed)):
        raise InputError(reason.format(flags_of(refused[0], DESCRIPTIONS[refused[0]])[0]))


def value_of(flag: str, words: list[str]) -> tuple[list[str], str | None]:
    """``words`` without the flag and its value, which follows it or is joined to it by =, and that value."""
    at = next((at for at, word in enumerate(words) if word == flag or word.startswith(f"{flag}=")), None)
    if at is None:
        return words, None
    _, joined = split_flag(words[at])
    if joined is not None:
        return words[:at] + words[at + 1 :], joined
    if at + 1 == len(words):
        raise InputError(f"{flag} needs a value")
    return words[:at] + words[at + 2 :], words[at + 1]


def names_of(words: Sequence[str], switches: tuple[str, ...], valued: tuple[str, ...]) -> list[str]:
    """What is no option; those in ``valued`` were taken out with their values."""
    for word in words:
        if word.startswith("-") and word not in switches:
            raise InputError(f"unknown option {word}{near(word, (*switches, *valued))}")
    return [word for word in words if word not in switches]
