"""Pages of run directories that lack something, of older runs, and of sources that have changed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from tests.report.page.pages import EXAMPLES, data_of, written
from tests.support.runs import explore
from tests.support.runs import written as source_of
from unfork.cli import main
from unfork.commands.afterwards.export import open_run
from unfork.program.facts.own_source import readable
from unfork.report.page.page_sources import sources
from unfork.report.record.database import LARGEST

NEWER = ("forked", "fork_places", "query_places", "refusals")
"""Tables that an older unfork did not keep."""


def test_the_command_writes_the_page_where_it_is_told(
    regexp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    assert main(["report", str(regexp), "-o", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}\n"
    assert target.read_text().startswith("<!doctype html>")
    assert main(["report", str(regexp)]) == 0
    assert (regexp / "report.html").read_bytes() == target.read_bytes()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Missing argument 'RUN_DIR'"),
        (["no-such-place"], "no such run directory"),
        (["."], "holds no summary.json"),
        (["a", "--opne"], "Did you mean '--open'"),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(
    words: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", *words]) == 2
    told = capsys.readouterr().err
    assert reason in told and told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_open_hands_the_page_to_the_browser(
    regexp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", asked.append)  # it returns None: there is no browser
    target = tmp_path / "page.html"
    assert main(["report", str(regexp), "--open", "-o", str(target)]) == 0
    assert asked == [target.as_uri()]
    assert "no browser" in capsys.readouterr().err


def test_runs_of_an_older_unfork_have_a_page(regexp: Path, tmp_path: Path) -> None:
    old = tmp_path / "run"
    shutil.copytree(regexp, old)
    with sqlite3.connect(old / "run.db") as database:
        for name in NEWER:
            database.execute(f"DROP TABLE {name}")
    data = data_of(old)
    figures = [each for lines in data["lines"].values() for each in lines.values()]
    assert not any({"forks", "queries", "seconds", "refused"} & each.keys() for each in figures)
    assert any("born" in each for each in figures)


def test_coverage_that_a_cut_run_did_not_write_is_not_told(regexp: Path, tmp_path: Path) -> None:
    cut = tmp_path / "run"
    shutil.copytree(regexp, cut)
    summary = json.loads((cut / "summary.json").read_text()) | {"coverage": None, "stopped_by": "killed"}
    (cut / "summary.json").write_text(json.dumps(summary))
    with sqlite3.connect(cut / "run.db") as database:
        database.execute("DELETE FROM coverage")
    assert data_of(cut)["functions"] == []


def test_more_paths_than_run_db_can_count_are_told_as_such(regexp: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(regexp, copy)
    with sqlite3.connect(copy / "run.db") as database:
        database.execute("UPDATE states SET multiplicity = ? WHERE id = (SELECT MIN(id) FROM states)", (LARGEST,))
        database.execute("UPDATE states SET multiplicity = ? WHERE id = (SELECT MAX(id) FROM states)", (LARGEST - 1,))
    large = [each for each in data_of(copy)["graph"]["stands"] if isinstance(each, str)]
    assert {*large} == {f"at least {LARGEST}", str(LARGEST - 1)}


def test_a_page_without_run_db_says_so(regexp: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(regexp, copy)
    (copy / "run.db").unlink()
    data = data_of(copy)
    assert data["graph"] is None
    assert any("run.db" in trouble for trouble in data["troubles"])


def test_sources_that_change_or_go_are_named(tmp_path: Path) -> None:
    source = source_of('#include "unfork.h"\nint main(void) { return 0; }\n', tmp_path)
    root = tmp_path / "run"
    explore(source, root)
    (file,) = data_of(root)["files"]
    assert (file["status"], file["note"]) == ("same", "")
    assert "".join(file["lines"][1][1::2]) == "int main(void) { return 0; }"
    source.write_text("int main(void) { return 1; }\n")
    (file,) = data_of(root)["files"]
    assert file["status"] == "changed" and "has changed" in file["note"]
    source.unlink()
    (file,) = data_of(root)["files"]
    assert (file["status"], file["lines"]) == ("missing", [])


def test_what_is_no_file_is_not_read_as_a_source(tmp_path: Path) -> None:
    """A program may name anything (#line): reading a pipe or a device would never end."""
    pipe = tmp_path / "pipe.c"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"int secret;",), daemon=True)
    writer.start()
    (entry,) = sources([str(pipe)], {}, readable(tmp_path, {"program": [str(pipe)]}))
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    os.close(reader)
    assert (entry["status"], entry["note"], entry["lines"]) == ("missing", "cannot be read: it is no file", [])


