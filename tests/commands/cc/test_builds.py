"""Whole builds: make, configure scripts, autotools with libtool, cmake."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.commands.cc.conftest import Project
from tests.support.power import some

MAIN = '#include <stdio.h>\nint name(void);\nint main(void) { printf("%d\\n", name()); return 0; }\n'
NAME = "#include <math.h>\nint name(void) { return (int)floor(7.5); }\n"
MAKEFILE = """\
CFLAGS = -O2 -Wall
program: main.o libname.a
\t$(CC) $(CFLAGS) -o $@ main.o libname.a -lm
libname.a: name.o other.o
\t$(AR) rcs $@ $^
"""
CONFIGURE = """\
#!/bin/sh
# What configure scripts do: try, look at the exit status, and remove what was made.
set -e
probe() { $CC $CFLAGS conftest.c -o conftest $2 >>config.log 2>&1 && echo "#define $1 1" || echo "#undef $1"; }
{
  echo 'int main(void) { return 0; }' >conftest.c; $CC conftest.c; ./a.out; rm a.out; test ! -f a.out.bc
  echo '#include <stdio.h>
int main(void) { return strange_function(); }' >conftest.c; probe HAVE_STRANGE
  echo '#include <math.h>
int main(int c, char **v) { return (int)floor(c) - 1; }' >conftest.c; probe HAVE_FLOOR -lm; ./conftest
  echo '#ifndef __GLIBC__
int main(void) { return 0; }
#endif' >conftest.c; probe IS_MUSL
} >config.h
rm -f conftest conftest.c
sed "s|@CC@|$CC|; s|@AR@|$AR|" Makefile.in >Makefile
"""


def test_make_in_parallel(project: Project) -> None:
    project.write(main__c=MAIN, name__c=NAME, other__c="int other(void) { return 0; }\n", Makefile=MAKEFILE)
    assert project.run('make -j4 CC="unfork cc" AR="unfork ar" && ./program').stdout.endswith("7\n")
    assert project.defined("program.bc") == {"main", "name"}
    assert project.run('make CC="unfork cc"').stdout == "make: 'program' is up to date.\n"


def test_a_configure_script(project: Project) -> None:
    project.write(main__c=MAIN, name__c=NAME, other__c="int other(void) { return 0; }\n", configure=CONFIGURE)
    project.write(Makefile__in="CC = @CC@\nAR = @AR@\n" + MAKEFILE)
    project.run('CC="unfork cc" AR="unfork ar" sh configure && make && ./program')
    config = (project.folder / "config.h").read_text().splitlines()
    assert config == ["#undef HAVE_STRANGE", "#define HAVE_FLOOR 1", "#define IS_MUSL 1"]
    assert project.defined("program.bc") == {"main", "name"}


AUTOTOOLS = {
    "configure__ac": """\
AC_INIT([small], [1.0])
AC_CONFIG_MACRO_DIRS([m4])
AC_CONFIG_HEADERS([config.h])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AM_PROG_AR
LT_INIT
AC_PROG_CC
AC_C_BIGENDIAN
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNCS([getline strange_function])
AC_SEARCH_LIBS([floor], [m])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""",
    "Makefile__am": """\
ACLOCAL_AMFLAGS = -I m4
lib_LTLIBRARIES = libname.la
noinst_LTLIBRARIES = libinner.la
libinner_la_SOURCES = inner.c
libname_la_SOURCES = name.c
libname_la_LIBADD = libinner.la
libname_la_LDFLAGS = -no-undefined -version-info 1:0:0
bin_PROGRAMS = program
program_SOURCES = main.c
program_LDADD = libname.la
""",
    "main__c": MAIN,
    "name__c": NAME.replace("(int)", "inner() * (int)").replace("int name", "int inner(void);\nint name"),
    "inner__c": "int inner(void) { return 1; }\n",
}


@pytest.mark.parametrize("words", ["", "--disable-shared", "--disable-static"])
def test_autotools_with_libtool(project: Project, words: str) -> None:
    for program in ("autoreconf", "automake", "libtoolize"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    project.write(**AUTOTOOLS)
    (project.folder / "m4").mkdir()
    project.run("autoreconf -i")
    project.run(f'./configure {words} --host=x86_64-linux-musl --prefix="$PWD/away" CC="unfork cc" AR="unfork ar"')
    config = (project.folder / "config.h").read_text()
    assert "#define SIZEOF_LONG 8" in config
    assert "#define HAVE_GETLINE 1" in config
    assert "/* #undef HAVE_STRANGE_FUNCTION */" in config
    assert "/* #  undef WORDS_BIGENDIAN */" in config
    project.run("make -j3")
    assert project.run("./program").stdout == "7\n"
    place = "program.bc" if words == "--disable-shared" else ".libs/program.bc"
    assert [str(path.relative_to(project.folder)) for path in project.folder.rglob("*program.bc")] == [place]
    assert {"main", "name", "inner"} <= project.defined(place)
    project.run("make install")
    # A shared library takes its bitcode along to where it is installed.
    project.run("unfork cc main.c -Laway/lib -lname -o again && ./again")
    assert {"main", "name", "inner"} <= project.defined("again.bc")


CMAKE = """\
cmake_minimum_required(VERSION 3.13)
project(small C)
include(CheckFunctionExists)
check_function_exists(getline HAVE_GETLINE)
check_function_exists(strange_function HAVE_STRANGE)
file(WRITE ${CMAKE_BINARY_DIR}/found "${CMAKE_C_COMPILER_ID} ${HAVE_GETLINE} ${HAVE_STRANGE}")
add_library(inner STATIC inner.c)
set_target_properties(inner PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(name SHARED name.c)
set_target_properties(name PROPERTIES VERSION 1.2.3 SOVERSION 1)
target_link_libraries(name PRIVATE inner m)
add_executable(program main.c)
target_link_libraries(program PRIVATE name)
"""


@pytest.mark.parametrize("kind", some(["Debug", "Release", "RelWithDebInfo"], "builds"))
def test_cmake_with_a_static_and_a_shared_library(project: Project, kind: str) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    project.write(CMakeLists__txt=CMAKE, **{name: text for name, text in AUTOTOOLS.items() if name.endswith("__c")})
    tools = f'-DCMAKE_AR="$(command -v ar)" -DCMAKE_BUILD_TYPE={kind}'
    project.run(f"cmake -S . -B build {tools} && cmake --build build -j3 && build/program", CC="unfork cc")
    assert (project.folder / "build" / "found").read_text() == "Clang 1 "
    assert {"main", "name", "inner"} <= project.defined("build/program.bc")
    assert {"name", "inner"} <= project.defined("build/libname.so.1.2.3.bc")
    assert Path(project.folder, "build", "libname.so").is_symlink()
