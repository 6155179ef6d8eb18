"""What a server takes for its project, and what it refuses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from unfork.commands.editors.workspace import Workspace
from unfork.errors import InputError
from unfork.options.options import Options


def workspace(root: Path, *paths: str, **options: object) -> Workspace:
    given = Options(**options, given=frozenset(options))  # type: ignore[arg-type] # names of options
    return Workspace(root, paths, given, 5.0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file, and links that lead out of it and to what is inside."""
    (tmp_path / "secret.c").write_text("int secret;\n")
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.c").write_text("int a(void) { return 1; }\n")
    (root / "out.c").symlink_to(tmp_path / "secret.c")
    (root / "up").symlink_to(tmp_path)
    (root / "in.c").symlink_to(root / "src" / "a.c")
    return root


@pytest.mark.parametrize("name", ["src/a.c", "./src/../src/a.c", "in.c"])
def test_files_inside_are_taken(root: Path, name: str) -> None:
    assert workspace(root).within(name) == root / "src" / "a.c"


@pytest.mark.parametrize(
    "name", ["../secret.c", "src/../../secret.c", "/etc/passwd", "out.c", "up/secret.c", "missing.c", "src", "", "."]
)
def test_what_is_no_file_inside_is_refused(root: Path, name: str) -> None:
    with pytest.raises(InputError, match="workspace"):
        workspace(root).within(name)


def test_an_absolute_name_of_a_file_inside_is_refused(root: Path) -> None:
    with pytest.raises(InputError, match="no relative path"):
        workspace(root).within(str(root / "src" / "a.c"))


@pytest.mark.parametrize("folder", [".", "build"])
def test_a_build_says_what_a_file_is_linked_with(root: Path, folder: str) -> None:
    command = {"directory": str(root), "file": "src/a.c", "command": "cc -DX=1 -c src/a.c"}
    (root / folder).mkdir(exist_ok=True)
    (root / folder / "compile_commands.json").write_text(json.dumps([command]))
    words = workspace(root).scan_words(root / "src" / "a.c", 5.0)
    assert words[2:4] == ["--in", "src/a.c"]
    assert workspace(root).flags(root / "src" / "a.c") == ("-D", "X=1")
    assert workspace(root).flags(root / "src" / "b.c") is None


def test_a_file_of_no_build_stands_alone(root: Path) -> None:
    assert workspace(root).scan_words(root / "src" / "a.c", 5.0)[:2] == ["scan", "src/a.c"]


def test_a_named_project_comes_first(root: Path) -> None:
    assert workspace(root, "src").scan_words(root / "src" / "a.c", 5.0)[:4] == ["scan", "src", "--in", "src/a.c"]


def test_options_become_words_again(root: Path) -> None:
    words = workspace(root, include=("include",), define=("A=1", "B"), cflags="-O0", check=("memory", "div")).words()
    assert shlex.join(words) == "--cflags -O0 --check memory,div -D A=1 -D B -I include"


def test_folders_are_seen_from_where_they_are_used(root: Path) -> None:
    assert workspace(root, include=("include",)).lasting_words(root / "src") == ["-I", "../include"]


def test_the_name_of_a_file_is_no_option(root: Path) -> None:
    file = root / "--cc=evil.c"
    file.write_text("int a;\n")
    assert workspace(root).scan_words(file, 5.0)[:2] == ["scan", "./--cc=evil.c"]
    assert workspace(root).syntax_words(file)[-1] == "./--cc=evil.c"