def test_only_what_belongs_to_the_program_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may call its lines those of any file (#line), which shows no such file; what it includes is shown."""
    here = tmp_path / "project" / "src"
    names = {
        "main.c": True,
        "parser.y": True,
        "generated/lexer.l": True,
        "../include/named.h": True,
        "../shared/included.h": True,
        "../shared/secret": False,
        "secret_link.y": False,
        ".hidden/key": False,
        str(tmp_path / "elsewhere" / "secret"): False,
        "../../elsewhere/secret": False,
        "missing.y": False,
    }
    for name in names:
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        if not name.startswith(("secret", "missing")):
            (here / name).write_text("static int text;\n")
    (here / "secret_link.y").symlink_to(tmp_path / "elsewhere" / "secret")
    lines = [
        f'int f{count}(int a) {{\n#line 1 "{name}"\n  if (a > 2) return 0; return a;\n}}\n'
        for count, name in enumerate(names)
    ]
    (here / "../shared/included.h").write_text("static int included(int a) { if (a > 2) return 0; return a; }\n")
    calls = "".join(f"f{count}(1);" for count in range(len(names)))
    (here / "main.c").write_text(
        '#include "../shared/included.h"\n'
        + "".join(line for line, name in zip(lines, names, strict=True) if "included" not in name)
        + f'#line 90 "main.c"\nint main(void) {{ {calls.replace("f4(1);", "included(1);")} return 0; }}\n'
    )
    monkeypatch.chdir(here)
    explore(Path("main.c"), Path("run"), "-I", "../include")
    run, expected = open_run(Path("run")), {os.path.normpath(name): is_shown for name, is_shown in names.items()}
    files = data_of(Path("run"))["files"]
    assert {os.path.normpath(file["name"]): bool(file["lines"]) for file in files} == expected
    kept = {os.path.normpath(file["name"]): run.contents(file["name"]) is not None for file in files}
    assert kept == expected


def test_a_directory_may_have_a_name_that_is_no_text(regexp: Path, tmp_path: Path) -> None:
    copy = tmp_path / os.fsdecode(b"\xff#?%41")
    shutil.copytree(regexp, copy)
    assert data_of(copy) == data_of(regexp)


def test_equal_runs_have_equal_pages(regexp: Path) -> None:
    assert written(regexp).read_bytes() == written(regexp).read_bytes()


def test_the_page_of_regexp_is_small(regexp: Path) -> None:
    assert written(regexp).stat().st_size < 500_000
    assert EXAMPLES.is_dir()


def test_a_page_made_elsewhere_has_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    for folder in (project / "include", elsewhere):
        folder.mkdir(parents=True)
    (project / "include" / "row.h").write_text("static int at(int *row, int i) {\n  return row[i];\n}\n")
    source_of('#include "row.h"\nint main(void) { int row[4] = {0}; return at(row, 4); }\n', project)
    source_of("int main(void) { return 0; }\n", elsewhere)
    monkeypatch.chdir(project)
    explore(Path("program.c"), Path("run"), "-I", "include", "--native-check", "never")
    here = data_of(Path("run"))
    assert [(file["name"], file["status"]) for file in here["files"]] == [
        ("program.c", "same"),
        ("include/row.h", "same"),
    ]
    monkeypatch.chdir(elsewhere)
    assert data_of(project / "run") == data_of(Path("..", "project", "run")) == here
    shutil.move(project, tmp_path / "moved")
    monkeypatch.chdir(tmp_path / "moved")
    assert data_of(Path("run"))["files"][0]["status"] == "same"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_native_replay_elsewhere_builds_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    source_of("int main(void) { int row[4] = {0}, i = 4; return row[i]; }\n", project)
    monkeypatch.chdir(project)
    explore(Path("program.c"), Path("run"), "--native-check", "never")
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "project/run", "--native"]) in (0, 1)
    assert "gcov" in capsys.readouterr().out
