"""Functions of the C library in two threads: those that POSIX lets run at once race with nothing, the others do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.generated_threads import Program
from tests.support.interleavings import WITH_RACES, Programs, Seen, is_racy
from tests.support.power import IS_FULL, part
from tests.world.kernel.locked_functions import (
    FILES_OF_THEIR_OWN,
    FREED,
    MEMORY_AND_PLACES,
    ONE_FILE,
    PRELUDE,
    RACES,
    STANDARD_STREAMS,
    case,
)

STEPS = 3_000
SAFE = {
    **{f"own_{name}": body for name, body in FILES_OF_THEIR_OWN.items()},
    **{f"one_{name}": body for name, body in ONE_FILE.items()},
    **{f"standard_{name}": body for name, body in STANDARD_STREAMS.items()},
    **{f"memory_{name}": body for name, body in MEMORY_AND_PLACES.items()},
}
DEAR = ("own_fopen_to_read", "own_fprintf")
"""These have some thousand orders; other functions open and print, too."""
WRONG = {
    **{f"race_{name}": body for name, body in RACES.items()},
    **{f"freed_{name}": body for name, body in FREED.items()},
}


def _programs(cases: Mapping[str, str], folder: Path) -> Programs:
    programs = [Program(name, case(name, body)) for name, body in cases.items()]
    return Programs(programs, folder, *WITH_RACES, prelude=PRELUDE)


@pytest.fixture(scope="module")
def safe(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return _programs(SAFE, tmp_path_factory.mktemp("safe"))


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return _programs(WRONG, tmp_path_factory.mktemp("wrong"))


@pytest.mark.parametrize("name", part([name for name in SAFE if IS_FULL or name not in DEAR], str, 2))
def test_what_may_run_at_once_is_no_race(safe: Programs, name: str) -> None:
    seen = safe.by_schedules(name, STEPS)
    assert seen.is_all
    assert {end[:2] for end in seen.ends} == {("ended", "exit")}, seen.ends


@pytest.mark.parametrize("name", part([f"race_{name}" for name in RACES], str, 2))
def test_what_must_not_run_at_once_is_a_race(wrong: Programs, name: str) -> None:
    assert is_racy(wrong.by_schedules(name, STEPS))


@pytest.mark.parametrize("name", [f"freed_{name}" for name in FREED])
def test_what_another_thread_frees_is_used_in_some_order(wrong: Programs, name: str) -> None:
    kinds = {end[1] for end in wrong.by_schedules(name, STEPS).ends if end[0] == "failed"}
    assert kinds & {"use-after-free", "double-free"}


@pytest.mark.parametrize(
    ("body", "outputs"),
    [
        ('fputs(n ? "ab" : "cd", stdout);', {b"abcd", b"cdab"}),
        ("putchar(n ? 'a' : 'b'); putchar(n ? 'c' : 'd');", {b"acbd", b"abcd", b"abdc", b"bacd", b"badc", b"bdac"}),
        ('write(1, n ? "ab" : "cd", 2);', {b"abcd", b"cdab"}),
        (
            "flockfile(stdout); putchar(n ? 'a' : 'b'); putchar_unlocked(n ? 'c' : 'd'); funlockfile(stdout);",
            {b"acbd", b"bdac"},
        ),
        (
            "if (n) { flockfile(stdout); putchar_unlocked('a'); putchar('b'); funlockfile(stdout); }"
            " else putchar('c');",
            {b"abc", b"cab"},
        ),
    ],
)
def test_each_order_of_output_is_seen(body: str, outputs: set[bytes], tmp_path: Path) -> None:
    programs = _programs({"prints": body}, tmp_path)
    assert _outputs(programs.by_schedules("prints", STEPS)) == outputs
    every, _ = programs.by_states("prints", STEPS * 10)
    assert every.is_all
    assert _outputs(every) == outputs


def _outputs(seen: Seen) -> set[object]:
    return {end[-1] for end in seen.ends}
