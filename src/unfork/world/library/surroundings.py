"""Queries for parts of the world that are missing: the path records them as assumptions, in words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from unfork.engine.memory.loads import load
from unfork.engine.memory.strings import Characters
from unfork.engine.state.memory import address_of
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.escape import escape_text


@dataclass(frozen=True, slots=True)
class StartVariable:
    """A variable that the world may set: its name, its object's number, and whether it is set (1 bit)."""

    name: str
    number: int
    is_set: Value


VARIABLES: Fact[tuple[StartVariable, ...]] = Fact("variables of the environment", EqualPart(), ())
TABLE: Fact[tuple[int, tuple[Value, ...]]] = Fact("table of the environment", EqualPart(), (0, ()))
"""The number of the environment table's object, and the table's initial contents (64 bits each)."""
UNKNOWN_VARIABLE = (1 << 64) - 1
NO_INPUT: Fact[int] = Fact("standard input that nobody gave", EqualPart(), 0)
"""The number of standard input's file in the kernel's tables, if no option set it."""
ROOM = 16
_OF_VARIABLES = frozenset(("getenv", "secure_getenv", "setenv"))
"""Functions that look a variable up for the program; others look up their own (TZ, LC_ALL, PATH)."""
_ON_THEIR_OWN = frozenset(
    (
        *("tzset", "localtime", "localtime_r", "mktime", "ctime", "ctime_r", "strftime", "strftime_l", "wcsftime"),
        *("wcsftime_l", "strptime", "getdate", "setlocale", "newlocale", "gettext", "dgettext", "dcgettext"),
        *("ngettext", "dngettext", "dcngettext", "bindtextdomain", "syslog", "vsyslog", "openlog", "closelog"),
        *("tmpnam", "tempnam", "tmpfile", "ttyname", "ttyname_r", "pthread_setname_np", "pthread_getname_np"),
        *("execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve"),
    )
)
"""Functions of the C library that look for files of their own: time zones, translations, logs, programs."""


def variable(step: Step, name: Value, table: Value) -> Value:
    """The address of a variable's value, 0 if unset, as long as the program has changed no variable.

    UNKNOWN_VARIABLE if it may have, or for a symbolic name: the C library then searches.
    """
    number, slots = step.state.remembered[TABLE]
    characters = Characters(step, name)
    end = characters.concrete_end()
    if end is None or table != address_of(number) or not number or step.state.memory.is_narrow:
        return UNKNOWN_VARIABLE
    if any(load(step, address_of(number, 8 * slot), 8) != value for slot, value in enumerate(slots)):
        return UNKNOWN_VARIABLE
    wanted = characters.concrete(end)
    for each in step.state.remembered[VARIABLES]:
        prefix = each.name.encode("utf-8", "surrogateescape") + b"="
        text = Characters(step, address_of(each.number))
        if any(text.at(index) != byte for index, byte in enumerate(prefix)):
            return UNKNOWN_VARIABLE
        if prefix == wanted + b"=":
            return build.ite(each.is_set, address_of(each.number, len(prefix)), 0, 64)
    lacks_variable(step, name)
    return 0


def lacks_variable(step: Step, name: Value) -> None:
    """Assume that the environment lacks the variable named at ``name``, if the program looked it up."""
    caller = _called(step)
    if caller and caller not in _OF_VARIABLES:
        return
    characters = Characters(step, name)
    end = characters.concrete_end()
    if end is None:
        assume(step, "a variable whose name is symbolic is not set; --sym-env NAME LEN")
        return
    text = characters.concrete(end).decode("utf-8", "surrogateescape")
    is_given = any(text == each.name for each in step.state.remembered[VARIABLES])
    if text and "=" not in text and not is_given:
        assume(step, f"{escape_text(text)} is not set{_suggested('--sym-env', text)}")


def lacks_file(step: Step, path: Sequence[Value], names: Sequence[Sequence[Value]] = ()) -> None:
    """Assume that there is no file with this path (8 bits each), if the program looked for it. ``names``: those that
    a symbolic one may have.
    """
    if _called(step) in _ON_THEIR_OWN:
        return
    known = [byte for byte in path if isinstance(byte, int)]
    if len(known) < len(path):
        others = f"a file whose name is symbolic is {' or '.join(map(_shown, names))}, or does not exist"
        assume(step, others if names else "a file whose name is symbolic does not exist; --sym-file NAME SIZE")
        return
    text = bytes(known).decode("utf-8", "surrogateescape")
    assume(step, f"{escape_text(text)} does not exist{_suggested('--sym-file', text)}")


def _shown(name: Sequence[Value]) -> str:
    return escape_text(bytes([byte for byte in name if isinstance(byte, int)]).decode("utf-8", "surrogateescape"))


def lacks_input(step: Step) -> None:
    """Assume that standard input, which the program reads, is empty."""
    assume(step, f"standard input is empty; --sym-stdin {ROOM}")


def assume(step: Step, words: str) -> None:
    """Record an assumption of the path about the world."""
    step.state.lazy = step.state.lazy.assuming(words)


def without_option(words: str) -> str:
    """An assumption without the option that would lift it."""
    return words.partition("; --")[0]


def _suggested(flag: str, name: str) -> str:
    return f"; {flag} {shlex.quote(name)} {ROOM}" if escape_text(name) == name else ""


def _called(step: Step) -> str:
    """The library function that the program called and that is running; "" if there is none."""
    called = ""
    for frame in reversed(step.state.frames):
        if frame.function.name not in step.program.library:
            break
        called = frame.function.name
    return called.lstrip("_")
