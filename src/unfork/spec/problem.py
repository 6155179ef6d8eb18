"""What a contract says that has no meaning where it is read."""

from __future__ import annotations


class NoMeaning(Exception):
    """An expression that is not supported, or names what is not there. The message is one line."""
