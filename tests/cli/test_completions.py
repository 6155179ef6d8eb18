from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from unfork.cli import main
from unfork.cli.cache_command import SHELLS
from unfork.cli.commands import COMMANDS, COMPLETING, UNFORK
from unfork.cli.words import sections
from unfork.options.options import DESCRIPTIONS, flag_of

PATIENCE = 60.0
"""Seconds that a shell has to answer."""
BASH = (
    "source ./script; COMP_WORDS=({words}); COMP_CWORD={last}; _unfork_completion unfork; "
    "printf '%s\\n' \"${{COMPREPLY[@]}}\""
)
CASES = [
    ("unfork ver", ["verify"]),
    ("unfork run --sea", ["--search"]),
    ("unfork run --prune ", ["interpolate", "none", "subsume"]),
    ("unfork run --check memory,ov", ["memory,overflow"]),
    ("unfork cache w", ["where"]),
    ("unfork svcomp --data-model LP", ["LP64"]),
    ("unfork export folder sa", ["sarif"]),
    ("unfork replay --eng", ["--engine"]),
    ("unfork verify --unwi", []),
]


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program is on the path."""
    program = tmp_path / "bin" / "unfork"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m unfork "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_words_are_completed(typed: str, expected: list[str]) -> None:
    _, *before, last = typed.split(" ")
    found = ShellComplete(UNFORK, {}, "unfork", COMPLETING).get_completions(before, last)
    assert sorted(item.value for item in found) == expected


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("run --out fo", "dir"),
        ("run --json fo", "file"),
        ("run fo", "file"),
        ("resume fo", "file"),
        ("run -I fo", "dir"),
    ],
)
def test_names_of_files_are_left_to_the_shell(typed: str, kind: str) -> None:
    *before, last = typed.split(" ")
    (item,) = ShellComplete(UNFORK, {}, "unfork", COMPLETING).get_completions(before, last)
    assert (item.type, item.value) == (kind, "fo")


@needs("bash")
def test_bash_completes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", "bash"]) == 0
    (folder / "script").write_text(capsys.readouterr().out)
    words = ["unfork", "run", "--check", "memory,ov"]
    script = BASH.format(words=" ".join(words), last=len(words) - 1)
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (["memory,overflow"], "")


@needs("fish")
def test_fish_completes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", "fish"]) == 0
    (folder / "script").write_text(capsys.readouterr().out)
    command = ["fish", "--no-config", "-c", "source ./script; complete -C 'unfork run --sea'"]
    done = subprocess.run(command, env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True, check=True)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == ["--search"]


@needs("zsh")
def test_zsh_completes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """zsh completes in its line editor alone, and so on a terminal."""
    assert main(["completions", "zsh"]) == 0
    (folder / "_unfork").write_text(capsys.readouterr().out)
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": "ready"})
    try:
        begin = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste"
        os.write(terminal, f"{begin}; bindkey '^I' complete-word; echo be''gin\n".encode())
        _read_until(terminal, "begin")
        os.write(terminal, b"unfork ver\t")
        _read_until(terminal, "unfork verify")
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
def test_the_shell_accepts_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_is_described_and_every_option_of_a_run_is_in_its_help() -> None:
    top = click.Context(UNFORK, info_name="unfork")
    commands = {name: UNFORK.get_command(top, name) for name in COMMANDS}
    assert all(command is not None and command.help for command in commands.values())
    run = commands["run"]
    assert run is not None
    rows = [head for each in sections(run, click.Context(run, parent=top)).values() for head, _ in each]
    flags = {flag_of(name) for name in DESCRIPTIONS}
    assert {word for head in rows for word in head.replace(",", "").split() if word in flags} == flags


def test_other_shells_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completions", "fsh"]) == 2
    assert "'fsh' is none of bash, zsh, fish (did you mean fish?); see unfork" in capsys.readouterr().err
