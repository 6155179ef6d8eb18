"""A section that is added to an ELF file is found again, and the rest stays what it was."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.commands.cc.conftest import Project
from unfork.commands.cc import object_files


@pytest.mark.parametrize("flags", ["-c", "-shared -fPIC"])
def test_a_section_more(project: Project, flags: str) -> None:
    project.write(f__c="int f(void) { return 3; }\n", main__c="int f(void);\nint main(void) { return f(); }\n")
    project.run(f"unfork cc {flags} f.c -o file")
    before = (project.folder / "file").read_bytes()
    after = object_files.with_section(before, b".more", b"content", 1, 0)
    assert object_files.section(after, b".more") == b"content"
    assert object_files.section(before, b".more") is None
    assert (
        object_files.kind(after)
        == object_files.kind(before)
        == (object_files.RELOCATABLE if flags == "-c" else object_files.SHARED)
    )
    names = [name for name, _, _ in object_files.sections(before)]
    assert [name for name, _, _ in object_files.sections(after)] == [*names, b".more"]
    for name in names:
        was, now = object_files.section(before, name), object_files.section(after, name)
        assert was is not None and now is not None
        assert now == was or (now == was + b".more\0" and name in (b".shstrtab", b".strtab"))
    (project.folder / "file").write_bytes(after)
    project.run("unfork cc main.c ./file -o program && ./program", status=3)


def test_other_tools_read_the_file(project: Project, tmp_path: Path) -> None:
    project.write(f__c="int f(void) { return 3; }\n")
    project.run("unfork cc -c f.c -o file")
    path = tmp_path / "more"
    path.write_bytes(object_files.with_section((project.folder / "file").read_bytes(), b".more", b"content", 1, 0))
    try:
        done = subprocess.run(["readelf", "-SW", str(path)], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("readelf is not installed")
    assert ".more" in done.stdout
    assert not done.stderr


def test_what_is_not_elf() -> None:
    for data in (b"", b"\x7fELF", b"!<arch>\n", b"BC\xc0\xde", bytes(200)):
        assert object_files.kind(data) == 0
