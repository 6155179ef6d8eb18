"""What predicates say of variables tells states apart that an abstraction would else take for the same."""

from __future__ import annotations

from pathlib import Path

from tests.runs import errors_of, explore, written

COUNTER = """
#include "unfork.h"
int main(void) {
    for (int count = 0;; count++) {
        unsigned char go;
        unfork_symbolic(&go, 1, "go");
        if (!go) return 0;
        unfork_check(count < 2 || go != 1);
    }
}
"""
COVERING = ("--prune", "subsume", "--abstract", "list", "--merge", "none", "--libc", "none")


def test_a_predicate_keeps_what_it_speaks_of_apart(tmp_path: Path) -> None:
    source = written(COUNTER, tmp_path)
    assert not errors_of(explore(source, tmp_path / "without", *COVERING))
    found = errors_of(explore(source, tmp_path / "with", *COVERING, "--predicate", "count >= 2"))
    assert found == {("assert", "program.c", 8)}
