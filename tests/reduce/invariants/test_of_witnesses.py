"""Invariants of loops in correctness witnesses: they are there, and they hold at every visit of their loops."""

from __future__ import annotations

import re
import subprocess
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands.witness.test_witness import SCHEMA
from tests.support.native_run import linker_of
from tests.support.power import some
from tests.support.runs import explore
from tests.support.svcomp_tasks import HEADER, property_file
from unfork.cli import main
from unfork.commands.assemble.building import build_program
from unfork.commands.witness.loop_invariants import invariants
from unfork.commands.witness.witness import WitnessInvariant
from unfork.options.options import Options
from unfork.program.c.location_calls import PASSED
from unfork.program.c.probes import Probes
from unfork.program.c.source_places import SourceLocations

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

DECLARED = HEADER + "static int total;\n"
PROGRAMS = {
    "pace": (
        """int main() {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 100000) return 0;
  for (int i = 0; i < n; i++)
    s += 2;
  if (s != 2 * n) reach_error();
  return 0;
}""",
        ["(long long) s == 2LL * (long long) i", "i <= n", "s <= 200000"],
    ),
    "rate": (
        """int main() {
  int x = 100, y = 0;
  while (x > 0) {
    if (__VERIFIER_nondet_bool()) x--; else x -= 2;
    y++;
  }
  if (y > 100) reach_error();
  return 0;
}""",
        ["100LL >= (long long) x + (long long) y", "x <= 100"],
    ),
    "calls": (
        """static int count(int m) { int c = 0; do { c++; m--; total += 3; } while (m > 0); return c; }
int main() {
  int un;
  if (count(7) + count(3) != 10) reach_error();
  for (unsigned char q = 0; q < 200; q++) un = q;
  return 0;
}""",
        ["0 <= m", "m <= 7", "c <= 7", "q <= 200"],
    ),
    "nested": (
        """int main() {
  int s = 0;
  unsigned long u = __VERIFIER_nondet_uint();
  while (u > 10) u -= 3;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) s++;
  if (s != 3) reach_error();
  return u > 10;
}""",
        ["i <= 3", "j <= 2", "s <= 3", "u <= 4294967295U"],
    ),
}
"""Bodies, and parts of what must be found in them."""


def with_witness(folder: Path, body: str, *words: str) -> tuple[Path, list[dict[str, Any]]]:
    """A program, and the invariants of its witness."""
    task = folder / "task.c"
    task.write_text(DECLARED + body + "\n")
    words = ("--loops", "abstract", "--strategy", "join", "--formats", "witness", *words)
    assert explore(task, folder / "out", *words).otherwise == "safe"
    (entry,) = yaml.safe_load((folder / "out" / "witness.yml").read_text())
    jsonschema.validate([entry], SCHEMA)
    return task, [each["invariant"] for each in entry["content"]]


