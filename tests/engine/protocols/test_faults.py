"""The kinds of errors are a closed list: each is explained to users, and found in a program of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import programs
from unfork.options.error_kinds import ERROR_KINDS

PAGE = (Path(__file__).parents[3] / "docs" / "results.md").read_text()


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_the_page_of_results_explains_it(kind: str) -> None:
    assert f"| `{kind}` |" in PAGE


def test_the_corpus_has_all_kinds_and_no_other() -> None:
    assert {kind for program in programs() for kind, _, _ in program.errors} == set(ERROR_KINDS)
