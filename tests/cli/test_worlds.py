"""What a program is started with, on the command line: one clear line for what makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.cli import main, parse
from unfork.errors import InputError

PROGRAM = "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--sym-args 2 1 1", "--sym-args: MIN is 2, more than MAX, which is 1"),
        ("--sym-args 0 101 1", "--sym-args: at most 100 symbolic arguments"),
        ("--sym-arg -1", "--sym-arg: "),
        ("--sym-arg 70000", "--sym-arg: an argument has at most 65536 bytes"),
        ("--sym-stdin -1", "--sym-stdin: must be at least 0"),
        ("--sym-stdin 9999999", "--sym-stdin: "),
        ("--sym-files 27 1", "--sym-files: at most 26"),
        ("--fail -1", "--fail: must be at least 0"),
        ("--fail 5000", "--fail: at most 1000"),
        ("--file nothing=x", "--file nothing=x: nothing: No such file"),
        ("--file p.c", "--file p.c: say HOST_PATH=GUEST_PATH"),
        ("--sym-stdin 1 -- --sym-stdin 2 --sym-stdin 3", "--sym-stdin is given twice"),
        ("-- --sym-args 0 1", "--sym-args needs MIN MAX LEN"),
        ("--libc none --sym-stdin 1", "--libc none"),
        ("--libc none -- --sym-files 1 1", "--libc none"),
    ],
)
def test_words_that_make_no_sense(words: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "p.c", *words.split(), *([] if "--" in words.split() else ["--out", "r"])]) == 2
    error = capsys.readouterr().err
    assert error.startswith("unfork: ")
    assert reason in error
    assert error.count("\n") == 1
    assert not Path("r").exists()
    assert not Path("unfork-last").exists()


def test_an_order_that_options_cannot_say_is_refused() -> None:
    with pytest.raises(InputError, match="say both after --"):
        parse("--sym-args 0 1 2 --sym-arg 3".split())


def test_a_function_takes_no_program_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.c").write_text("int f(void) { return 0; }\n")
    assert main("run q.c --function f --out r -- --sym-arg 1".split()) == 2
    assert "function f" in capsys.readouterr().err


def test_show_escapes_what_a_test_holds(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.c").write_text(
        "#include <stdio.h>\nint main(int argc, char **argv) {\n"
        "  if (argv[1][0] == 27 && argv[1][1] == '\"') { putchar('\\n'); return 3; }\n  return 0;\n}\n"
    )
    assert main("run p.c --out r --tests paths --quiet --search dfs -- --sym-arg 2".split()) == 0
    capsys.readouterr()
    texts = []
    for number in range(1, 4):
        assert main(["show", "r", f"tests/00000{number}"]) == 0
        texts.append(capsys.readouterr().out)
    (found,) = [text for text in texts if "exit status 3" in text]
    assert 'arguments: "\\x1b\\""' in found
    assert 'prints: "\\n"' in found
    assert "\x1b" not in found


def test_runs_are_the_same_every_time() -> None:
    for name in ("a", "b"):
        assert (
            main(["run", "p.c", "--out", name, "--quiet", "--tests", "paths", "--", "--sym-args", "0", "2", "2"]) == 0
        )
    files = sorted(path.name for path in Path("a/tests").iterdir())
    assert len(files) == 5  # three paths, and two edges that joins have cut
    for name in files:
        assert Path("a/tests", name).read_bytes() == Path("b/tests", name).read_bytes()
