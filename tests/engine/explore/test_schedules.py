"""Which thread goes on: what is left out comes to nothing that is not explored otherwise."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.generated_threads import PRELUDE_OF_STDIO, generate, generate_of_own, generate_with_stdio
from tests.support.generated_waits import generate as generate_waits
from tests.support.interleavings import WITH_RACES, WITHOUT_RACES, End, Programs, Seen, is_racy
from tests.support.power import LONG, examples, paired, some
from tests.support.runs import errors_of, explore
from unfork.engine.explore.schedules import Schedules
from unfork.engine.protocols.outcome import Failed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS, YieldPoints
from unfork.engine.state.state import State
from unfork.engine.state.threads import THREADS
from unfork.program.llvm.types import Position

NUMBERS = (
    *(10, 11, 19, 25, 46, 48, 52, 60, 64, 66, 71, 72, 76, 77, 79, 81, 118, 129),
    *(130, 134, 135, 137, 143, 144, 153, 167, 168, 185, 230, 231, 235, 236, 237, 246, 261, 265),
    *(267, 274, 284, 289, 294, 297, 302, 310, 322, 327, 349, 355, 356, 362, 371, 386, 387),
    *(397, 403, 409, 444, 466, 492),
)
"""Programs that differ if waits, races, sleep sets or ends of paths are not heeded; bench/threads_law.py has more."""
PARTED = (22, 34, 89, 90, 99, 135, 162, 174, 246, 248, 371, 387)
"""Programs with inputs, whose paths part and join while threads take turns."""
OF_OWN = (0, 3, 7, 12, 13, 21, 22, 25, 38, 43, 44, 48, 54, 72, 98, 126, 130, 142, 147, 151)
"""Programs whose threads show each other variables of their own: in half of them, one is used after its thread."""
WITH_STDIO = examples(50)
"""How many programs with thread-local variables, compare-exchanges and streams each group has."""
STEPS_WITH_STDIO = 300
"""Programs whose interleavings take more are left out."""
WAITS = 0, 60
"""Programs with loops that wait: the same in bench/threads_law.py --waits."""
STEPS = 3_000
"""More than any of them needs."""
PROGRAMS = [generate(number) for number in NUMBERS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("threads")


def test_the_ends_are_those_of_all_interleavings(folder: Path) -> None:
    programs = Programs(PROGRAMS, folder, *WITHOUT_RACES)
    fewer = 0
    for program in PROGRAMS:
        every = programs.by_brute_force(program.entry, STEPS)
        reduced = programs.by_schedules(program.entry, STEPS)
        assert every.is_all and reduced.is_all, program.text
        assert reduced.ends == every.ends, program.text
        fewer += every.paths - reduced.paths
    assert fewer > 1_000


def test_variables_end_with_their_threads_in_all_interleavings(tmp_path: Path) -> None:
    found = [generate_of_own(number) for number in OF_OWN]
    programs = Programs(found, tmp_path, *WITHOUT_RACES)
    ended = 0
    for program in found:
        every = programs.by_brute_force(program.entry, STEPS)
        reduced = programs.by_schedules(program.entry, STEPS)
        assert every.is_all and reduced.is_all, program.text
        assert reduced.ends == every.ends, program.text
        ended += any(end[:2] == ("failed", "use-after-free") for end in every.ends)
    assert ended > 10


def test_there_is_a_race_where_some_interleaving_has_one(folder: Path) -> None:
    programs = Programs(PROGRAMS, folder, *WITH_RACES)
    races = 0
    for program in PROGRAMS:
        every = programs.by_brute_force(program.entry, STEPS)
        assert every.is_all, program.text
        assert is_racy(programs.by_schedules(program.entry, STEPS)) == is_racy(every), program.text
        races += is_racy(every)
    assert 5 < races < len(PROGRAMS) - 5


def test_joins_within_a_stretch_of_one_thread_find_the_same_errors(tmp_path: Path) -> None:
    parted = [generate(number) for number in PARTED]
    programs = Programs(parted, tmp_path, *WITHOUT_RACES)
    for program in parted:
        words = ("--function", program.entry, "--strategy", "join", "--libc", "none", *WITHOUT_RACES)
        joined = explore(programs.source, tmp_path / program.entry, *words)
        errors = {(end[1], end[2]) for end in programs.by_brute_force(program.entry, STEPS).ends if end[0] == "failed"}
        assert {(kind, line) for kind, _, line in errors_of(joined)} == errors, program.text
        assert joined.verdict == ("unsafe" if errors else "safe")
        assert all(error.replayed for error in joined.errors)


@pytest.mark.parametrize("first", some([0, 1_000, 2_000, 3_000], "streams"))
def test_streams_and_compare_exchanges_come_to_what_all_interleavings_come_to(first: int, tmp_path: Path) -> None:
    generated = [generate_with_stdio(number) for number in range(first, first + 2 * WITH_STDIO)]
    plain = Programs(generated, tmp_path, *WITHOUT_RACES, prelude=PRELUDE_OF_STDIO)
    racing = Programs(generated, tmp_path, *WITH_RACES, prelude=PRELUDE_OF_STDIO)
    compared = 0
    for program in generated:
        every = plain.by_brute_force(program.entry, STEPS_WITH_STDIO)
        with_races = racing.by_brute_force(program.entry, STEPS_WITH_STDIO)
        if not (every.is_all and with_races.is_all):
            continue
        assert plain.by_schedules(program.entry, STEPS_WITH_STDIO).ends == every.ends, program.text
        assert is_racy(racing.by_schedules(program.entry, STEPS_WITH_STDIO)) == is_racy(with_races), program.text
        compared += 1
        if compared == WITH_STDIO:
            break
    assert compared == WITH_STDIO


@LONG
def test_loops_that_wait_come_to_what_all_states_come_to(tmp_path: Path) -> None:
    waits = [generate_waits(number) for number in range(*WAITS)]
    programs = Programs(waits, tmp_path, *WITHOUT_RACES)
    stuck = 0
    for program in waits:
        every, is_stuck = programs.by_states(program.entry, STEPS)
        reduced = programs.by_schedules(program.entry, STEPS)
        assert every.is_all and reduced.is_all, program.text
        assert without_deadlocks(reduced) == without_deadlocks(every), program.text
        is_dead = reduced.ends != without_deadlocks(reduced)
        assert is_dead == (is_stuck or every.ends != without_deadlocks(every)), program.text
        stuck += is_stuck
    assert stuck > 10


def without_deadlocks(seen: Seen) -> frozenset[End]:
    return frozenset([end for end in seen.ends if end[:2] != ("failed", "deadlock")])


LONG = """#include <pthread.h>
static int visits;
static void *run(void *unused) {
  for (int i = 0; i < 1000000; i++) visits++;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  return pthread_join(two, 0);
}
"""
FAR = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, steps;
static void *run(void *unused) {
  for (int i = 0; i < 1000000; i++) steps++;
  x = 1;
  return unused;
}
static void *look(void *unused) {
  assert(steps == 0 || steps > 500000);
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, look, 0);
  pthread_join(one, 0);
  return pthread_join(two, 0);
}
"""


