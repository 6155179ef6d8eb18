"""What a native run of a test says of the fault that the engine found with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Sight(Enum):
    """Which native runs cannot come past a fault unseen: of these, one that ends by itself denies the fault."""

    NONE = 0
    """It may end quietly all the same: no sanitizer looks for this fault, or not everywhere."""
    SANITIZED = 1
    """One of a program that was compiled with sanitizers."""
    ANY = 2
    """Each: the fault ends the program."""


class Word(Enum):
    """The opinion in one word, as the summary has it."""

    CONFIRMED = "confirmed"
    """The native run fails in this way."""
    NOT_SEEN = "not seen"
    """It does not, but need not."""
    UNCHECKED = "unchecked"
    """There was no native run."""
    DENIED = "denied"
    """It would have had to, and did not."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A word, and in words why; nothing where the fault was seen."""

    word: Word
    reason: str | None


NOT_ASKED = Opinion(Word.UNCHECKED, None)
