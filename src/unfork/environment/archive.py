"""Compiled library members and their symbols; picks the members that a program needs, as a linker would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

_NAME = r'([-\w.$]+|"[^"]*")'
_FUNCTION = re.compile(rf"^(define|declare) ([^@\n]*)@{_NAME}\(", re.M)
_VARIABLE = re.compile(rf"^@{_NAME} = (.*?)\b(?:global|constant|alias|ifunc)\b", re.M)
_LOCAL = frozenset(("internal", "private"))
_OPTIONAL = frozenset(("weak", "weak_odr", "linkonce", "linkonce_odr", "common"))


@dataclass(frozen=True, slots=True)
class Symbols:
    """What a module defines for others, and what it needs from them. A weak reference is not a need."""

    strong: frozenset[str]
    weak: frozenset[str]
    needed: frozenset[str]


def symbols_of(text: str) -> Symbols:
    """The symbols of a module, from its text."""
    strong: set[str] = set()
    weak: set[str] = set()
    needed: set[str] = set()

    def add(name: str, words: Sequence[str], *, declared: bool) -> None:
        """Note a symbol whose line has these ``words``; local names and weak references are left out."""
        name = name.strip('"')
        if name.startswith("llvm.") or not _LOCAL.isdisjoint(words) or "extern_weak" in words:
            return
        kind = needed if declared else weak if not _OPTIONAL.isdisjoint(words) else strong
        kind.add(name)

    for header in _FUNCTION.finditer(text):
        add(header[3], header[2].split(), declared=header[1] == "declare")
    for header in _VARIABLE.finditer(text):
        words = header[2].split()
        add(header[1], words, declared="external" in words)
    return Symbols(frozenset(strong), frozenset(weak), frozenset(needed))


class Archive:
    """Members by name, with their symbols. Strong definitions win over weak ones, then earlier members over later."""

    def __init__(self, members: Mapping[str, Symbols]) -> None:
        self._members = members
        self._provider: dict[str, str] = {}
        for kind in ("strong", "weak"):
            for name, symbols in members.items():
                for symbol in sorted(getattr(symbols, kind)):
                    self._provider.setdefault(symbol, name)

    def symbols(self, member: str) -> Symbols:
        """What ``member`` defines and needs."""
        return self._members[member]

    def closure(self, needed: Iterable[str], defined: Iterable[str], is_given: Callable[[str], bool]) -> list[str]:
        """The members that define what is ``needed``, and what those members need in turn, in the order found.

        A symbol is not looked up if it is already ``defined``, even weakly, or if ``is_given`` accepts it.
        """
        known = set(defined)
        waiting = sorted(needed)
        chosen: dict[str, None] = {}
        for symbol in waiting:  # grows
            member = self._provider.get(symbol)
            if symbol in known or member is None or member in chosen or is_given(symbol):
                continue
            chosen[member] = None
            symbols = self._members[member]
            known |= symbols.strong
            known |= symbols.weak
            waiting.extend(sorted(symbols.needed - known))
        return list(chosen)
