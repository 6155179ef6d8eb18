from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from unfork.cli import main
from unfork.cli.commands import COMMANDS, all_pages
from unfork.cli.completions import SHELLS
from unfork.options import DESCRIPTIONS, flags_of

PATIENCE = 30.0
"""Seconds that a shell has to answer."""
BASH = "source ./script; COMP_WORDS=({words}); COMP_CWORD={last}; _unfork; printf '%s\\n' \"${{COMPREPLY[@]}}\""
CASES = [
    ("unfork ver", ["verify"]),
    ("unfork run --sea", ["--search"]),
    ("unfork run --prune ", ["interpolate", "none", "subsume"]),
    ("unfork run --check memory,ov", ["memory,overflow"]),
    ("unfork cache w", ["where"]),
    ("unfork svcomp --data-model LP", ["LP64"]),
    ("unfork export sa", ["sarif"]),
    ("unfork replay --eng", ["--engine"]),
    ("unfork run --out fo", ["folder"]),
    ("unfork run pro", ["program.c"]),
    ("unfork verify --unwi", []),
]


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "program.c").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs("bash")
@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_bash_completes(typed: str, expected: list[str], folder: Path) -> None:
    (folder / "script").write_text(SHELLS["bash"](all_pages()))
    words = typed.split(" ")
    script = BASH.format(words=" ".join(f"'{word}'" for word in words), last=len(words) - 1)
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == expected
    assert done.stderr == ""


@needs("fish")
@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_fish_completes(typed: str, expected: list[str], folder: Path) -> None:
    (folder / "script").write_text(SHELLS["fish"](all_pages()))
    command = ["fish", "--no-config", "-c", f"source ./script; complete -C '{typed}'"]
    done = subprocess.run(command, env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True, check=True)
    found = sorted(line.partition("\t")[0].rstrip("/") for line in done.stdout.splitlines())
    assert [word for word in found if word not in ("script",)] == expected
    assert done.stderr == ""


@needs("zsh")
@pytest.mark.parametrize(("typed", "expected"), [case for case in CASES if len(case[1]) == 1])
def test_zsh_completes(typed: str, expected: list[str], folder: Path) -> None:
    """zsh completes in its line editor alone, and so on a terminal."""
    (folder / "_unfork").write_text(SHELLS["zsh"](all_pages()))
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": "ready"})
    try:
        begin = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste"
        os.write(terminal, f"{begin}; bindkey '^I' complete-word; echo be''gin\n".encode())
        _read_until(terminal, "begin")
        os.write(terminal, f"{typed}\t".encode())
        _read_until(terminal, " ".join([*typed.split(" ")[:-1], *expected]))
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def _read_until(terminal: int, wanted: str) -> None:
    text = ""
    until = time.monotonic() + PATIENCE
    while wanted not in text:
        ready, _, _ = select.select([terminal], [], [], max(until - time.monotonic(), 0))
        assert ready, text
        text += os.read(terminal, 4096).decode("utf-8", "replace").replace("\b", "")


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in SHELLS])
def test_the_shell_accepts_the_script(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(SHELLS[shell](all_pages()))
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_has_a_page_and_every_option_is_in_it() -> None:
    pages = {page.name: page for page in all_pages()}
    assert set(pages) == {*COMMANDS, "cc", "ar"}
    flags = {flag for name, description in DESCRIPTIONS.items() for flag in flags_of(name, description)}
    assert set(pages["run"].options) == {*flags, "--help"}
    assert all(page.purpose for page in pages.values())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", shell]) == 0
    assert capsys.readouterr().out == SHELLS[shell](all_pages())


def test_other_shells_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", "fsh"]) == 2
    expected = "unfork: completions takes one of bash, zsh, fish (did you mean fish?); see unfork completions --help\n"
    assert capsys.readouterr().err == expected
