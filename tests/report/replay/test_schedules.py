"""Native replays of programs with threads: one thread goes on at a time, as the schedule of the test says."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.report.replay.enclosure import NATIVE
from tests.support.corpus import PROGRAMS
from tests.support.power import some
from tests.support.runs import explore
from unfork.cli import main
from unfork.report.replay.account import CUT
from unfork.report.replay.native_replay import race_detectors

HEADS = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
LOST_UPDATE = """atomic_int n;
void *add(void *a) { int old = n; n = old + 1; return a; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, add, 0); pthread_create(&u, 0, add, 0);
  pthread_join(t, 0); pthread_join(u, 0); assert(n == 2); return 0; }
"""
PHILOSOPHERS = """pthread_mutex_t left, right;
void *eat(void *a) { pthread_mutex_lock(&right); pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left); pthread_mutex_unlock(&right); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, eat, 0);
  pthread_mutex_lock(&left); pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right); pthread_mutex_unlock(&left); pthread_join(t, 0); return 0; }
"""
LOST_WAKE_UP = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *wake(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); pthread_cond_signal(&c); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, wake, 0);
  pthread_mutex_lock(&m); int is_ready = ready; pthread_mutex_unlock(&m);
  if (!is_ready) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }
  pthread_join(t, 0); return 0; }
"""
WRONG_UNLOCK = """pthread_mutex_t m;
void *give(void *a) { pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, give, 0); pthread_join(t, 0); return 0; }
"""
COPIES = """#include <stdio.h>
#include <string.h>
struct pair { int a, b; } shared;
char text[16];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *write_both(void *a) { pthread_mutex_lock(&m); snprintf(text, sizeof text, "%d", 7);
  struct pair own = {1, 2}, *at = &own; at->a = 3; shared = *at; pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, write_both, 0);
  char copy[16]; const char *word = "abc"; int value = 4, *at = &value; *at += 1;
  pthread_mutex_lock(&m); strcpy(copy, text); struct pair own = shared; pthread_mutex_unlock(&m);
  assert(value == 5 && word[1] == 'b'); pthread_join(t, 0); assert(own.a != 3 || copy[0] != '7'); return 0; }
"""
KINDS = """#include <semaphore.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; sem_t s; pthread_once_t o = PTHREAD_ONCE_INIT; atomic_int n, order;
pthread_barrier_t b; _Thread_local int own; pthread_key_t key; pthread_mutex_t r;
void init(void) { n++; }
void *f(void *a) { pthread_once(&o, init); pthread_rwlock_rdlock(&l); own = order; pthread_rwlock_unlock(&l);
  pthread_setspecific(key, &own); sem_post(&s); pthread_barrier_wait(&b); assert(pthread_getspecific(key) == &own);
  return (void *)(long)own; }
int main(void) { pthread_t t; pthread_mutexattr_t how; void *result;
  pthread_mutexattr_init(&how); pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&r, &how);
  pthread_key_create(&key, 0); sem_init(&s, 0, 0); pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0);
  pthread_once(&o, init); pthread_mutex_lock(&r); pthread_mutex_lock(&r);
  pthread_mutex_unlock(&r); pthread_mutex_unlock(&r);
  pthread_rwlock_wrlock(&l); order = 1; pthread_rwlock_unlock(&l); sem_wait(&s); pthread_barrier_wait(&b);
  pthread_join(t, &result); assert(n == 1); assert(result == 0); return 0; }
"""
OF_C11 = """#include <threads.h>
mtx_t m; cnd_t c; int is_ready; atomic_int x; once_flag o = ONCE_FLAG_INIT;
void init(void) { x++; }
int f(void *a) { call_once(&o, init); mtx_lock(&m); is_ready = 1; cnd_signal(&c); mtx_unlock(&m);
  int one = 1; atomic_compare_exchange_strong(&x, &one, 5); return 3; }
int main(void) { thrd_t t; int result; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, f, 0);
  call_once(&o, init); int old = atomic_fetch_add(&x, 1);
  mtx_lock(&m); while (!is_ready) cnd_wait(&c, &m); mtx_unlock(&m);
  thrd_join(t, &result); assert(result == 3); assert(old != 5); return 0; }
"""
INPUTS = """#include <unfork.h>
atomic_int turn;
void *f(void *a) { int x; unfork_symbolic(&x, sizeof x, "x"); turn = x; return a; }
int main(void) { pthread_t t; int y; pthread_create(&t, 0, f, 0); turn = 3;
  unfork_symbolic(&y, sizeof y, "y"); pthread_join(t, 0); assert(turn != 5 || y != 7); return 0; }
"""
RACES = """#include <stdlib.h>
#include <string.h>
#include <unfork.h>
struct s { char c; int i; } g; atomic_int a; int *shared; char text[8]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) {
  g.c = 1;
  pthread_mutex_lock(&m); g.i++; pthread_mutex_unlock(&m);
  memset(text, 1, 4);
  *(int *)&a = 3;
  free(shared);
  return x; }
int main(void) { pthread_t t; int which, v = 0; unfork_symbolic(&which, sizeof which, "which"); shared = malloc(4);
  pthread_create(&t, 0, f, 0);
  switch (which) {
  case 1: v = g.c; break;
  case 2: pthread_mutex_lock(&m); v = g.i; pthread_mutex_unlock(&m); break;
  case 3: v = text[2]; break;
  case 4: v = a; break;
  case 5: *shared = 1; break;
  }
  pthread_join(t, 0); return 0; }
"""
WOKEN = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; long first;
void *wait(void *a) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); if (!first) first = (long)a;
  pthread_mutex_unlock(&m); return a; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, wait, (void *)1); pthread_create(&u, 0, wait, (void *)2);
  pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_mutex_lock(&m);
  assert(first != 2); return 0; }
