"""A fixture that frees the memory of what these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.sources import parsed


@pytest.fixture(scope="package", autouse=True)
def forgotten() -> Iterator[None]:
    """Trees of all sources are a million objects: forking a process that holds them takes long."""
    yield
    parsed.cache_clear()
