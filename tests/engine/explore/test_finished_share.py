"""All paths together are one whole, however states fork and join, and the finished share is the part that is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import options_of
from unfork.commands.run.run import run
from unfork.engine.explore.finished_share import FinishedShare
from unfork.engine.protocols.events import Event

POPCOUNT = Path("bench/programs/popcount.c")


class Watching:
    """Notes the finished share after each event."""

    def __init__(self) -> None:
        self.share = FinishedShare()
        self.course: list[float] = []

    def tell(self, event: Event) -> None:
        self.share.tell(event)
        self.course.append(self.share.finished)


@pytest.mark.parametrize("strategy", ["plain", "join", "count", "learn", "match"])
def test_it_grows_from_nothing_to_everything(strategy: str, tmp_path: Path) -> None:
    watching = Watching()
    options = ("-D", "BITS=6", "--strategy", strategy, "--cores", "1")
    result = run(POPCOUNT, options_of(tmp_path / "run", *options), observers=[watching])
    assert result.verdict == "safe"
    assert watching.course[0] == 0
    assert watching.course == sorted(watching.course)
    assert watching.course[-1] == pytest.approx(1)


def test_paths_that_end_early_are_large_shares(tmp_path: Path) -> None:
    source = tmp_path / "early.c"
    source.write_text("""
    #include "unfork.h"
    int main(void) {
        unsigned char x[3];
        unfork_symbolic(x, sizeof x, "x");
        if (x[0] == 1) return 0;
        if (x[1] == 1) return 1;
        if (x[2] == 1) return 2;
        return 3;
    }
    """)
    watching = Watching()
    run(source, options_of(tmp_path / "run", "--strategy", "plain", "--cores", "1"), observers=[watching])
    steps = {round(after - before, 6) for before, after in zip(watching.course, watching.course[1:], strict=False)}
    assert steps == {0, 1 / 2, 1 / 4, 1 / 8}


def test_what_was_given_up_is_not_over(tmp_path: Path) -> None:
    source = tmp_path / "given_up.c"
    source.write_text("""
    #include "unfork.h"
    int main(void) {
        char x;
        unfork_symbolic(&x, sizeof x, "x");
        if (x == 1) __asm__ volatile("cpuid" ::: "rax", "rbx", "rcx", "rdx");
        return 0;
    }
    """)
    watching = Watching()
    result = run(source, options_of(tmp_path / "run", "--strategy", "plain", "--cores", "1"), observers=[watching])
    assert result.verdict == "unknown"
    assert watching.course[-1] == 1 / 2
