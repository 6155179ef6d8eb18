"""unfork export, and --formats of whole runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import options_of, written
from unfork.cli import main
from unfork.commands.afterwards import export
from unfork.commands.run.run import run
from unfork.errors import InputError
from unfork.options.options import FORMATS, RUN_FORMATS
from unfork.report.formats import sarif
from unfork.report.record.kept_run import KeptRun

PROGRAM = """
#include <assert.h>
#include "unfork.h"
int main(void) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    int n = 0;
    for (int i = 0; i < 8; i++)
        if (x >> i & 1)
            n++;
    assert(n != 8);
    return n;
}
"""
FILES = {
    "sarif": "results.sarif",
    "junit": "junit.xml",
    "lcov": "lcov.info",
    "cobertura": "cobertura.xml",
    "gcc": "messages.txt",
}
SIGNALLED = """
import os, signal, sys
from unfork.cli import main
from unfork.report.record.directory import RunDirectory
write = RunDirectory.write
def counted(self, name, data):
    write(self, name, data)
    if name == "tests/000002.json":
        os.kill(os.getpid(), signal.Signals[sys.argv[1]])
RunDirectory.write = counted
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(PROGRAM, tmp_path, "p.c")


def ended(*words: str) -> int:
    return main(["run", "p.c", "--quiet", "--merge", "none", "--out", "out", *words])


def assert_all_there() -> None:
    for name, file in FILES.items():
        assert Path("out", file).stat().st_size or name == "gcc", name


def test_every_format_has_a_module() -> None:
    for name in RUN_FORMATS:
        assert export.WHOLE[name].file == FILES.get(name, export.WHOLE[name].file)
    assert len({export.WHOLE[name].file for name in RUN_FORMATS}) == len(RUN_FORMATS)
    assert set(RUN_FORMATS) < set(FORMATS)


def test_a_later_export_is_the_same_as_the_file_of_the_run(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert ended("--formats", ",".join(FILES)) == 1
    for name, file in FILES.items():
        capsysbinary.readouterr()
        assert main(["export", "out", name]) == 0
        assert capsysbinary.readouterr().out == Path("out", file).read_bytes()
        assert main(["export", "out", name, "-o", "x"]) == 0
        assert Path("x").read_bytes() == Path("out", file).read_bytes()
    assert Path("out/messages.txt").read_text() == "p.c:11:5: error: n != 8 [assert]\n"


@pytest.mark.parametrize("name", some(["SIGINT", "SIGHUP"], "interrupts", 1))
def test_they_are_written_after_an_interrupt(name: str) -> None:
    words = [sys.executable, "-c", SIGNALLED, name, "run", "p.c", "--out", "out", "--tests", "paths", "--quiet"]
    words += ["--merge", "none", "--formats", ",".join(FILES), "--no-progress"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert json.loads(Path("out/summary.json").read_text())["stopped_by"] == "interrupt", done.stderr
    assert_all_there()


def test_they_are_written_after_a_limit_and_again_by_resume() -> None:
    assert ended("--max-forks", "20", "--search", "bfs", "--formats", ",".join(FILES)) in (1, 3)
    assert_all_there()
    before = Path("out/lcov.info").read_bytes()
    for file in FILES.values():
        Path("out", file).unlink()
    assert main(["resume", "out", "--max-forks", "100000", "--quiet"]) == 1
    assert_all_there()
    assert b"[assert]" in Path("out/messages.txt").read_bytes()
    assert Path("out/lcov.info").read_bytes().count(b"DA:") == before.count(b"DA:")


def test_tests_are_converted() -> None:
    ended()
    for name, suffix in (("ktest", ".ktest"), ("xml", ".xml"), ("c", ".c")):
        assert main(["export", "out", name, "-o", f"as-{name}"]) == 0
        stems = {path.stem for path in Path(f"as-{name}").glob(f"0*{suffix}")}
        assert stems == {path.stem for path in Path("out/tests").glob("*.json")}
    assert Path("as-xml/metadata.xml").is_file()
    ended_again = main(["run", "p.c", "--quiet", "--merge", "none", "--out", "two", "--formats", "ktest,xml,c"])
    assert ended_again == 1
    for name in ("ktest", "xml", "c"):
        for path in Path(f"as-{name}").glob("0*"):
            assert path.read_bytes() == Path("two/tests", path.name).read_bytes()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Missing argument 'RUN_DIR'"),
        (["out"], "Missing argument 'FORMAT'. It is one of sarif,"),
        (["out", "sariff"], "did you mean sarif?"),
        (["nowhere", "sarif"], "no such run directory"),
        (["out", "sarif", "-x"], "No such option '-x'"),
        (["p.c", "sarif"], "no such run directory"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    ended()
    capsys.readouterr()
    assert main(["export", *words]) == 2
    said = capsys.readouterr().err
    assert reason in said and said.count("\n") == 1


def test_a_run_that_was_killed_has_no_coverage_but_errors(capsys: pytest.CaptureFixture[str]) -> None:
    words = [sys.executable, "-c", SIGNALLED, "SIGKILL", "run", "p.c", "--out", "out", "--merge", "none", "--quiet"]
    assert subprocess.run([*words, "--tests", "paths"], check=False).returncode == -signal.SIGKILL
    for name in ("sarif", "junit", "gcc"):
        assert main(["export", "out", name]) == 0
    capsys.readouterr()
    assert main(["export", "out", "lcov"]) == 2
    assert "cut off" in capsys.readouterr().err


def test_a_format_that_fails_costs_only_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(run: KeptRun) -> bytes:
        raise LookupError("of the format")

    monkeypatch.setitem(export.WHOLE, "sarif", export.RunFormat("results.sarif", broken, fits_proofs=True))
    result = run(["p.c"], options_of(tmp_path / "out", "--formats", "sarif,gcc", "--merge", "none"))
    assert (result.verdict, result.exit_status) == ("unsafe", 1)
    assert result.failure is not None and "--formats sarif" in result.failure.line
    kept = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert kept["internal_error"]["class"] == "LookupError"
    assert (tmp_path / "out" / "crash.txt").is_file() and (tmp_path / "out" / "messages.txt").is_file()
    program = result.program
    assert sarif.write(KeptRun(tmp_path / "out", kept, lambda: program, lambda file, text: program))


def test_a_format_that_cannot_tell_of_a_run_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refusing(run: KeptRun) -> bytes:
        raise InputError("nothing to tell")

    monkeypatch.setitem(export.WHOLE, "sarif", export.RunFormat("results.sarif", refusing, fits_proofs=True))
    result = run(["p.c"], options_of(tmp_path / "out", "--formats", "sarif,gcc", "--merge", "none"))
    assert (result.verdict, result.failure, result.trouble) == ("unsafe", None, "no results.sarif: nothing to tell")
    assert (tmp_path / "out" / "messages.txt").is_file()


def test_proofs_have_no_coverage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    written("/*@ ensures \\result >= 0; */\nint one(void) { return 1; }\n", tmp_path, "q.c")
    assert main(["verify", "q.c", "--quiet", "--formats", "lcov", "--out", "v"]) == 2
    assert "proofs have sarif, junit" in capsys.readouterr().err
    assert main(["verify", "q.c", "--quiet", "--formats", "sarif,junit,gcc", "--out", "v"]) == 0
    assert json.loads(Path("v/results.sarif").read_text())["runs"][0]["results"] == []
    assert main(["export", "v", "lcov"]) == 2
    assert main(["export", "v", "ktest"]) == 2
