"""The page of a run: what its directory holds, and what the engine can still tell of its program."""

from __future__ import annotations

from pathlib import Path

from unfork.page.data import page_data
from unfork.page.document import document


def page(root: Path) -> bytes:
    """The page of the run in ``root``. Raises InputError for what is no run directory."""
    data = page_data(root, {})
    return document(data, f"{' '.join(data['summary']['program'])} - unfork")