@pytest.mark.parametrize(
    ("found", "strategy"), paired([(LONG, "data-race", 4), (FAR, "assert", 11)], ["plain", "join"])
)
def test_what_is_near_is_found_although_a_thread_could_go_on_for_long(
    found: tuple[str, str, int], strategy: str, tmp_path: Path
) -> None:
    text, kind, line = found
    source = tmp_path / "p.c"
    source.write_text(text)
    words = ("--max-instructions", "20000", "--native-check", "never")
    result = explore(source, tmp_path / strategy, "--strategy", strategy, *words)
    assert [(error.kind, error.line) for error in result.errors] == [(kind, line)]
    assert all(error.replayed for error in result.errors)


class Waiting:
    """A stepper whose thread gets nowhere, as one that waits for a solver without time."""

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        return [Running(state)]


def test_a_step_that_gets_nowhere_ends() -> None:
    threads = SimpleNamespace(fresh=(), stands=False, sample=None, is_granted=True)
    state: Any = SimpleNamespace(remembered={THREADS: threads}, node=0, instructions=7)
    [outcome] = Schedules(Waiting(), no_failure, None, finds_deadlocks=True).step(state, FORKS)
    assert outcome.state is state


def no_failure(state: State, kind: str, message: str, position: Position | None) -> Failed:
    raise AssertionError(message)
