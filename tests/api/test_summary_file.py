"""The file of --json: refused before the run if it cannot be written, and whole after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.runs import explore, written
from unfork.api.summary_file import check_summary_place, write_summary
from unfork.errors import InputError


def test_the_summary_is_written_whole(tmp_path: Path) -> None:
    result = explore(written("int main(void) { return 0; }", tmp_path), tmp_path / "run")
    place = tmp_path / "summary.json"
    check_summary_place(str(place))
    write_summary(result, str(place))
    assert json.loads(place.read_text()) == json.loads(json.dumps(result.summary))


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing" / "summary.json"):
        with pytest.raises(InputError, match="cannot be written"):
            check_summary_place(str(place))