"""
DESTROYED = """#include <stdlib.h>
#include <threads.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_key_t key, block; tss_t again; int order, calls;
void destroy(void *a) { pthread_mutex_lock(&m); order = order * 3 + (int)(long)a; pthread_mutex_unlock(&m); }
void once_more(void *a) { if (a == &calls) tss_set(again, &key); calls++; }
void *f(void *a) { pthread_setspecific(block, malloc(4)); pthread_setspecific(key, a);
  if (a == (void *)1) { tss_set(again, &calls); pthread_exit(0); } return a; }
int main(void) { pthread_t t, u; pthread_mutex_lock(&m); pthread_key_create(&key, destroy); order++;
  pthread_mutex_unlock(&m); pthread_key_create(&block, free); tss_create(&again, once_more);
  pthread_create(&t, 0, f, (void *)1); pthread_create(&u, 0, f, (void *)2);
  pthread_join(t, 0); pthread_join(u, 0); assert(calls == 2); assert(order != 16); return 0; }
"""
TRIES = 20
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def run(text: str, *options: str) -> list[dict[str, object]]:
    """What the tests of a run of the program expect, of paths that were not cut."""
    Path("program.c").write_text(HEADS + text)
    assert (
        main(["run", "program.c", "--quiet", "--out", "run", *(options or ("--tests", "paths", "--all-errors"))]) == 1
    )
    expected = [json.loads(path.read_text())["expect"] for path in sorted(Path("run/tests").glob("*.json"))]
    return [each for each in expected if each is not None]


def replayed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The rows of a native replay of all tests that expect anything."""
    capsys.readouterr()
    assert main(["replay", "run", *NATIVE]) == 0, capsys.readouterr().out
    rows = [line for line in capsys.readouterr().out.splitlines() if ".json" in line]
    return [row for row in rows if not row.endswith(CUT)]