@pytest.mark.parametrize("name", some([*PROGRAMS], "witnesses"))
def test_what_is_proved_of_loops_holds_in_native_runs_and_is_validated(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, parts = PROGRAMS[name]
    task, found = with_witness(tmp_path, body)
    told = " && ".join(each["value"] for each in found)
    for part in parts:
        assert part in told
    assert "un" not in re.findall(r"\w+", told)  # it has no value where the first turn begins
    assert _visits(task, found, tmp_path) > 20
    witness, words = tmp_path / "out" / "witness.yml", ["--data-model", "LP64", str(task)]
    words = ["svcomp", "--property", str(property_file(tmp_path, "unreach-call")), *words]
    capsys.readouterr()
    assert main([*words, "--validate", str(witness)]) == 0
    assert capsys.readouterr().out == "true\n"
    value = found[0]["value"]
    witness.write_text(witness.read_text().replace(value, value.replace("<=", "<", 1)))
    assert main([*words, "--validate", str(witness), "--max-time", "2"]) == 3
    assert "is not proved" in capsys.readouterr().err


RUNNING = r"""
#include <stdio.h>
#include <stdlib.h>
static unsigned state, visits;
int unfork_probe(int number, int value) {
  visits++;
  if (!value) { printf("broken %d\n", number); exit(1); }
  return value;
}
void unfork_value(int number, long long value) {}
static unsigned next(void) { state = state * 1103515245u + 12345u; return state >> 8; }
int __VERIFIER_nondet_int(void) { return next() % 3000; }
unsigned __VERIFIER_nondet_uint(void) { return next() % 3000; }
_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
static void told(void) { printf("%u\n", visits); }
__attribute__((constructor)) static void begin(void) { state = atoi(getenv("SEED")); atexit(told); }
"""


def _visits(task: Path, found: list[dict[str, Any]], folder: Path) -> int:
    """Run the program natively with each invariant as an assertion; returns how often one was looked at."""
    probes = Probes(task.read_text())
    for number, each in enumerate(found):
        call = f"{PASSED}({number}, !!({each['value']}))"
        probes.loop(each["location"]["line"], each["location"]["column"], [call])
    source, helper = folder / "native.c", folder / "helper.c"
    source.write_text(probes.probed().text)
    helper.write_text(RUNNING)
    command = [*linker_of("asan"), "-w", "-o", str(folder / "native"), str(source), str(helper)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    visits = 0
    for seed in range(5):
        run = [str(folder / "native")]
        done = subprocess.run(run, env={"SEED": str(seed)}, capture_output=True, text=True, check=False)
        assert (done.stderr, "broken" in done.stdout) == ("", False)
        visits += int(done.stdout)
    return visits


def test_what_the_user_states_is_written_if_it_holds_at_every_visit(tmp_path: Path) -> None:
    line = DECLARED.count("\n") + 4
    stated = f"task.c:{line}:s == 2 * i"
    _, found = with_witness(tmp_path, PROGRAMS["pace"][0], "--invariant", stated)
    assert found[0]["value"].startswith("(s == 2 * i) && ")
    assert (found[0]["location"]["line"], found[0]["location"]["column"]) == (line, 3)


def test_what_the_user_states_is_looked_at_in_turns_that_are_run_as_they_are(tmp_path: Path) -> None:
    task = tmp_path / "task.c"
    task.write_text("int main(void) {\n  int i;\n  for (i = 0; i < 5; i++)\n    ;\n  return i != 5;\n}\n")
    for stated, verdict in (("i == 77", "unknown"), ("i <= 4", "unknown"), ("i <= 5", "safe")):
        result = explore(
            task, tmp_path / verdict / stated[-1], "--loops", "abstract", "--invariant", f"task.c:3:{stated}"
        )
        assert result.verdict == verdict


def test_a_program_of_which_a_path_is_given_up_has_no_invariants(tmp_path: Path) -> None:
    """What the loop does before is known, but not whether it is come back to."""
    body = 'int main() { for (int i = 0; i < 3; i++) total++; __asm__("frobnicate"); return 0; }'
    task = tmp_path / "task.c"
    task.write_text(DECLARED + body + "\n")
    options = replace(Options(), loops="abstract", merge="none", libc="none")
    text = task.read_text()

    def proved(text: str) -> list[WitnessInvariant]:
        task.write_text(text)
        program = build_program(options, [task], [task])
        places = SourceLocations(str(task), text)
        return invariants(
            options, program, (), places, text, lambda other: build_program(options, [task], [task], instead=other)
        )

    assert not proved(text)
    assert [each.expression for each in proved(text.replace('__asm__("frobnicate");', ""))] == ["(0 <= i) && (i <= 3)"]


@pytest.mark.parametrize(
    ("stated", "is_written"),
    [
        ("x + 0 == x", True),
        ("x + 1 != x", False),
        ("-x == 0 - x", False),
        ("x / 2 <= x || x < 1", True),
        ("i * 2 <= 10 && i << 1 <= 10 && (i == 0 || 10 / i >= 2)", True),
        ("(i == 0 ? 1 : 10 / i) >= 1 && 10 % (i + 1) < 6", True),
    ],
)
def test_no_invariant_is_written_that_may_be_undefined(stated: str, is_written: bool, tmp_path: Path) -> None:
    """In arithmetic that wraps, all of them hold."""
    body = "int main() { int x = __VERIFIER_nondet_int(), i = 0;\nwhile (i < 5) i++;\nreturn x > i; }"
    _, found = with_witness(tmp_path, body, "--invariant", f"task.c:{DECLARED.count(chr(10)) + 2}:{stated}")
    assert (stated in found[0]["value"]) == is_written
