"""Compiled library members and their symbols: which of them a program needs, chosen as a linker would."""

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
    """What a module defines for others, and what it needs of them; a weak reference is no need."""

    strong: frozenset[str]
    weak: frozenset[str]
    needed: frozenset[str]


def symbols_of(text: str) -> Symbols:
    """The symbols of a module, from its text."""
    strong: set[str] = set()
    weak: set[str] = set()
    needed: set[str] = set()

    def add(name: str, words: Sequence[str], *, declared: bool) -> None:
        name = name.strip('"')
        if name.startswith("llvm.") or not _LOCAL.isdisjoint(words) or "extern_weak" in words:
            return
        kind = needed if declared else weak if not _OPTIONAL.isdisjoint(words) else strong
        kind.add(name)

    for found in _FUNCTION.finditer(text):
        add(found[3], found[2].split(), declared=found[1] == "declare")
    for found in _VARIABLE.finditer(text):
        words = found[2].split()
        add(found[1], words, declared="external" in words)
    return Symbols(frozenset(strong), frozenset(weak), frozenset(needed))


class Archive:
    """Members by name and their symbols. A strong definition is found before a weak one, an early member first."""

    def __init__(self, members: Mapping[str, Symbols]) -> None:
        self._members = members
        self._provider: dict[str, str] = {}
        for kind in ("strong", "weak"):
            for name, symbols in members.items():
                for symbol in sorted(getattr(symbols, kind)):
                    self._provider.setdefault(symbol, name)

    def members(self) -> list[str]:
        """Their names, in order."""
        return list(self._members)

    def provider(self, symbol: str) -> str | None:
        """The member that defines ``symbol``."""
        return self._provider.get(symbol)

    def symbols(self, member: str) -> Symbols:
        """What ``member`` defines and needs."""
        return self._members[member]

    def closure(self, needed: Iterable[str], defined: Iterable[str], is_given: Callable[[str], bool]) -> list[str]:
        """The members that resolve ``needed`` and, in turn, what they need themselves, in the order of their finding.

        Nothing is looked up for a symbol that is ``defined`` already, weakly or not, or that ``is_given`` by others.
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
