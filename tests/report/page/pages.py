"""Pages of runs, and the data in them."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

from unfork.commands.afterwards.page import page

EXAMPLES = Path(__file__).parents[3] / "examples"
_DATA = re.compile(r'<script type="application/gzip" id="data">([^<]*)</script>')


def written(root: Path) -> Path:
    """The page of a run directory, as a file in it."""
    target = root / "report.html"
    target.write_bytes(page(root))
    return target


def data_in(text: str) -> dict[str, Any]:
    """The data in a page."""
    match = _DATA.search(text)
    assert match is not None
    data = json.loads(gzip.decompress(base64.b64decode(match[1])))
    assert isinstance(data, dict)
    return data


def data_of(root: Path) -> dict[str, Any]:
    """The data of a run's page."""
    return data_in(page(root).decode())
