"""A program that looks at addresses is not covered under other names of its objects; passing them on is no look."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.power import every
from tests.support.runs import explore, written
from unfork.commands.run.run import Result

SWAPPED = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"
union number { char *pointer; unsigned char bytes[8]; uint64_t whole; double real; };
struct __attribute__((packed)) odd { char first; char *pointer; };
static char *p, *q;
static int first_after(char *one, char *other) {
  char *both[2] = { one, other };
  for (int i = 0; i < 1; i++)
    if (both[i] > both[i + 1]) { char *t = both[i]; both[i] = both[i + 1]; both[i + 1] = t; }
  return *both[0];
}
static int by_bytes(union number one, union number other) {
  unsigned a = 0, b = 0;
  for (int i = 7; i > 4; i--) { a = a * 256 + one.bytes[i]; b = b * 256 + other.bytes[i]; }
  return a < b;
}
int main(void) {
  char swapped;
  unfork_symbolic(&swapped, 1, "swapped");
  if (swapped) { p = malloc(1); q = malloc(1); } else { q = malloc(1); p = malloc(1); }
  *p = 1;
  *q = 2;
  union number one = { p }, other = { q };
  unfork_subsume(1);
  unfork_check(NOT(LOOK));
  return 0;
}
"""
LOOKS = [
    "p < q",
    "first_after(p, q) == 1",
    "(uintptr_t)p < (uintptr_t)q",
    "(intptr_t)q - (intptr_t)p > 0",
    "((uintptr_t)p >> 14) % 2 == 0",
    "((uintptr_t)p ^ (uintptr_t)q) == 1ul << 14 && ((uintptr_t)p >> 14) + 1 == (uintptr_t)q >> 14",
    "(unsigned)(uintptr_t)p < (unsigned)(uintptr_t)q",
    "({ uintptr_t n = (uintptr_t)p, m = (uintptr_t)q; unsigned a, b; memcpy(&a, &n, 4); memcpy(&b, &m, 4); a < b; })",
    "({ uintptr_t n = (uintptr_t)p, m = (uintptr_t)q; unsigned char *a = (void *)&n, *b = (void *)&m;"
    " a[1] + 256 * a[2] + 65536 * a[3] < b[1] + 256 * b[2] + 65536 * b[3]; })",
    "one.whole < other.whole",
    "one.real < other.real",
    "by_bytes(one, other)",
    "memcmp(&one, &other, sizeof one) < 0 && memcmp(&p, &q, 6) < 0",
]
PASSED_ON = [
    "*p == 1 && p != q",
    "*(char *)((((uintptr_t)p | 1) & ~(uintptr_t)1)) == 1",
    "(uintptr_t)p % 8 == (uintptr_t)q % 8 && p && p > (char *)16",
    "p + 1 > p && (p + 1) - p == 1",
    "((uintptr_t)p & 4095) == ((uintptr_t)q & 4095)",
    "({ uintptr_t n = (uintptr_t)p; *(unsigned char *)&n % 8 == 0; })",
    "({ char *r; for (unsigned i = 0; i < 8; i++) ((char *)&r)[i] = one.bytes[i]; *r == 1; })",
    "({ char *r; memcpy(&r, &one, 8); one.whole != other.whole && *r == 1; })",
]
HIDDEN = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"
struct __attribute__((packed)) odd { char first; int *pointer; };
int main(void) {
  char c;
  unfork_symbolic(&c, 1, "c");
  int *p = malloc(4), *q = malloc(4), k = 0;
  struct odd *odd = malloc(sizeof *odd);
  memset(odd, 0, sizeof *odd);
  if (c FIRST) k = 1;
  *p = 0;
  *q = k;
  k = 0;
  HIDE
  q = 0;
  unfork_subsume(1);
  unfork_check(*FOUND != 1);
  return 0;
}
"""
PLACES = [
    ("uintptr_t link = (uintptr_t)p ^ (uintptr_t)q;", "(int *)(link ^ (uintptr_t)p)"),
    ("odd->pointer = q;", "odd->pointer"),
    ("memcpy((char *)odd + 1, &q, sizeof q);", "odd->pointer"),
]


def covering(tmp_path: Path, text: str, first: str) -> Result:
    source = written(text.replace("FIRST", first).replace("NOT", first), tmp_path, "looks.c")
    return explore(source, tmp_path / "run", merge="none", prune="subsume", libc="none", search=("bfs",))


@pytest.mark.parametrize("first", every(["", "!"], 2))
@pytest.mark.parametrize("look", LOOKS)
def test_a_look_is_noticed(look: str, first: str, tmp_path: Path) -> None:
    """One of the two orders fails; that which is explored first does not cover the other."""
    result = covering(tmp_path, SWAPPED.replace("LOOK", look), first)
    assert result.verdict in ("unsafe", "bounded")
    if result.verdict == "bounded":
        assert "looks.c:" in result.summary["prunes"]["under_because"]


@pytest.mark.parametrize("passed_on", PASSED_ON)
def test_passing_on_is_no_look(passed_on: str, tmp_path: Path) -> None:
    result = covering(tmp_path, SWAPPED.replace("LOOK", passed_on), "")
    assert result.verdict == "safe"
    assert result.summary["prunes"]["hits"] == 1
    assert result.summary["prunes"]["under_because"] is None


@pytest.mark.parametrize("first", ["", "== 0"])
@pytest.mark.parametrize(("hide", "found"), PLACES)
def test_what_only_a_hidden_address_leads_to_counts(hide: str, found: str, first: str, tmp_path: Path) -> None:
    text = HIDDEN.replace("HIDE", hide).replace("FOUND", found)
    assert covering(tmp_path, text, first).verdict == "unsafe"


def test_what_was_covered_before_the_first_look_makes_the_verdict_bounded(tmp_path: Path) -> None:
    later = SWAPPED.replace(
        "unfork_check(NOT(LOOK))", "for (int i = 0; i < 3; i++) unfork_subsume(i + 2); unfork_check(q < p)"
    )
    result = covering(tmp_path, later, "")
    assert result.verdict == "bounded"
    assert result.summary["prunes"]["under"] == 1
    assert result.summary["prunes"]["under_because"].startswith("addresses are compared by order at")
