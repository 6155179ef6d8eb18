"""What a native run of a test says about the fault that the engine found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Sight(Enum):
    """Which native runs must show a fault. If one of these goes that way and ends by itself, it denies the fault."""

    NONE = 0
    """None of them: no sanitizer looks for this fault, or not everywhere."""
    SANITIZED = 1
    """Those of a program that was compiled with sanitizers."""
    ANY = 2
    """All of them: the fault ends the program."""


class Word(Enum):
    """The opinion in one word, as the summary has it."""

    CONFIRMED = "confirmed"
    """The native run fails in the same way."""
    NOT_SEEN = "not seen"
    """The native run does not fail, but need not."""
    UNCHECKED = "unchecked"
    """There was no native run, or none that is known to have come to the place."""
    DENIED = "denied"
    """The native run had to fail, and did not."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A word and the reason for it; no reason where the fault was seen."""

    word: Word
    reason: str | None


NOT_ASKED = Opinion(Word.UNCHECKED, None)
