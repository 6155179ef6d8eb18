"""Input records: the symbolic objects that a path has asked for, in the order in which it asked."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.logic.term import Value


@dataclass(frozen=True, slots=True)
class Input:
    """One object of input bytes. ``leaves`` are its values in order, each with its size; they add up to ``size``.

    ``kind`` is "symbolic" (named by the program), "nondet" (an SV-COMP value), "uninit" (uninitialised bytes, undef and
    poison), "argument" or "file". ``name`` is unique along a path. ``type_name`` is the C type, when known.
    ``guard`` (1 bit) says on which part of a joined path the input was asked for. ``is_latent`` marks unwritten bytes
    that a join had to name although the program had not read them. ``base`` is the name that was asked for, before it
    was numbered.
    """

    name: str
    kind: str
    size: int
    leaves: tuple[tuple[Value, int], ...]
    type_name: str | None = None
    guard: Value = 1
    is_latent: bool = False
    base: str = ""
