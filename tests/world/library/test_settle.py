"""Addresses that may be several become one on each path, however deep they lie."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import explore, written

CHOICES = """
#include <assert.h>
#include "unfork.h"
void unfork_settle(void *pointer);
struct node { int number; struct node *next; };
int main(void) {
    struct node ends[2] = {{7, 0}, {8, 0}};
    struct node first = {1, 0};
    unsigned char which;
    unfork_symbolic(&which, 1, "which");
    first.next = &ends[which & 1];
    unfork_settle(&first);
    assert(first.next->number == 7 + (which & 1));
    return 0;
}
"""


def test_each_address_gets_a_path(tmp_path: Path) -> None:
    words = ("--libc", "none", "--merge", "none")
    result = explore(written(CHOICES, tmp_path), tmp_path / "run", *words)
    assert result.verdict == "safe"
    assert result.summary["paths"]["completed"] == 2
