"""Programs that are proved, and more that must not be: each states in its first comment what verify says of it.

``expect`` is the verdict, ``open`` the kinds of obligations that are not proved, ``says`` a part of a reason,
``assumes`` a part of an assumption.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.power import IS_FULL, part, some
from unfork.cli import parse
from unfork.commands.verify.verify import Verified, verify

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
LONG = {
    "cprover_nested",
    "long_array_less",
    "long_array_rows_less",
    "long_array_unreduced",
    "loops_abstract_array",
    "loops_abstract_calls",
    "loops_abstract_counters",
    "loops_abstract_tempting",
    "volatile_in_loop_alike",
}
"""Programs that take more than two seconds. Each has siblings that differ in little."""
CHOSEN = part([path for path in PROGRAMS if IS_FULL or path.stem not in LONG], lambda path: path.stem, 3)
PROVED = sorted(
    path
    for path in (Path(__file__).parents[3] / "examples" / "proofs").glob("*.c")
    if path.stem not in {"gcd", "insertion_sort", "prefix_sums"}  # which take longer; bench/figures/table3.py has them
)
DEAR = {"binary_search", "copy", "dutch_flag", "reverse"}
"""These are proved without joins alone: with them it takes longer."""
WAYS = ("--merge none", "--merge static --similar always --join summary", "--merge dynamic --similar always --join ite")


def proof(path: Path, folder: Path, words: str = "") -> Verified:
    return verify([path], parse([str(path), "--quiet", "--out", str(folder / "out"), *words.split()])[1])


def stated(path: Path) -> dict[str, str]:
    header = path.read_text().partition("*/")[0]
    return dict(re.findall(r"^(?:/\*| ) *(expect|open|says|assumes|options): (.*?) *$", header, re.M))


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_a_program_ends_as_it_says(path: Path, tmp_path: Path) -> None:
    expected = stated(path)
    verified = proof(path, tmp_path, expected.get("options", ""))
    assert verified.verdict == expected["expect"]
    for each in verified.functions:
        assert (each.verdict == "unsafe") == (each.broken is not None)
    left = {one.subject.kind for each in verified.functions for one in each.obligations if one.ending != "proved"}
    assert left >= set(filter(None, expected.get("open", "").split(", ")))
    assert expected.get("says", "") in "\n".join(reason for each in verified.functions for reason in each.reasons)
    assert expected.get("assumes", "") in "\n".join(verified.summary["assumptions"])


@pytest.mark.parametrize(
    ("path", "way"),
    [(path, way) for path in PROVED for way in (WAYS[:1] if path.stem in DEAR else some(WAYS, path.stem))],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_what_is_true_is_proved_with_and_without_joins(path: Path, way: str, tmp_path: Path) -> None:
    verified = proof(path, tmp_path, way)
    assert verified.verdict == "safe"
    assert all(one.ending == "proved" for each in verified.functions for one in each.obligations)
