"""Tests with arguments, standard input and files replay natively: the same end, the same output, and no harm done."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from pathlib import Path

import pytest

from tests.report.replay.enclosure import ENCLOSURE, NATIVE, best_enclosure
from tests.support.power import IS_FULL, some
from unfork.cli import main
from unfork.report.formats.ktest import from_ktest
from unfork.report.replay import jail
from unfork.report.replay.account import (
    AS_EXPECTED,
    DIFFERENT,
    ENGINE_ONLY,
    OTHER_OUTPUT,
    OUT_OF_TIME_AS_EXPECTED,
    NativeEnding,
    judge,
)
from unfork.report.replay.binary import Enclosure, NativeBinary
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.file_of_test import from_json
from unfork.world.inputs.testcase import Error, Exit, TestCase, TestInput

PROGRAMS = Path(__file__).parents[2] / "programs"
ECHO = """#include <stdio.h>
int main(int argc, char **argv, char **envp) {
  if (*envp) return 99;
  for (int i = 1; i < argc; i++) {
    for (char *p = argv[i]; *p; p++) putchar(*p);
    putchar(i + 1 < argc ? ' ' : '\\n');
  }
  return argc;
}
"""
CAT = """#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char bytes[16];
  const char *names[] = {"A", "some/where/seed", "none"};
  long n;
  while ((n = read(0, bytes, 2)) > 0) write(1, bytes, n);
  if (bytes[0] == 'x') return 3;
  for (int i = 0; i < 3; i++) {
    int file = open(names[i], O_RDONLY);
    if (file < 0) { write(1, "?", 1); continue; }
    if ((n = read(file, bytes, 16)) > 0) write(1, bytes, n);
    if (i == 0 && bytes[1] == 'y') return 4;
  }
  return 0;
}
"""
NAUGHTY = """#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
  kill(-1, SIGKILL);
  unlink(argv[1]);
  chmod(argv[1], 0);
  if (open(argv[1], O_WRONLY) >= 0) return 1;
  if (open("mine", O_CREAT | O_WRONLY, 0600) < 0) return 2;
  abort();
}
"""
ROOMY = """#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static long room(const char *name) {
  static char block[1 << 20];
  int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  long count = 0;
  if (file < 0) return -1;
  while (count < 1000 && write(file, block, sizeof block) == sizeof block) count++;
  close(file);
  return count;
}
int main(void) {
  char text[5] = "";
  FILE *seed = fopen("below/seed", "r"), *none = tmpfile();
  if (!seed || !fgets(text, 5, seed) || strcmp(text, "seed")) return 1;
  if (!none) return 2;
  long here = room("mine");
  if (here < 10 || here == 1000) return 3;
  unlink("mine");
  long there = room("/tmp/unfork-roomy");
  return there < 10 || there == 1000 ? 4 : 0;
}
"""
OF_VARIABLES = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv, char **table) {
  const char *a = getenv("A"), *b = getenv("B");
  for (; *table; table++) puts(*table);
  if (a && !strcmp(a, "=x")) return 3;
  return a && b ? 4 : a ? 5 : b ? 6 : 7;
}
"""
COMMANDS = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char line[8];
  int status = system("echo made > mine");
  FILE *stream = popen("echo printed", "r");
  if (stream && (fgets(line, sizeof line, stream) || pclose(stream) == 0)) return 1;
  if (status == 0) return 2;
  return fopen("mine", "r") ? 3 : 0;
}
"""
TOPICS = ("sym_args", "sym_stdin", "sym_files", "sym_file", "sym_env", "libc_commands")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("echo.c").write_text(ECHO)
    Path("cat.c").write_text(CAT)
    Path("seed").write_bytes(b"\0seed\xff")
    return tmp_path


def unfork_run(*words: str) -> int:
    """A run into the directory ``run``, with a test for every path."""
    options, dashes, rest = words, (), ()
    if "--" in words:
        at = words.index("--")
        options, dashes, rest = words[:at], ("--",), words[at + 1 :]
    return main(
        ["run", *options, "--out", "run", "--tests", "paths", "--formats", "json,ktest,c", "--quiet", *dashes, *rest]
    )


def build(source: str, output: str) -> Path:
    """A native program."""
    subprocess.run(["gcc", "-w", "-o", output, source], check=True)
    return Path(output)


@needs_gcc
@pytest.mark.parametrize("libc", some(["none", "musl"], "echo"))
def test_echo_says_natively_what_was_predicted(libc: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert unfork_run("echo.c", "--libc", libc, "--merge", "none", "--sym-args", "0", "2", "2") == 0
    tests = [json.loads(path.read_text()) for path in sorted(Path("run/tests").glob("*.json"))]
    assert len(tests) >= 13
    assert all(test["stdout"] is not None for test in tests)
    for words in (["run"], ["run", *NATIVE], ["run", *NATIVE, "--program", str(build("echo.c", "echo"))]):
        assert main(["replay", *words]) == 0, capsys.readouterr().out
        assert f"{len(tests)} of {len(tests)} tests end as expected" in capsys.readouterr().out


@needs_gcc
def test_standard_input_and_files_are_there_natively(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--merge", "none", "--libc", "musl", "--sym-stdin", "2", "--file", "seed=some/where/seed")
    words += ("--", "--sym-files", "1", "2")
    assert unfork_run("cat.c", *words) == 0
    Path("seed").unlink()
    for how in (["--engine"], NATIVE):
        assert main(["replay", "run", *how]) == 0, capsys.readouterr().out
        assert "3 of 3 tests end as expected" in capsys.readouterr().out
    tests = [json.loads(path.read_text()) for path in sorted(Path("run/tests").glob("*.json"))]
    assert {test["expect"]["status"] for test in tests} == {0, 3, 4}
    assert all(sorted(test["files"]) == ["A", "some/where/seed"] for test in tests)


@needs_gcc
def test_a_test_as_c_sets_its_world_up() -> None:
    words = (
        "--libc",
        "musl",
        "--sym-stdin",
        "2",
        "--file",
        "seed=some/where/seed",
        "--",
        "--sym-files",
        "1",
        "2",
        'a"b',
    )
    assert unfork_run("cat.c", *words) == 0
    for path in sorted(Path("run/tests").glob("*.c")):
        subprocess.run(["gcc", "-w", "-o", "alone", str(path)], check=True)
        done = subprocess.run(["./alone"], capture_output=True, check=False)
        test = json.loads(path.with_suffix(".json").read_text())
        assert done.returncode == test["expect"]["status"]
        assert done.stdout == b64decode(test["stdout"])


@needs_gcc
def test_a_test_as_c_says_what_it_cannot_set_up() -> None:
    assert unfork_run("echo.c", "--libc", "musl", "--file", "seed=/etc/seed") == 0
    assert "THE TEST IS NOT SET UP HERE: the file /etc/seed" in Path("run/tests/000001.c").read_text()


@needs_gcc
def test_what_no_native_run_can_have_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert unfork_run("echo.c", "--libc", "musl", "--file", "seed=/etc/seed") == 0
    assert main(["replay", "run", *NATIVE]) == 0
    assert f"{ENGINE_ONLY} (the file /etc/seed is not in the current directory)" in capsys.readouterr().out


@needs_gcc
@pytest.mark.parametrize("topic", some(TOPICS, "worlds", 3))
def test_corpus_programs_replay_natively(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number, path in enumerate(some(sorted((PROGRAMS / topic).glob("*.c")), topic, count=2)):
        header = path.read_text().partition("*/")[0]
        fields = dict(line.strip(" *").split(": ", 1) for line in header.splitlines() if ": " in line)
        words = [str(path), *fields.get("options", "").split(), "--out", str(number), "--quiet"]
        status = main(["run", *words, "--tests", "paths", "--", *fields.get("args", "").split()])
        assert status == (1 if fields["expect"] == "unsafe" else 0), path
        assert main(["replay", str(number)]) == 0, capsys.readouterr().out
        if path.name != "beyond_the_terminator_bug.c":  # natively the next string follows, and no sanitizer minds
            assert main(["replay", str(number), *NATIVE]) == 0, f"{path}\n{capsys.readouterr().out}"


def test_a_ktest_file_replays_where_it_was_written_and_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert unfork_run("echo.c", "--sym-args", "0", "1", "1") == 0
    assert main(["replay", "run/tests/000001.ktest"]) == 0
    first = capsys.readouterr().out
    Path("elsewhere").mkdir()
    shutil.copy("run/tests/000001.ktest", "elsewhere/one.ktest")
    assert main(["replay", "elsewhere/one.ktest"]) == 0
    second = capsys.readouterr().out
    assert [line.split()[2:4] for line in first.splitlines()[2:3]] == [
        line.split()[2:4] for line in second.splitlines()[2:3]
    ]
    Path("echo.c").rename("moved.c")
    assert main(["replay", "elsewhere/one.ktest"]) == 2
    assert main(["replay", "elsewhere/one.ktest", "--program", "moved.c"]) == 0
    assert main(["replay", "elsewhere/one.ktest", "--program=moved.c"]) == 0


def test_a_program_that_cannot_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert unfork_run("echo.c") == 0
    assert main(["replay", "run", *NATIVE, "--program", "nowhere"]) == 2
    assert "no program that can be run" in capsys.readouterr().err
    assert main(["replay", "run", "--program"]) == 2


@needs_gcc
def test_a_program_may_do_no_harm_outside_of_its_folder(here: Path) -> None:
    Path("naughty.c").write_text(NAUGHTY)
    victim = here / "victim"
    victim.write_text("still here")
    with tempfile.TemporaryDirectory() as name:
        if ENCLOSURE is Enclosure.NONE:
            pytest.skip("no namespaces here")
        made = NativeBinary(build("naughty.c", "naughty"), "naughty", Path(name), {}, Enclosure.REQUIRED)
        ending = made.run(TestCase(("naughty.c",), (), None, args=(str(victim),)))
        assert ending is not None
        assert ending.status == -6, ending
        assert victim.read_text() == "still here"


@needs_gcc
def test_a_program_finds_no_shell(here: Path) -> None:
    if ENCLOSURE is Enclosure.NONE:
        pytest.skip("no namespaces here")
    Path("commands.c").write_text(COMMANDS)
    with tempfile.TemporaryDirectory() as name:
        made = NativeBinary(build("commands.c", "commands"), "commands", Path(name), {}, Enclosure.REQUIRED)
        ending = made.run(TestCase(("commands.c",), (), None))
        assert ending is not None
        assert ending.status == 0, ending


@needs_gcc
def test_variables_are_set_wherever_a_test_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """On the engine and natively, from each form of a test, in programs of ours and of others."""
    Path("variables.c").write_text(OF_VARIABLES)
    assert unfork_run("variables.c", "--sym-env", "A", "2", "--sym-env", "B", "1", "--env", "K=a \xe9") == 0
    tests = sorted(Path("run/tests").glob("*.json"))
    assert {tuple(json.loads(test.read_text())["environment"]) for test in tests} == {("K", "A", "B")}
    ends = {json.loads(test.read_text())["expect"]["status"] for test in tests}
    assert ends == {3, 4, 5, 6, 7}
    build("variables.c", "variables")
    for words in ([], NATIVE, [*NATIVE, "--program", "./variables"]):
        assert main(["replay", "run", *words]) == 0, capsys.readouterr().out
    by_status = {json.loads(test.read_text())["expect"]["status"]: test for test in tests}
    for test in tests if IS_FULL else by_status.values():
        expected = json.loads(test.read_text())
        ktest = from_ktest(test.with_suffix(".ktest").read_bytes(), "t")
        assert ktest.environment == from_json(test.read_text(), "t").environment
        build(str(test.with_suffix(".c")), "alone")
        done = subprocess.run(["./alone"], capture_output=True, check=False)
        assert done.returncode == expected["expect"]["status"]
        assert done.stdout == b64decode(expected["stdout"])


@needs_gcc
def test_a_program_has_room_of_its_own_and_no_more(here: Path) -> None:
    if ENCLOSURE is Enclosure.NONE:
        pytest.skip("no namespaces here")
    Path("roomy.c").write_text(ROOMY)
    with tempfile.TemporaryDirectory() as name:
        made = NativeBinary(build("roomy.c", "roomy"), "roomy", Path(name), {}, Enclosure.REQUIRED)
        for _ in range(2):  # the second finds nothing of the first
            ending = made.run(TestCase(("roomy.c",), (), None, files=(("below/seed", b"seed"),)))
            assert ending is not None
            assert ending.status == 0, ending
        assert not list(Path("/tmp").glob("unfork-roomy*"))


def test_a_mount_that_nobody_else_reaches_is_no_obstacle(here: Path) -> None:
    if ENCLOSURE is Enclosure.NONE or os.getuid():
        pytest.skip("wants namespaces, and root who mounts")
    private = here / "private"
    (private / "mount").mkdir(parents=True)
    private.chmod(0o700)
    if subprocess.run(["mount", "-t", "tmpfs", "none", private / "mount"], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        assert best_enclosure() is Enclosure.REQUIRED
    finally:
        subprocess.run(["umount", private / "mount"], check=True)


@needs_gcc
def test_nothing_runs_where_it_cannot_be_enclosed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jail, "NO_JAIL", 0)  # as if the trial had said so
    assert unfork_run("echo.c", "--libc", "none", "--sym-args", "0", "1", "1") == 0
    assert main(["replay", "run", "--native"]) == 2
    assert "--unenclosed" in capsys.readouterr().err
    assert main(["replay", "run", "--native", "--unenclosed"]) == 0
    assert "not enclosed" in capsys.readouterr().out


@needs_gcc
def test_a_program_that_does_not_end_is_gone_when_time_is_out() -> None:
    Path("spin.c").write_text("int main(void) { for (;;) ; }\n")
    with tempfile.TemporaryDirectory() as name:
        made = NativeBinary(build("spin.c", "spin"), "spin-for-a-second", Path(name), {}, ENCLOSURE)
        assert made.run(TestCase(("spin.c",), (), None), 1.0) is None
    for _ in range(600):  # a minute for a busy machine
        if not [line for line in running() if line.startswith(b"spin-for-a-second")]:
            return
        time.sleep(0.1)
    pytest.fail("still running")


def running() -> list[bytes]:
    """The command lines of all processes."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes())
    return lines


