"""Which functions of a project its users may call, and who calls the others."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from unfork.commands.projects.entries import CallGraph, Entries, include_folders
from unfork.commands.projects.project import sources_of
from unfork.commands.projects.projects import build
from unfork.options.options import Options

LIB = """
#include "lib.h"
static int table_of(int n) { return n; }
static int helper(int n) { return table_of(n) + 1; }
int (*kept)(int) = table_of;
int shared(int n) { return helper(n); }
int in_macro(int n) { return shared(n); }
int public_one(int n) { return n > 0 ? in_macro(n) : public_one(n + 1); }
"""


def graph(folder: Path, **headers: str) -> CallGraph:
    """The calls of LIB, with headers by their paths."""
    (folder / "src").mkdir(parents=True)
    for name, text in headers.items():
        path = folder / f"{name.replace('__', '/')}.h"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "src" / "lib.c").write_text(LIB)
    sources, _ = sources_of([str(folder)], "scan")
    include = (str(folder / "include"), str(folder / "src"))
    return Entries(sources, include).graph(build(Options(include=include), sources))


@pytest.mark.parametrize(
    ("headers", "entries"),
    [
        ({"src__lib": ""}, {"shared", "in_macro", "public_one"}),
        ({"src__lib": "int public_one(int n); /* shared */\n"}, {"public_one"}),
        ({"src__lib": "int public_one(int n);\n#define ASK(n) in_macro(n)\n"}, {"public_one", "in_macro"}),
        ({"src__lib": '#include "deep.h"\n', "src__deep": "int shared(int n);\n"}, {"shared", "public_one"}),
        (
            {
                "src__lib": '#include "api.h"\n#include "private.h"\n',
                "src__private": "int shared(int n);\n",
                "include__api": "int public_one(int n);\n",
            },
            {"public_one"},
        ),
    ],
)
def test_headers_say_what_users_may_call(headers: dict[str, str], entries: set[str], tmp_path: Path) -> None:
    assert graph(tmp_path, **headers).entries == entries


def test_who_calls_a_function_is_known_unless_its_address_is_taken(tmp_path: Path) -> None:
    found = graph(tmp_path, src__lib="int public_one(int n);\n")
    assert found.callers["helper"] == ("shared",)
    assert found.callers["public_one"] == ()
    assert found.taken == {"table_of"}


@pytest.mark.parametrize(
    ("name", "is_test"),
    [
        *((each, True) for each in ("test_a", "a_test", "a-test", "test2", "unit-test", "unittest", "a-tests3")),
        *((each, False) for each in ("attest", "contest", "latest2", "testament", "a_testing")),
    ],
)
def test_names_say_which_files_are_tests(name: str, is_test: bool, tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text("int f(void) { return 0; }\n")
    path = tmp_path / f"{name}.c"
    path.write_text("int g(void) { return 0; }\n")
    sources, _ = sources_of([str(tmp_path)], "scan")
    assert Entries(sources).is_of_users(path) == is_test


@pytest.mark.parametrize("flags", ["-I{}", "-I {}", "-iquote {}"])
def test_options_for_the_compiler_say_where_headers_are(flags: str, tmp_path: Path) -> None:
    folder = tmp_path / "some folder"
    options = Options(cflags=flags.format(shlex.quote(str(folder))))
    assert include_folders(options) == [str(folder)]
