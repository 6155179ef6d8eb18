"""The refusal to take a loop in one step."""

from __future__ import annotations


class NotAtOnce(Exception):
    """This path has to run the loop iteration by iteration. The message says why."""
