"""Runs whose joins keep predicates: they prove where these suffice, and never say safe where something fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.merge.test_abstract_runs import check, dist, ran
from unfork.errors import InputError
from unfork.options.options import DOMAINS, LATTICES
from unfork.reduce.merge import domains

DIST = dist()
CONJUNCTIVE = "abstract:conjunctive"


def test_predicates_prove_dist(tmp_path: Path) -> None:
    """Scheurer16, Examples 3 and 4, with the places that registers have and with those of memory."""
    for optimize in (0, 1):
        out = str(tmp_path / str(optimize))
        chosen = {"join": CONJUNCTIVE, "predicate": ("v >= x", "v >= 0"), "optimize": optimize, "out": out}
        result = ran(tmp_path, DIST, **chosen)
        assert result.verdict == "safe"
        assert result.summary["merges"]["done"] == 2
        check(result)


@pytest.mark.parametrize("given", [("v >= 0",), ("v >= x",), ("y: v >= x", "y: v >= 0", "x: v <= 0")])
def test_predicates_that_lose_too_much_give_an_alarm(given: tuple[str, ...], tmp_path: Path) -> None:
    """A bad choice makes the goal unprovable (Scheurer16, section 6): that is unknown, not unsafe."""
    result = ran(tmp_path, DIST, join=CONJUNCTIVE, predicate=given)
    assert result.verdict == "unknown"
    assert [found.line for found in result.alarms] == [16]
    assert not result.errors
    check(result)


MIXED = """
static int total;
int level = 3;
int main(void) {
  static unsigned char small;
  unsigned seen;
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 5) {
    int level = 1;
    total = 4 + level;
    small = 200;
    seen = 7;
  } else {
    total = 10;
    small = 100;
    seen = 9;
  }
  unfork_check(total > level);
  unfork_check(small >= 100);
  unfork_check(seen & 1);
  if (seen == 8)
    return 1;
  return 0;
}
"""


def test_domains_and_predicates_by_variable_and_type(tmp_path: Path) -> None:
    """Statics of a file and of a function, an inner variable that hides a global, unsigned comparison, and ite."""
    chosen = {
        "join": "abstract:seen:parity,conjunctive",
        "predicate": ("total: v > level", "unsigned char: v >= 100"),
    }
    result = ran(tmp_path, MIXED, **chosen)
    assert result.verdict == "safe"
    assert result.summary["merges"]["done"]
    assert result.summary["options"]["predicate"] == list(chosen["predicate"])
    exact = ran(tmp_path, MIXED, join="abstract:long:sign", out=str(tmp_path / "exact"))
    assert exact.verdict == "safe"
    worse = ran(tmp_path, MIXED, join="abstract:unsigned char:sign", out=str(tmp_path / "worse"))
    assert worse.verdict == "unknown"
    assert [found.line for found in worse.alarms] == [21]


def test_a_bug_behind_predicates_is_found_or_unknown(tmp_path: Path) -> None:
    """What fails for the program fails for the joined state too."""
    buggy = DIST.replace("return y - x;", "return y - x - 1;")
    for given in (("v >= x", "v >= 0"), ("v >= 0",)):
        result = ran(tmp_path, buggy, join=CONJUNCTIVE, predicate=given, out=str(tmp_path / str(len(given))))
        assert result.verdict in ("unsafe", "unknown")
        check(result)


@pytest.mark.parametrize(
    ("how", "given", "reason"),
    [
        ("conjunctive", (), "'conjunctive' needs predicates"),
        ("sign", ("v > 0",), "predicates need one of simple, conjunctive, disjunctive"),
        ("simple", ("v > q",), "'v > q': no variable of the program is called 'q'"),
        ("disjunctive", ("nothing: v > x",), "no variable or type of the program is called 'nothing'"),
        ("q:sign", (), "no variable or type of the program is called 'q'"),
        ("simple", ("v >",), "the end where a value should be"),
    ],
)
def test_what_makes_no_sense_is_refused(how: str, given: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        ran(tmp_path, DIST, join=f"abstract:{how}", predicate=given)
    assert str(refused.value).endswith(reason)
    assert not (tmp_path / "run").exists()


def test_the_options_name_every_domain_and_lattice() -> None:
    assert set(DOMAINS) == set(domains.DOMAINS)
    assert set(LATTICES) == set(domains.LATTICES)


def test_predicates_without_an_abstract_join_are_refused(tmp_path: Path) -> None:
    for how in ("summary", "ite", "havoc"):
        with pytest.raises(InputError, match=f"--predicate: --join {how} keeps no predicates"):
            ran(tmp_path, DIST, join=how, predicate=("v > 0",))
