"""How a linker's command line is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.cc.linker import inputs, read_link


@pytest.mark.parametrize(
    "words",
    ["-o x a.o", "-ox a.o", "--output=x a.o", "--output x a.o", "-soname libs.so -o x a.o", "-h y -o x a.o -z now"],
)
def test_the_output(words: str) -> None:
    assert read_link(words.split()).output == "x"
    assert [file for _, file in inputs(read_link(words.split())) if file] == ["a.o"]


@pytest.mark.parametrize(
    ("words", "kind"),
    [("a.o", "program"), ("-shared a.o", "shared"), ("-r a.o", "relocatable"), ("-soname -shared a.o", "program")],
)
def test_the_kind(words: str, kind: str) -> None:
    assert read_link(words.split()).kind == kind


def test_libraries_are_found_as_the_linker_finds_them(tmp_path: Path) -> None:
    for name in ("libx.so", "libx.a", "liby.a", "odd.name"):
        (tmp_path / name).touch()
    words = f"-lx -Bstatic -lx --push-state -Bdynamic -lx --pop-state -l x -Bdynamic -l:odd.name -ly -lz -L {tmp_path}"
    found = [file and Path(file).name for (word, *_), file in inputs(read_link(words.split())) if word.startswith("-l")]
    assert found == ["libx.so", "libx.a", "libx.so", "libx.a", "odd.name", "liby.a", None]


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("'b c.o'")
    (tmp_path / "outer").write_text(f"a.o @{tmp_path}/inner -o x")
    link = read_link([f"@{tmp_path}/outer", "@none"])
    assert link.words == (("a.o",), ("b c.o",), ("@none",))
    assert link.output == "x"
