"""What ``unfork cc`` prints, returns and leaves behind, command by command."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.commands.cc.conftest import Project

MAIN = """#include <stdio.h>
int twice(int);
int main(int argc, char **argv) { (void)argv; printf("%d\\n", twice(argc)); return 0; }
"""
TWICE = "static int helper(int x) { return x + x; }\nint twice(int x) { return helper(x); }\n"
UNUSED = "int unused(void) { return 1; }\n"


def zig() -> str:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None and spec.origin is not None
    return str(Path(spec.origin).parent / "zig")


@pytest.mark.parametrize(
    "words",
    [
        "-c broken.c",
        "-c broken.c -o broken.o -Wall -O2",
        "-c missing.c",
        "-c good.c --no-such-option",
        "-c good.c -o no/such/folder/good.o",
        "-E broken_include.c -o /dev/null",
        "-fsyntax-only broken.c warned.c",
        "-Werror -Wall -c warned.c",
        "-c -x no-such-language good.c",
        "",
        "-cc1 -no-such-option",
        "good.c broken.c -o both",
    ],
)
def test_a_failing_compile_fails_as_the_compiler_does(project: Project, words: str) -> None:
    project.write(
        broken__c="int f(void) {\n  return x +;\n}\n",
        good__c="int main(void) { return 0; }\n",
        warned__c="int f(void) { int unused; return 0; }\n",
        broken_include__c='#include "nowhere.h"\n',
    )
    target = "" if words.startswith("-cc1") else "--target=x86_64-unknown-linux-musl"
    theirs = project.run(f"{zig()} clang {target} {words}; echo $?")
    ours = project.run(f"unfork cc {words}; echo $?")
    assert ours.stdout == theirs.stdout
    assert ours.stderr == theirs.stderr


def test_a_warning_is_the_compilers(project: Project) -> None:
    project.write(warned__c="int f(void) { int unused; return 0; }\n")
    theirs = project.run(f"{zig()} clang --target=x86_64-unknown-linux-musl -Wall -lm -c warned.c")
    ours = project.run("unfork cc -Wall -lm -c warned.c")
    assert "unused" in ours.stderr and "-lm" in ours.stderr
    assert ours.stderr == theirs.stderr


def test_a_failing_link_says_what_the_linker_says_and_leaves_no_bitcode(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    project.run("unfork cc main.c twice.c -o program")
    assert (project.folder / "program.bc").exists()
    done = project.run("unfork cc main.c -o program", status=1)
    assert "undefined symbol: twice" in done.stderr
    assert "linker command failed with exit code 1" in done.stderr
    assert not (project.folder / "program.bc").exists()


def test_a_duplicate_symbol_is_an_error(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE, other__c=TWICE)
    assert "duplicate symbol: twice" in project.run("unfork cc main.c twice.c other.c -o program", status=1).stderr


@pytest.mark.parametrize(
    "flags", ["", "-O2 -fuse-ld=bfd", "-O3 -g3 -DNDEBUG -flto=thin -fPIE -pie", "-static -s", "-pipe -std=c99"]
)
def test_a_program_runs_and_its_bitcode_is_whole(project: Project, flags: str) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    assert project.run(f"unfork cc {flags} main.c twice.c && ./a.out one two").stdout == "6\n"
    assert project.defined("a.out.bc") == {"main", "twice", "helper"}
    assert "optnone" not in project.text("a.out.bc")
    assert '!DIFile(filename: "main.c"' in project.text("a.out.bc")


def test_optimisation_leaves_the_bitcode_alone_unless_it_is_kept(project: Project) -> None:
    project.write(main__c="int main(int argc, char **argv) { int unset; return argc > 5 ? unset : 0; }\n")
    project.run("unfork cc -O2 main.c -o plain")
    project.run("unfork cc -O2 main.c -o kept", UNFORK_CC_OPTIMIZE="keep")
    assert "br i1" in project.text("plain.bc")
    assert "br i1" not in project.text("kept.bc")
    assert "it can be 'keep'" in project.run("unfork cc -c main.c", status=2, UNFORK_CC_OPTIMIZE="2").stderr


def test_archives_give_the_members_that_are_needed(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE, unused__c=UNUSED)
    project.run("unfork cc -c main.c twice.c unused.c && unfork ar rcs libx.a twice.o unused.o")
    project.run("unfork cc main.o -L. -lx -lm -lpthread -o program")
    assert project.defined("program.bc") == {"main", "twice", "helper"}
    project.run("unfork cc main.o -Wl,--whole-archive libx.a -Wl,--no-whole-archive -o all")
    assert project.defined("all.bc") == {"main", "twice", "helper", "unused"}


def test_the_first_archive_that_defines_a_symbol_wins(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE, other__c="int twice(int x) { return 100 + x; }\n")
    project.run("unfork cc -c main.c twice.c other.c && unfork ar rcs liba.a other.o && unfork ar rcs libb.a twice.o")
    assert project.run("unfork cc main.o liba.a libb.a -o program && ./program").stdout == "101\n"
    assert project.defined("program.bc") == {"main", "twice"}


def test_members_of_one_name_and_thin_archives(project: Project) -> None:
    project.write(
        main__c=MAIN.replace("twice(argc)", "twice(argc) + more()").replace("int twice", "int more(void);int twice")
    )
    for folder, text in (("a", TWICE), ("b", "int more(void) { return 40; }\n")):
        (project.folder / folder).mkdir()
        (project.folder / folder / "part.c").write_text(text)
        project.run(f"cd {folder} && unfork cc -c part.c")
    project.run("unfork ar qcs libx.a a/part.o b/part.o && unfork ar qcsT libthin.a a/part.o b/part.o")
    assert project.run("unfork ar t libx.a").stdout == "part.o\npart.o\n"
    for library in ("libx.a", "libthin.a"):
        assert project.run(f"unfork cc main.c {library} -o program && ./program").stdout == "42\n"
        assert project.defined("program.bc") == {"main", "twice", "helper", "more"}


def test_the_systems_archiver_reads_the_objects_too(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    project.run("unfork cc -c twice.c && ar rcs libx.a twice.o && unfork cc main.c libx.a -o program")
    assert "twice" in project.defined("program.bc")


def test_shared_libraries_take_part(project: Project) -> None:
    hidden = '__attribute__((visibility("hidden"))) int h(void) { return %d; }\nint %s(void) { return h(); }\n'
    project.write(
        main__c="int f(void); int g(void);\nint main(void) { return f() * 10 + g(); }\n",
        f__c=hidden % (3, "f"),
        g__c=hidden % (4, "g"),
    )
    project.run("unfork cc -shared -fPIC f.c -Wl,-soname,libf.so.1 -Wl,--no-undefined -o libf.so.1.0")
    project.run("ln -s libf.so.1.0 libf.so && unfork cc -shared -fPIC g.c -o libg.so && mkdir away && mv libg.so away")
    project.run("strip --strip-unneeded away/libg.so")
    project.run("unfork cc main.c -L. -lf away/libg.so -Wl,-rpath,/nowhere -o program")
    project.run("./program", status=34)
    assert {"main", "f", "g"} <= project.defined("program.bc")
    assert "f" in project.defined("libf.so.1.0.bc")


def test_a_program_may_replace_what_a_shared_library_defines(project: Project) -> None:
    project.write(
        main__c=MAIN + "int used(int x) { return x + 6; }\n",
        lib__c="int used(int x) { return x; }\nint twice(int x) { return used(x); }\n",
    )
    project.run("unfork cc -shared -fPIC lib.c -o libx.so && unfork cc main.c libx.so -o program")
    assert project.run("./program").stdout == "7\n"


def test_what_a_shared_library_lacks_is_an_error_where_that_is_asked_for(project: Project) -> None:
    project.write(lib__c="int nowhere(void);\nint f(void) { return nowhere(); }\n")
    project.run("unfork cc -shared -fPIC lib.c -o libx.so")
    assert "nowhere" in project.run("unfork cc -shared -fPIC lib.c -Wl,-z,defs -o libx.so", status=1).stderr


def test_shared_libraries_that_shared_libraries_need(project: Project) -> None:
    project.write(
        main__c="int f(void); int main(void) { return f(); }\n",
        f__c="int g(void); int f(void) { return g() + 1; }\n",
        g__c="int h(void); int g(void) { return h() + 1; }\n",
        h__c="int h(void) { return 1; }\n",
    )
    project.run("mkdir a b; unfork cc -shared -fPIC h.c -o b/libh.so.1 && ln -s libh.so.1 b/libh.so")
    project.run(
        "unfork cc -shared -fPIC g.c -Lb -lh -o b/libg.so && unfork cc -shared -fPIC f.c -Lb -lg -lh -o a/libf.so"
    )
    project.run("unfork cc main.c -La -lf -o program && ./program", status=3)
    assert project.defined("program.bc") == {"main", "f", "g", "h"}
    project.run("mkdir c && mv a/* b/* c && unfork cc main.c -Lc -lf -o program && ./program", status=3)


def test_a_shared_library_takes_from_the_compilers_run_time_library(project: Project) -> None:
    project.write(
        lib__c="__int128 g(__int128 a, double d) { return a / 7 + (__int128)d; }\n"
        "long f(long a) { return g(a, a) >> 1; }\n",
        main__c="long f(long); int main(void) { return f(14); }\n",
        names__map="V1 { global: f; nowhere; local: *; };\n",
    )
    project.run("unfork cc -shared -fPIC lib.c -Wl,--version-script,names.map -o libx.so")
    project.run("unfork cc main.c libx.so -o program && ./program", status=8)
    assert project.defined("program.bc") == {"main", "f", "g"}


def test_partial_links_keep_bitcode(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    project.run("unfork cc -c main.c twice.c && unfork cc -r main.o twice.o -o both.o && unfork cc both.o -o program")
    assert project.run("./program").stdout == "2\n"
    assert project.defined("program.bc") == {"main", "twice", "helper"}
    project.run("$(unfork cc -print-prog-name=ld) -r main.o twice.o -o again.o && unfork cc again.o -o program")
    assert project.defined("program.bc") == {"main", "twice", "helper"}


def test_assembler_is_named_where_bitcode_ends(project: Project) -> None:
    assembler = "#define NAME twice\n.globl NAME\nNAME:\n  lea (%rdi,%rdi), %eax\n  ret\n"
    project.write(main__c=MAIN, twice__S=assembler)
    done = project.run("unfork cc -c twice.S && unfork cc main.c twice.o -o program && ./program")
    assert done.stdout == "2\n"
    assert done.stderr == "unfork cc: the bitcode of program lacks what was given without bitcode: twice.o\n"
    done = project.run("unfork ar rcs libx.a twice.o && unfork cc main.c libx.a -o program")
    assert done.stderr == "unfork cc: the bitcode of program lacks what was given without bitcode: libx.a(twice.o)\n"
    done = project.run("unfork cc -r twice.o -o both.o")
    assert "the bitcode of both.o lacks what was given without bitcode: twice.o" in done.stderr


def test_compiled_to_assembler_and_on(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    project.run("unfork cc -S twice.c && unfork cc -c twice.s && unfork cc main.c twice.o -o program && ./program")
    assert project.defined("program.bc") == {"main", "twice", "helper"}


def test_dependencies_standard_input_response_files_and_languages(project: Project) -> None:
    project.write(
        main__c='#include "a.h"\n' + MAIN, a__h="", twice__txt=TWICE, words="main.o -x c twice.txt -o 'a program'"
    )
    project.run("unfork cc -MMD -MF main.d -c main.c")
    assert (project.folder / "main.d").read_text().split() == ["main.o:", "main.c", "a.h"]
    assert project.run("unfork cc -MM main.c").stdout == "main.o: main.c a.h\n"
    assert project.run("unfork cc @words && './a program'").stdout == "2\n"
    assert project.defined("a program.bc") == {"main", "twice", "helper"}
    project.run("echo 'int main(void) { return 5; }' | unfork cc -x c - -o five && ./five", status=5)
    assert project.defined("five.bc") == {"main"}
    assert "define" in project.run("unfork cc -S -emit-llvm -x c twice.txt -o -").stdout


def test_many_objects_in_one_link(project: Project) -> None:
    names = [f"part_{number:04}_with_a_long_name_{'x' * 60}" for number in range(1200)]
    project.write(one__c="int f(void) { return 1; }\n", main__c="int main(void) { return 0; }\n")
    project.run("unfork cc -c one.c && unfork cc -c main.c")
    for name in names:
        (project.folder / f"{name}.c").symlink_to("one.c")
    (project.folder / "words").write_text(
        "\n".join(["main.o", *(f"-Wl,-defsym,{name}=0" for name in names), "-o program"])
    )
    project.run("unfork cc @words && ./program")
    assert project.defined("program.bc") == {"main"}


@pytest.mark.parametrize("words", ["-dumpmachine", "--version", "-v", "-print-search-dirs"])
def test_questions_of_build_systems_are_answered(project: Project, words: str) -> None:
    done = project.run(f"unfork cc {words}")
    assert "musl" in done.stdout + done.stderr


def test_what_configure_tries_leaves_no_bitcode(project: Project) -> None:
    project.write(conftest__c="int main(void) { return 0; }\n")
    project.run("unfork cc conftest.c -o conftest")
    assert sorted(path.name for path in project.folder.iterdir()) == ["conftest", "conftest.c"]


def test_an_output_without_bitcode_beside_it(project: Project) -> None:
    project.write(main__c="int main(void) { return 0; }\n")
    project.run("unfork cc main.c -o /dev/null")
    assert not Path("/dev/null.bc").exists()


def test_a_map_is_that_of_the_program(project: Project) -> None:
    project.write(main__c=MAIN, twice__c=TWICE)
    project.run("unfork cc main.c twice.c -Wl,-Map=map,--cref -Wl,--dependency-file=deps -o program")
    assert "VMA" in (project.folder / "map").read_text()
    assert (project.folder / "deps").read_text().startswith("program:")


def test_what_the_bitcode_cannot_know_is_said(project: Project) -> None:
    project.write(main__c=MAIN + "int __wrap_twice(int x) { return 50 + x; }\n", twice__c=TWICE)
    done = project.run("unfork cc main.c twice.c -Wl,--wrap=twice -o program && ./program")
    assert done.stdout == "51\n"
    assert done.stderr == "unfork cc: the bitcode of program does not know of --wrap=twice\n"


def test_common_and_weak_symbols(project: Project) -> None:
    project.write(
        main__c="int x; int f(void); int main(void) { x = 3; return f(); }\n",
        weak__c="int x; __attribute__((weak)) int f(void) { return -1; }\n",
        strong__c="int x; int f(void) { return x; }\n",
    )
    project.run("unfork cc -fcommon main.c weak.c strong.c -o program && ./program", status=3)
    text = project.text("program.bc")
    assert text.count("@x = ") == 1
    assert "ret i32 -1" not in text
    assert text.count("define ") == 2


def test_unfork_run_points_to_the_bitcode(project: Project) -> None:
    project.write(main__c="int main(void) { return 0; }\n")
    project.run("unfork cc main.c -o program")
    assert project.run("unfork run program", status=2).stderr == (
        "unfork: program: unknown kind of file (expected .c, .i, .cpp, .bc or .ll); did you mean program.bc?\n"
    )
    assert "verdict: safe" in project.run("unfork run program.bc").stdout
