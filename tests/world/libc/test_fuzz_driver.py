"""The main of fuzz targets: when it is linked, and what is said without a target."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.runs import options_of, written
from unfork.commands.run.run import run
from unfork.errors import InputError
from unfork.report.record.kept_run import read_test
from unfork.world.inputs.testcase import Exit

TARGET = "extern int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)"


@pytest.mark.parametrize(
    ("program", "name", "message"),
    [
        ("int f(void) { return 0; }", "p.c", "neither 'main' nor 'LLVMFuzzerTestOneInput'; name one with --function"),
        (
            f"{TARGET} {{ return data[0] == size; }}",
            "p.cpp",
            r'\(declare it extern "C", not _Z22LLVMFuzzerTestOneInput',
        ),
    ],
)
def test_without_a_target(program: str, name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        run(written(program, tmp_path, name), options_of(tmp_path / "run"))


def test_an_own_main_wins(tmp_path: Path) -> None:
    program = f"{TARGET} {{ return 1 / (size - size); }} int main(void) {{ return 4; }}"
    result = run(written(program, tmp_path, "p.c"), options_of(tmp_path / "run", "--tests", "paths"))
    assert result.verdict == "safe"
    assert [read_test(test).expect for test in result.tests] == [Exit(4)]


def test_a_target_that_returns_minus_one(tmp_path: Path) -> None:
    program = f"{TARGET} {{ if (size == 2 && data[1] == 9) return -1; return 0; }}"
    result = run(written(program, tmp_path, "p.c"), options_of(tmp_path / "run", "--input-size", "2"))
    assert result.verdict == "safe"
    assert Exit(255) in [read_test(test).expect for test in result.tests]
    assert not result.summary["assumptions"]


STANDALONE = {
    "target.c": f"""#include <stdlib.h>
{TARGET} {{ if (size == 2 && data[1] == 9) abort(); return 0; }}
""",
    "target.cpp": """#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FuzzedDataProvider in(data, size);
  if (in.ConsumeBool() && in.remaining_bytes() == 1) abort();
  return 0;
}
""",
    "loop.c": """#include <stdlib.h>
__AFL_FUZZ_INIT();
int main(void) {
  unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(3)) if (__AFL_FUZZ_TESTCASE_LEN == 2 && data[1] == 9) abort();
  return 0;
}
""",
}


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("name", STANDALONE)
def test_a_test_as_source_needs_nothing_else(name: str, tmp_path: Path) -> None:
    options = options_of(tmp_path / "run", "--input-size", "2", "--formats", "c")
    result = run(written(STANDALONE[name], tmp_path, name), options)
    (error,) = result.errors
    source = (result.directory / error.test).with_suffix(Path(name).suffix)
    program = tmp_path / "program"
    subprocess.run(["g++" if name.endswith("cpp") else "gcc", "-w", source, "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == -signal.SIGABRT
