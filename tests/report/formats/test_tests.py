from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.cli import main
from unfork.errors import InputError
from unfork.program.c.escape import c_comment, c_string, escape_text
from unfork.program.llvm.compiler import INCLUDE
from unfork.program.llvm.types import FunctionType, IntType, PointerType, VoidType
from unfork.report.formats.ktest import to_ktest
from unfork.report.formats.testcomp import of_program
from unfork.report.formats.testcomp import testcase as to_xml
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.file_of_test import from_json, to_json
from unfork.world.inputs.harness import Harness
from unfork.world.inputs.testcase import Error, Exit, TestCase, TestInput, number_of

HOSTILE = '\x1b[31m"]>*/ [red]\u202e\n<&'
TEST = TestCase(
    ("a.c", "b.c"),
    (
        TestInput("x", "nondet", "int", b"\xff\xff\xff\xff"),
        TestInput("f", "nondet", "double", struct.pack("<d", float("nan"))),
        TestInput(HOSTILE, "symbolic", None, b"\0\1\2"),
        TestInput("uninit:y", "uninit", None, b"\7"),
    ),
    Error("assert", "a.c", 7),
    ("a.c:3 main 1/0",),
    ("first",),
    b"\0in",
    (("/etc/x", b"\xff"),),
    CommandLine(("first",), given=b"\0in", seeds=(("/etc/x", b"\xff"),)),
    b"out\0",
)
inputs = st.builds(
    TestInput,
    st.text(),
    st.sampled_from(["symbolic", "nondet", "uninit"]),
    st.sampled_from([None, "int", "unsigned int", "double", "float", "char *", "struct s"]),
    st.binary(max_size=20),
)


@given(
    st.builds(
        TestCase,
        st.lists(st.text(), max_size=2).map(tuple),
        st.lists(inputs, max_size=4).map(tuple),
        st.one_of(
            st.none(),
            st.builds(Exit, st.one_of(st.none(), st.integers(0, 255))),
            st.builds(Error, st.text(), st.one_of(st.none(), st.text()), st.one_of(st.none(), st.integers(1, 9))),
        ),
    )
)
def test_json_comes_back_as_it_was(test: TestCase) -> None:
    assert from_json(to_json(test), "t") == test


def test_a_whole_test_comes_back() -> None:
    assert from_json(to_json(TEST), "t") == TEST
    assert TEST.needs_engine()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"program": [], "inputs": [{"name": 1}]}', "[" * 100_000, '{"program": 3}']
)
def test_what_is_no_test_file_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refused:
        from_json(text, "odd.json")
    assert str(refused.value).startswith("odd.json is not a test file")
    assert "\n" not in str(refused.value)


def test_numbers_follow_the_type() -> None:
    assert number_of(TestInput("x", "nondet", "int", b"\xff\xff\xff\xff")) == -1
    assert number_of(TestInput("x", "nondet", "unsigned int", b"\xff\xff\xff\xff")) == 0xFFFFFFFF
    assert number_of(TestInput("x", "nondet", "float", struct.pack("<f", 1.5))) == 1.5
    assert number_of(TestInput("x", "symbolic", None, b"123")) is None


def test_ktest_has_the_layout_of_version_3() -> None:
    data = to_ktest(TEST)
    assert data[:9] == b"KTEST\0\0\0\3"
    place = 9

    def number() -> int:
        nonlocal place
        place += 4
        return int(struct.unpack(">I", data[place - 4 : place])[0])

    def text() -> bytes:
        nonlocal place
        size = number()
        place += size
        return data[place - size : place]

    assert [text() for _ in range(number())] == [b"a.c", b"first"]
    assert (number(), number()) == (0, 0)
    objects = [(text(), text()) for _ in range(number())]
    assert objects[0] == (b"x", b"\xff\xff\xff\xff")
    assert len(objects) == 3
    assert place == len(data)


def test_xml_is_well_formed_whatever_the_program_names(tmp_path: Path) -> None:
    root = ElementTree.fromstring(to_xml(TEST))
    assert root.tag == "testcase"
    assert root.get("coversError") == "true"
    assert [(one.get("variable"), one.get("type"), one.text) for one in root] == [
        ("x", "int", "-1"),
        ("f", "double", "nan"),
    ]
    passing = TestCase(("a.c",), (TestInput(HOSTILE, "nondet", HOSTILE, b"\1"),), Exit(0))
    assert "coversError" not in to_xml(passing)
    assert ElementTree.fromstring(to_xml(passing))[0].text == "1"
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    metadata = of_program(HOSTILE, tmp_path / "a.c", "main")
    head = ElementTree.fromstring(metadata)
    assert [one.tag for one in head][:3] == ["sourcecodelang", "producer", "specification"]
    assert head.findtext("programfile") == escape_text(HOSTILE)
    assert "DTD test-format test-metadata 1.0//EN" in metadata


@given(st.text())
def test_what_is_shown_is_one_printable_line(text: str) -> None:
    safe = escape_text(text)
    assert len(safe.splitlines()) <= 1
    assert "\x1b" not in safe
    assert "*/" not in c_comment(text)
    assert c_string(text).isascii()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_c_file_stands_alone_and_runs_the_input(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        '#include "helper.h"\n#include <unfork.h>\n#include <klee/klee.h>\nunsigned int __VERIFIER_nondet_uint(void);\n'
        'int main(void) { int x; unfork_symbolic(&x, sizeof x, "x"); klee_assume(x > 0);\n'
        "  return x + HELP + (__VERIFIER_nondet_uint() == 9); }\n"
    )
    (tmp_path / "helper.h").write_text("#define HELP 2\n")
    nothing = FunctionType(VoidType(), (PointerType(), IntType(64), PointerType()), False)
    uint = FunctionType(IntType(32), (), False)
    declared = {"unfork_symbolic": nothing, "klee_assume": nothing, "__VERIFIER_nondet_uint": uint}
    given_inputs = (
        TestInput("x", "symbolic", None, (40).to_bytes(4, "little")),
        TestInput("n", "nondet", "unsigned int", (9).to_bytes(4, "little")),
    )
    test = TestCase((str(source),), given_inputs, Exit(43))
    other = tmp_path / "elsewhere"
    other.mkdir()
    harness = Harness((str(source),), declared, INCLUDE)
    (other / "test.c").write_text(harness.alone(test))
    subprocess.run(["gcc", "-Wall", "-Werror", "-Wno-unused-function", "test.c", "-o", "test"], cwd=other, check=True)
    assert subprocess.run([other / "test"], check=False).returncode == 43
    (other / "inputs.c").write_text(harness.from_file())
    (other / "inputs").write_bytes(harness.input_file(test))
    subprocess.run(["gcc", f"-I{INCLUDE}", "inputs.c", str(source), "-o", "linked"], cwd=other, check=True)
    environment = {"UNFORK_INPUTS": str(other / "inputs")}
    assert subprocess.run([other / "linked"], env=environment, check=False).returncode == 43


def test_c_of_a_function_other_than_main_has_a_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(
        '#include <unfork.h>\nint f(void) { int x; unfork_symbolic(&x, sizeof x, "x"); return x == 7 ? 9 : 9; }\n'
    )
    assert main(["run", "f.c", "--function", "f", "--formats", "c", "--tests", "paths", "--quiet", "--out", "run"]) == 0
    text = Path("run/tests/000001.c").read_text()
    assert text.endswith("int main(void) { return (int)f(); }\n")
