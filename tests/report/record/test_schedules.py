"""What is said of a run with threads: how many there were, what cut it short, and who did what when."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore
from unfork.cli import main
from unfork.commands.witness import witness
from unfork.report.page import findings_page
from unfork.report.page.page_sources import Locations
from unfork.report.record.kept_run import read_test
from unfork.report.record.show import show
from unfork.report.record.text import final_lines
from unfork.report.record.words_of_tests import lanes
from unfork.world.inputs.testcase import TestCase

LOST_WAKEUP = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *work(void *argument) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&m);
  int seen = ready;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (!seen) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return pthread_join(thread, 0);
}
"""
COUNTER = """#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
void *work(void *argument) {
  atomic_fetch_add_explicit(&count, 1, memory_order_ORDER);
  atomic_store(&count, 0);
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
"""
LAST_ZERO = """#include <pthread.h>
#include <stdatomic.h>
atomic_int cells[5];
void *last_zero(void *argument) { int i = 4; while (cells[i]) i--; return 0; }
void *follow(void *at) { int i = (int)(long)at; cells[i] = cells[i - 1] + 1; return 0; }
int main(void) {
  pthread_t threads[5];
  pthread_create(&threads[0], 0, last_zero, 0);
  for (int i = 1; i < 5; i++) pthread_create(&threads[i], 0, follow, (void *)(long)i);
  for (int i = 0; i < 5; i++) pthread_join(threads[i], 0);
  return 0;
}
"""


def written(folder: Path, text: str) -> Path:
    source = folder / "p.c"
    source.write_text(text)
    return source


def test_a_schedule_is_a_table_with_a_column_for_each_thread_and_the_locks_held(tmp_path: Path) -> None:
    result = explore(written(tmp_path, LOST_WAKEUP), tmp_path / "run", "--native-check", "never")
    (error,) = result.errors
    assert (error.kind, error.line) == ("deadlock", 19)
    test = read_test(tmp_path / "run" / error.test)
    heading, *rows = lanes(test)
    assert heading == ["line", "main", "thread 1"]
    assert ["7", "", "access ready (write) [m]"] in rows
    assert rows[-1] == ["19", "wait c, m [m]", ""]
    assert all(sum(map(bool, row[1:])) == 1 for row in rows)
    shown = show(tmp_path / "run", error.test)
    assert "    19  wait c, m [m]" in shown
    assert findings_page.test_data(error.test, test, None, Locations())["schedule"] == [heading, *rows]


def test_a_program_of_one_thread_has_no_schedule(tmp_path: Path) -> None:
    result = explore(written(tmp_path, "int main(void) { return 0; }"), tmp_path / "run")
    assert lanes(TestCase((), (), None)) == []
    assert result.summary["threads"] == 1
    assert not [line for line in final_lines(result.summary, "run") if "thread" in line]


def test_executions_that_others_make_needless_are_counted(tmp_path: Path) -> None:
    result = explore(written(tmp_path, LAST_ZERO), tmp_path / "run", "--strategy", "plain")
    assert result.verdict == "safe"
    paths = result.summary["paths"]
    assert paths["pruned"] > 0
    line = f"6 threads, {paths['completed']} executions, {paths['pruned']} cut short as others do the same"
    assert line in final_lines(result.summary, "run")


@pytest.mark.parametrize("option", ["max-threads", "context-bound"])
def test_what_is_left_out_is_a_bound(option: str, tmp_path: Path) -> None:
    number = {"max-threads": "2", "context-bound": "0"}[option]
    source = written(tmp_path, COUNTER.replace("ORDER", "seq_cst"))
    result = explore(source, tmp_path / "run", f"--{option}", number)
    assert result.verdict == "bounded"
    assert result.summary["bounds_hit"] == [option]


@pytest.mark.parametrize(("order", "word"), [("relaxed", "RELAXED"), ("acq_rel", "acquire"), ("seq_cst", "")])
def test_orders_that_are_taken_as_stronger_are_assumptions(order: str, word: str, tmp_path: Path) -> None:
    result = explore(written(tmp_path, COUNTER.replace("ORDER", order)), tmp_path / "run")
    said = [assumption for assumption in result.summary["assumptions"] if "sequentially consistent" in assumption]
    assert result.verdict == "safe"
    assert [word in assumption for assumption in said] == [True] * bool(word)


@pytest.mark.parametrize(
    "words",
    [
        *(["--strategy", name] for name in ("learn", "match", "prove", "plain,learn")),
        *(["--prune", "subsume"], ["--loops", "abstract"], ["--audit"]),
        *(["--context-bound", "-1"], ["--context-bound", "some"], ["--max-threads", "0"]),
    ],
)
def test_what_knows_no_threads_is_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path, COUNTER.replace("ORDER", "seq_cst"))
    assert main(["run", str(source), "--out", str(tmp_path / "run"), *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "threads" in said or words[0] in said


def test_a_witness_has_no_words_for_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    racing = COUNTER.replace("atomic_int", "int").replace("atomic_store(&count, 0)", "count = 0")
    source = written(tmp_path, racing.replace("atomic_fetch_add_explicit(&count, 1, memory_order_ORDER)", "count++"))
    explore(source, tmp_path / "run", "--native-check", "never")
    assert main(["export", str(tmp_path / "run"), "witness"]) == 2
    assert f"format {witness.FORMAT} has no words for which thread goes on" in capsys.readouterr().err
