"""Runs of programs that say in comments where to join, and how: each schedule of merging does as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.merge.test_abstract_runs import check, dist, ran
from unfork.errors import InputError

PREDICATES = "merge_proc predicates; merge_params { conjunctive: (int v) -> { v >= x, v >= 0 } };"
SCHEDULES = ("marked", "static", "dynamic", "all", "function")


@pytest.mark.parametrize("merge", SCHEDULES)
@pytest.mark.parametrize("how", ["merge_proc ite;", PREDICATES])
def test_every_schedule_joins_behind_the_block(merge: str, how: str, tmp_path: Path) -> None:
    """Predicates prove what havoc, which --join names here, does not: so the join is the annotation's."""
    result = ran(tmp_path, dist(how), merge=merge, join="havoc", similar="qce")
    assert result.verdict == "safe"
    assert result.summary["merges"]["done"] == 1
    assert result.summary["paths"]["represented"] == 2
    check(result)


def test_without_merging_annotations_join_nothing(tmp_path: Path) -> None:
    result = ran(tmp_path, dist("merge_proc ite;"), merge="none")
    assert result.verdict == "safe"
    assert result.summary["merges"]["done"] == 0


@pytest.mark.parametrize(
    ("how", "verdict"),
    [("merge_proc sign;", "unknown"), ("merge_proc abstract:char:sign;", "safe"), ("merge_proc havoc;", "unknown")],
)
def test_domains_may_be_named(how: str, verdict: str, tmp_path: Path) -> None:
    """Signs alone do not prove it; signs of characters leave ints to ite."""
    result = ran(tmp_path, dist(how), merge="marked")
    assert result.verdict == verdict
    assert result.summary["merges"]["done"] == 1
    assert not result.errors


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("merge_proc ite", "should be: merge_proc HOW;"),
        ("merge_proc sgn;", "merge_proc sgn: 'sgn' is none of sign,"),
        ("merge_proc predicates;", "merge_proc predicates: predicates need merge_params"),
        ("merge_proc conjunctive;", "merge_proc conjunctive: 'conjunctive' needs predicates"),
        ("merge_proc ite; merge_params { simple: (int v) -> { v } };", "merge_params are for predicates"),
        ("merge_proc predicates; merge_params { both: (int v) -> { v } };", "merge_proc predicates: 'both' is none of"),
        (
            "merge_proc predicates; merge_params { simple: (int v) -> { v > q } };",
            "merge_proc predicates: 'v > q': no variable of the program is called 'q'",
        ),
    ],
)
def test_what_an_annotation_cannot_mean_is_refused(how: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        ran(tmp_path, dist(how), merge="marked")
    assert "\n" not in str(refused.value)
    assert f"p.c:4: {reason}" in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_one_that_is_nowhere_is_told(tmp_path: Path) -> None:
    result = ran(tmp_path, dist("merge_proc ite;") + "/*@ merge_proc ite; @*/\n", merge="marked")
    warnings = (result.directory / "warnings.txt").read_text()
    assert "p.c:20: no block of the program follows this annotation" in warnings
    assert result.summary["merges"]["done"] == 1