@pytest.mark.parametrize(
    ("text", "kind"),
    some(
        [
            (LOST_UPDATE, "assert"),
            (PHILOSOPHERS, "deadlock"),
            (LOST_WAKE_UP, "deadlock"),
            (WRONG_UNLOCK, "lock-misuse"),
            (COPIES, "assert"),
            (KINDS, "assert"),
            (OF_C11, "assert"),
            (INPUTS, "assert"),
            (WOKEN, "assert"),
            (DESTROYED, "assert"),
        ],
        "kinds",
        5,
    ),
)
def test_every_test_ends_natively_as_on_the_engine(
    text: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = run(text)
    assert kind in [each.get("kind") for each in expected]
    rows = replayed(capsys)
    assert len(rows) == len(expected)
    assert all(row.endswith("as expected") for row in rows), rows


def test_a_failure_comes_again_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(LOST_UPDATE, "--tests", "errors")
    (failing,) = Path("run/tests").glob("*.json")
    for number in range(TRIES):
        shutil.copy(failing, f"run/tests/again{number}.json")
    rows = replayed(capsys)
    assert len(rows) == TRIES + 1
    assert all(row.endswith("as expected") for row in rows), rows


def test_a_schedule_that_does_not_fit_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(LOST_UPDATE, "--tests", "errors")
    (path,) = Path("run/tests").glob("*.json")
    test = json.loads(path.read_text())
    test["schedule"] = [turn for turn in test["schedule"] if turn["does"] != "access"]
    path.write_text(json.dumps(test))
    assert main(["replay", "run", *NATIVE]) == 1
    assert "off-schedule" in capsys.readouterr().out


@pytest.mark.native_check
def test_the_native_check_confirms_a_deadlock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.c").write_text(HEADS + PHILOSOPHERS)
    assert main(["run", "program.c", "--native-check", "always", "--out", "run"]) == 1
    assert "natively too" in capsys.readouterr().out


def test_thread_sanitizer_sees_the_races(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if next(race_detectors(tmp_path), None) is None:
        pytest.skip("no compiler has ThreadSanitizer")
    monkeypatch.chdir(tmp_path)
    expected = run(RACES, "--all-errors", "--tests", "errors")
    lines = {each.get("line") for each in expected if each.get("kind") == "data-race"}
    assert {9, 11, 12, 13, 18, 20, 21} == lines  # an access to what was freed is that
    assert [row for row in replayed(capsys) if "data-race" in row and not row.endswith("as expected")] == []


@needs_gcc
@pytest.mark.parametrize("text", [LOST_UPDATE, COPIES, INPUTS])
def test_c_that_stands_alone_fails_each_time(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(text, "--tests", "errors", "--formats", "c")
    failing = sorted(Path("run/tests").glob("*.c"))
    assert failing
    for path in failing:
        built = subprocess.run(
            ["gcc", "-Wall", "-Werror", "-Wno-unused-function", path, "-pthread", "-o", "alone"], check=False
        )
        assert built.returncode == 0
        ends = [subprocess.run(["./alone"], capture_output=True, check=False) for _ in range(TRIES)]
        assert {end.returncode for end in ends} == {-signal.SIGABRT}
        assert all(b"Assertion" in end.stderr for end in ends)


def test_a_build_that_is_named_follows_no_schedule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(LOST_UPDATE, "--tests", "errors")
    assert main(["replay", "run", *NATIVE, "--program", shutil.which("true") or ""]) == 0
    assert "only the engine can check it (threads go on as they like there)" in capsys.readouterr().out


def test_threads_of_a_function_that_is_run_alone_follow_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(LOST_UPDATE.replace("int main(void)", "int begin(void)"), "--function", "begin")
    assert main(["replay", "run", *NATIVE]) == 2
    assert "threads follow schedules only in programs that begin with main" in capsys.readouterr().err


def test_accesses_that_happen_on_other_inputs_only_are_no_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a text that is short or long on one path, one has a section less."""
    explore(PROGRAMS / "threads" / "thread_fixed.cpp", tmp_path / "run", "--strategy", "plain")
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "run"]) == 0
    assert "1 of 1 tests end as expected" in capsys.readouterr().out


@pytest.mark.parametrize(
    "program",
    [
        "programs/threads/thread_local_destructor_fixed.cpp",
        "programs/threads/thread_local_exit_fixed.cpp",
        "engine/instructions/thread_locals.ll",
    ],
)
def test_a_thread_has_its_own_variables_natively_too(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their destructors take turns, too, and instructions without a line of the text are left out."""
    explore(PROGRAMS.parent / program, tmp_path / "run", "--strategy", "plain")
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "run", *NATIVE]) == 0
    assert "1 of 1 tests end as expected" in capsys.readouterr().out
