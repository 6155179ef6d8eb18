"""Runs and proofs whose joins infer their predicates: never a wrong safe, and never worse than exact joins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.merge.test_abstract_runs import check
from tests.reduce.merge.test_merging import CHOSEN
from tests.support.corpus import PROGRAMS, read
from tests.support.power import some
from tests.support.runs import errors_of, explore, options_of, written
from unfork.commands.run.run import Result
from unfork.commands.verify.verify import verify
from unfork.errors import InputError
from unfork.reduce.merge import refinement

INFERRED = "abstract:inferred"
ROOT = Path(__file__).parents[3]
BENCH, EXAMPLES = ROOT / "bench" / "programs", ROOT / "examples"


def ran(folder: Path, source: str, *words: str, merge: str = "static") -> Result:
    file = written('#include "unfork.h"\n' + source, folder)
    mode = ("--merge", merge, "--similar", "always", "--join", INFERRED, "--libc", "none")
    return explore(file, folder / "out", *mode, *words)


@pytest.mark.parametrize("name", some([*CHOSEN], "inferred", 5))
def test_inferred_joins_come_to_what_exact_ones_come_to(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    for merge in ("static", "dynamic"):
        mode = ("--merge", merge, "--similar", "always", "--max-time", "300")
        exact = explore(program, tmp_path / f"exact {merge}", *mode, "--join", "ite")
        result = explore(program, tmp_path / merge, *mode, "--join", INFERRED)
        assert errors_of(result) == errors_of(exact)
        assert result.verdict == exact.verdict
        assert not result.alarms
        check(result)


PAPER = {
    "dist": ("unfork_merge_end();\n    return", "unfork_check(x >= 0); unfork_check(x <= y);\n    return"),
    "abs": ("unfork_merge_end();\n    return", "unfork_check(result >= 0);\n    return"),
    "gcd": (
        "unfork_merge_end();\n    if (a > b)",
        "unfork_check((a >= 0) & (b >= 0)); unfork_check((a == a0) | (a == -a0));\n"
        "    unfork_check((b == b0) | (b == -b0));\n"
        "    if (a > b)",
    ),
    "pos_sum": ("unfork_merge_end();\n    unfork", "unfork_check(y == first + second);\n    unfork"),
}
"""What follows the last join of each program of Table 3, and the paper's predicates for it in its place."""


@pytest.mark.parametrize("name", PAPER)
def test_what_is_inferred_implies_what_the_paper_gives(name: str, tmp_path: Path) -> None:
    """Table 3 of Scheurer16: safe at once, with the paper's predicates as assertions where states were joined."""
    text = (BENCH / f"{name}.c").read_text()
    before, after = PAPER[name]
    assert before in text
    plain = text.removeprefix(text[: text.index("#include")])
    result = ran(tmp_path, plain.replace(before, "unfork_merge_end();\n    " + after), merge="marked")
    assert result.verdict == "safe"
    assert result.summary["merges"]["done"]
    told = result.summary["merges"]["inferred"]
    assert told["again"] == 0
    assert told["places"]
    check(result)


@pytest.mark.parametrize("name", PAPER)
def test_joins_of_table_3_are_proved_again(name: str, tmp_path: Path) -> None:
    result = explore(BENCH / f"{name}.c", tmp_path / "out", "--merge", "marked", "--join", INFERRED, "--audit")
    assert result.verdict == "safe"
    assert result.summary["audit"]["proved"]
    assert not result.summary["audit"]["failed"]


@pytest.mark.parametrize("name", ["abs", "dist", "pos_sum"])
def test_proofs_of_table_3(name: str, tmp_path: Path) -> None:
    words = ("--merge", "marked", "--join", INFERRED)
    proved = verify(EXAMPLES / "proofs" / f"{name}.c", options_of(tmp_path / "out", *words))
    assert proved.verdict == "safe"
    (function,) = proved.functions
    assert function.inferred is not None
    assert function.inferred["again"] == 0
    assert function.inferred["places"]


RELATED = """
int main(void) {
  int x, kind, cost;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 10) {
    kind = 1;
    cost = 7;
  } else {
    kind = 2;
    cost = 5;
  }
  unfork_check((kind == 1) == (x > LIMIT));
  return cost == 6;
}
"""