def test_the_program_beside_bitcode_is_taken_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run([sys.executable, "-m", "unfork", "cc", "echo.c", "-o", "echo"], check=True)
    assert unfork_run("echo.bc", "--libc", "musl", "--sym-arg", "1") == 0
    assert main(["replay", "run", *NATIVE]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out.startswith("replay: natively, echo")
    Path("echo").unlink()
    Path("echo.bc").unlink()
    assert main(["replay", "run", *NATIVE]) == 2
    assert "name a native build with --program" in capsys.readouterr().err


@needs_gcc
def test_output_is_compared() -> None:
    test = TestCase(("a.c",), (), Exit(0), stdout=b"yes\n")
    assert judge("t", test, NativeEnding(0, "", b"yes\n"), False).judgement == AS_EXPECTED
    assert judge("t", test, NativeEnding(0, "", b"no\n"), False).judgement == OTHER_OUTPUT
    assert judge("t", test, NativeEnding(1, "", b"yes\n"), False).judgement == DIFFERENT
    unknown = TestCase(("a.c",), (), Exit(0))
    assert judge("t", unknown, NativeEnding(0, "", b"no\n"), False).judgement == AS_EXPECTED
    fault = TestCase(("a.c",), (), Error("out-of-bounds", "a.c", 1))
    assert judge("t", fault, NativeEnding(0, ""), False).judgement.startswith(ENGINE_ONLY)
    assert judge("t", fault, NativeEnding(0, ""), True).judgement == DIFFERENT
    endless = TestCase(("a.c",), (), Error("nontermination", "a.c", 1))
    assert judge("t", endless, None, True).judgement == OUT_OF_TIME_AS_EXPECTED
    assert judge("t", endless, NativeEnding(0, ""), True).judgement == DIFFERENT


def test_a_call_that_failed_needs_the_engine() -> None:
    failed = TestInput("open-failure", "failure", None, b"\1")
    worked = TestInput("open-failure", "failure", None, b"\0")
    assert TestCase(("a.c",), (failed,), None, command=CommandLine(failures=1)).needs_engine()
    assert not TestCase(("a.c",), (worked,), None, command=CommandLine(failures=1)).needs_engine()


@needs_gcc
def test_output_that_is_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("seek.c").write_text(
        "#include <unistd.h>\n"
        "int main(int argc, char **argv) {\n  write(1, argv[1], 2);\n"
        '  if (lseek(1, 0, SEEK_SET) == 0) write(1, "!", 1);\n  return 0;\n}\n'
    )
    assert unfork_run("seek.c", "--libc", "musl", "--sym-stdout", "--", "ab") == 0
    assert b64decode(json.loads(Path("run/tests/000001.json").read_text())["stdout"]) == b"!b"
    assert main(["replay", "run", *NATIVE]) == 0, capsys.readouterr().out
