"""No, because: how one part tells another that it declines, in the one form that crosses contracts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that is not done. Law: ``reason`` is short and countable ("hot variable"), the same for the same cause.

    A part may carry its reasons about as exceptions inside; what leaves it is a refusal.
    """

    reason: str
