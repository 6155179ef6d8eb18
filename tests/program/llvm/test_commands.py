"""Other programs: what they say is told without the folders in which they were given files for a while."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.runs import written
from unfork.cli import main
from unfork.program.llvm.subprocesses import Finished, TooSlow, run, without_scratch
from unfork.report.replay.native_replay import NotBuilt

TEMPORARY = tempfile.gettempdir()
CALLED = "struct counter { int n; };\nint add(struct counter *c, int by) { c->n += by; return 9 / (c->n - 4); }\n"
UNDEFINED = """int unknown_thing(void);
int on_error(int n) { return n == 77 ? unknown_thing() : 0; }
int main(void) { int row[4] = {0}, n = 4; return row[n] + on_error(n); }
"""
NOT_FOR_GCC = """#if !defined(__clang__)
#error not for gcc
#endif
int at(int n) { int row[4] = {0}; return row[n]; }
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"{TEMPORARY}/unfork-native-a1_b/test.c:3:1: error: x", "test.c:3:1: error: x"),
        (f"ld: {TEMPORARY}/ccAb12.o: in function `f'", "ld: ccAb12.o: in function `f'"),
        (f"{TEMPORARY}/unfork-a/b.c:1: note: {TEMPORARY}/unfork-c/d.c", "b.c:1: note: d.c"),
        (f"{TEMPORARY}/project/a.c:1:1: error: x", f"{TEMPORARY}/project/a.c:1:1: error: x"),
        ("/home/unfork-native-a/test.c:3: error: x", "/home/unfork-native-a/test.c:3: error: x"),
    ],
)
def test_a_folder_that_is_gone_is_not_named(said: str, told: str) -> None:
    assert without_scratch(said) == told
    assert Finished(1, b"", said.encode()).complaint == told


def test_only_the_end_of_what_a_program_writes_is_kept() -> None:
    code = "import sys; [print(n) for n in range(200000)]; sys.stderr.write('no')"
    whole = "".join([f"{n}\n" for n in range(200000)]).encode()
    words = [sys.executable, "-c", code]
    assert run(words) == Finished(0, whole, b"no")
    assert run(words, most=1000) == Finished(0, whole[-1000:], b"no")


@pytest.mark.parametrize("size", [0, 1, 1 << 20])
def test_a_program_is_given_its_input_while_it_writes(size: int) -> None:
    code = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data)"
    calls: list[int] = []
    done = run([sys.executable, "-c", code], given=b"x" * size, seconds=60, meanwhile=lambda: calls.append(1))
    assert done == Finished(0, b"x" * size, b"")


def test_a_program_need_not_read_its_input() -> None:
    assert run([sys.executable, "-c", "import os; os.close(0); print(1)"], given=b"x" * (1 << 20)).output == b"1\n"


def test_a_program_that_closes_its_output_is_too_slow() -> None:
    code = "import os, time; os.close(1); os.close(2); time.sleep(60)"
    with pytest.raises(TooSlow):
        run([sys.executable, "-c", code], seconds=0.5)


def test_what_cannot_be_built_natively_names_no_folder() -> None:
    with tempfile.TemporaryDirectory(prefix="unfork-native-") as folder:
        code = f"import sys; sys.stderr.write({folder!r} + '/test.c:1:1: error: no'); sys.exit(1)"
        done = run([sys.executable, "-c", code])
    assert str(NotBuilt(done.complaint)) == "native replay: test.c:1:1: error: no"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int main( {\n", ("-",)),
        ("int main(void) { return 1 / 0; }\n", ("-", "--cflags=-Weverything")),
        (CALLED, ("program.c", "--calls", "add", "--max-calls", "2", "--cflags=-Weverything")),
        (UNDEFINED, ("program.c",)),
        (NOT_FOR_GCC, ("program.c", "--function", "at")),
    ],
)
def test_no_message_names_a_temporary_folder(
    text: str,
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    written(text, tmp_path)
    main(["run", *words, "--cores", "1", "--no-progress", "--out", "out"])
    if Path("out").is_dir() and shutil.which("gcc") is not None:
        main(["replay", "out", "--native"])
    said = capsys.readouterr()
    files = [file for file in Path("out").rglob("*") if file.suffix in (".txt", ".json", ".c")]
    texts = [said.out, said.err, *[file.read_text() for file in files]]
    assert not any(f"{TEMPORARY}/unfork-" in each for each in texts)
