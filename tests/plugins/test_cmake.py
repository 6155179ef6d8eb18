from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = f"""
cmake_minimum_required(VERSION 3.17)
project(tried C)
enable_testing()
include({ROOT}/cmake/unfork.cmake)
add_library(twice STATIC parts/twice.c)
target_include_directories(twice PUBLIC parts "parts/with blank")
add_executable(reads reads.c)
target_link_libraries(reads twice)
target_compile_definitions(reads PRIVATE FORBIDDEN=130 OTHER)
add_unfork_test(reads SOURCES parts/twice.c OPTIONS --sym-stdin 1)
add_unfork_test(reads NAME one SOURCES parts/twice.c FUNCTIONS checked unchecked)
add_executable(echoes echoes.c)
add_unfork_test(echoes OPTIONS -D KNOWN ARGS a "b c")
"""
READS = """
#include <stdio.h>
#include "twice.h"
#include "blank.h"
#ifndef OTHER
#error definitions are missing
#endif
int checked(int x) { return twice(x) == FORBIDDEN ? BLANK : 100 / (twice(x) - FORBIDDEN); }
int unchecked(int x) { return 100 / (twice(x) - FORBIDDEN); }
int main(void) { return unchecked(getchar()); }
"""
ECHOES = """
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) { assert(argc == 3 && KNOWN && !strcmp(argv[2], "b c")); }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "parts" / "with blank").mkdir(parents=True)
    (tmp_path / "parts" / "twice.h").write_text("int twice(int);\n")
    (tmp_path / "parts" / "with blank" / "blank.h").write_text("#define BLANK 0\n")
    (tmp_path / "parts" / "twice.c").write_text("int twice(int x) { return (int)(2u * x); }\n")
    (tmp_path / "reads.c").write_text(READS)
    (tmp_path / "echoes.c").write_text(ECHOES)
    return tmp_path


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.skipif(
    not all(map(shutil.which, ("cmake", "ctest", "cc"))) or not (Path(sys.executable).parent / "unfork").exists(),
    reason="no cmake, no C compiler, or unfork is not installed",
)
def test_targets_are_explored_as_tests(project: Path) -> None:
    build = project / "build"
    made = _run("cmake", "-S", str(project), "-B", str(build))
    assert made.returncode == 0, made.stderr
    for _ in range(2):  # the second time there are run directories
        done = _run("ctest", "--test-dir", str(build), "--output-on-failure")
        ended = dict(re.findall(r"Test +#\d+: (\S+) \.+ *(?:\*\*\*)?(\w+)", done.stdout))
        assert {name: word for name, word in ended.items() if not name.endswith(".clean")} == {
            "reads.unfork": "Failed",
            "one.checked": "Passed",
            "one.unchecked": "Failed",
            "echoes.unfork": "Passed",
        }, done.stdout
        assert done.stdout.count("reads.c:9: div-by-zero: division by zero in unchecked") == 2
    assert (build / "unfork" / "one.checked" / "summary.json").exists()


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("add_unfork_test(nothing)", "there is no such target"),
        ("add_unfork_test(it MORE)", "what is MORE?"),
        ("add_unfork_test(it)", "the target has no sources in C or C++"),
    ],
)
def test_mistakes_are_named(call: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.17)\nproject(tried NONE)\nset(UNFORK_EXECUTABLE unfork)\n"
        f"include({ROOT}/cmake/unfork.cmake)\nadd_custom_target(it)\n{call}\n"
    )
    made = _run("cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build"))
    assert made.returncode == 1
    assert complaint in " ".join(made.stderr.split())