def test_a_place_that_forgot_too_much_gets_what_excludes_the_failure(tmp_path: Path) -> None:
    """That the kind depends on x is not among what is inferred: the check fails at first, and is proved then."""
    result = ran(tmp_path, RELATED.replace("LIMIT", "10"))
    assert result.verdict == "safe"
    told = result.summary["merges"]["inferred"]
    assert told["again"] == 1
    assert not told["exact"]
    (place,) = [each for each in told["places"] if each["function"] == "main"]
    assert [text for text in place["predicates"] if "kind" in text and "x" in text]
    check(result)


def test_joins_with_what_failures_gave_are_proved_again(tmp_path: Path) -> None:
    result = ran(tmp_path, RELATED.replace("LIMIT", "10"), "--audit")
    assert result.verdict == "safe"
    assert not result.summary["merges"]["inferred"]["exact"]
    assert result.summary["audit"]["proved"]
    assert not result.summary["audit"]["failed"]


def test_a_place_that_failures_do_not_help_joins_exactly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(refinement, "MOST_TRIES", 0)
    result = ran(tmp_path, RELATED.replace("LIMIT", "10"))
    assert result.verdict == "safe"
    assert result.summary["merges"]["inferred"]["again"] == 1
    assert [place["function"] for place in result.summary["merges"]["inferred"]["exact"]] == ["main"]
    check(result)


CHAIN = """
int main(void) {
  unsigned x, y;
  unfork_symbolic(&x, sizeof x, "x");
  switch (x & 3) {
  case 0: y = 5; break;
  case 1: y = 6; break;
  case 2: y = 7; break;
  default: y = 8;
  }
  unfork_check(y - 5 == (x & 3));
  return 0;
}
"""


def test_what_a_failure_gives_is_of_all_joins_at_a_place(tmp_path: Path) -> None:
    """Four states meet, two at a time: which side it was of each join is said of the variable."""
    result = ran(tmp_path, CHAIN, "--optimize", "0")
    assert result.verdict == "safe"
    told = result.summary["merges"]["inferred"]
    assert told["again"] == 1
    assert not told["exact"]
    check(result)


def test_an_error_is_found_with_the_first_exploration_or_the_last(tmp_path: Path) -> None:
    result = ran(tmp_path, RELATED.replace("LIMIT", "9"))
    assert result.verdict == "unsafe"
    assert [(error.kind, error.line) for error in result.errors] == [("assert", 13)]
    assert not result.alarms
    check(result)


LOOP = """
int main(void) {
  unsigned x, n, i = 0;
  unfork_symbolic(&x, sizeof x, "x");
  n = x & 1 ? (x * 37 ^ x >> 3) & 3 : (x ^ x >> 5) & 1;
  while (i < n)
    i++;
  unfork_check(i == n);
  return 0;
}
"""


def test_an_exploration_that_goes_astray_begins_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The loop's bound was forgotten: it would go on for ever."""
    monkeypatch.setattr(refinement, "MOST_FORKS", 20)
    result = ran(tmp_path, LOOP)
    assert result.verdict == "safe"
    assert result.summary["merges"]["inferred"]["again"]
    assert result.summary["exhausted"]
    check(result)


WEAK = """
#include "unfork.h"
/*@ requires x < 1000;
    assigns \\nothing;
    ensures \\result == (x > 10 ? 7 : 5);
*/
int cost(int x) {
  int cost;
  unfork_merge_begin();
  if (x > 10)
    cost = 7;
  else
    cost = OTHER;
  unfork_merge_end();
  return cost;
}
"""


def test_a_proof_that_forgot_too_much_begins_again(tmp_path: Path) -> None:
    for other, verdict in (("5", "safe"), ("6", "unsafe")):
        file = written(WEAK.replace("OTHER", other), tmp_path, f"p{other}.c")
        proved = verify(file, options_of(tmp_path / other, "--merge", "marked", "--join", INFERRED))
        assert proved.verdict == verdict
        (function,) = proved.functions
        assert function.inferred is not None
        assert function.inferred["again"] == 1
        assert bool(function.inferred["exact"]) is (verdict == "unsafe")


@pytest.mark.parametrize(
    "words",
    [
        ("--predicate", "v >= 0"),
        ("--prune", "subsume", "--merge", "static"),
        ("--loops", "abstract"),
    ],
)
def test_what_goes_with_inferred_predicates(words: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(InputError):
        ran(tmp_path, RELATED, *words)


def test_an_annotation_infers_nothing(tmp_path: Path) -> None:
    marked = RELATED.replace("LIMIT", "10").replace("  if (x", '  /*@ merge_proc "abstract:inferred"; @*/\n  if (x')
    with pytest.raises(InputError, match="inferred"):
        ran(tmp_path, marked, "--merge", "marked")
