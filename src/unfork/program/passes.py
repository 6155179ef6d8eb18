"""Simplifies a module's text."""

from __future__ import annotations


def simplify(text: str) -> str:
    return text
