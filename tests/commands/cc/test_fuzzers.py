"""Fuzz targets built by ``unfork cc`` as their projects build them."""

from __future__ import annotations

from tests.commands.cc.conftest import Project

TARGET = """#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 2 && data[0] == 'a') abort();
  if (size == 1) exit(3);
  return size == 3 ? -1 : 0;
}
"""
PROVIDED = """#include <fuzzer/FuzzedDataProvider.h>
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FuzzedDataProvider in(data, size);
  return in.ConsumeIntegralInRange<int>(0, 9) == 7 && in.ConsumeRemainingBytesAsString() == "x" ? -1 : 0;
}
"""
LOOP = """__AFL_FUZZ_INIT();
int main(void) {
  unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(10))
    if (__AFL_FUZZ_TESTCASE_LEN == 2 && data[1] == 'x') return 7;
  return 0;
}
"""


def test_a_target_is_linked_with_a_main(project: Project) -> None:
    project.write(target__c=TARGET, abc="abc", ok="okay", bad="a.")
    project.run("unfork cc -g -fsanitize=fuzzer,address target.c -o target")
    project.run("./target ok && ./target < ok")
    project.run("./target ok abc", status=255)
    project.run("./target bad", status=134)
    assert "calls exit" in project.run("printf 1 | ./target", status=134).stderr
    assert "main" not in project.defined("target.bc")
    done = project.run("unfork run target.bc --input-size 2 --no-progress --out run", status=1)
    assert "target.c:5: abort" in done.stdout and "target.c:6: user" in done.stdout
    assert done.stdout.count("natively too") == 2
    assert "as expected" in project.run("unfork replay run --native", status=0).stdout


def test_objects_without_main_are_linked_later(project: Project) -> None:
    project.write(target__cc=PROVIDED)
    project.run("unfork c++ -fsanitize=fuzzer-no-link,undefined -c target.cc -o target.o")
    project.run("unfork c++ -fsanitize=fuzzer target.o -o target")
    project.run("printf 'x\\007' | ./target", status=255)
    done = project.run("unfork run target.bc --input-size 3 --no-progress --out run")
    assert "verdict: safe" in done.stdout


def test_macros_of_afl(project: Project) -> None:
    project.write(target__c=LOOP)
    project.run("unfork cc -g -c target.c && unfork cc target.o -o target")
    project.run("printf .x | ./target", status=7)
    project.run("printf .. | ./target")
    assert "verdict: safe" in project.run("unfork run target.bc --input-size 2 --no-progress --out run").stdout
    assert "undefined symbol: main" in project.run("unfork cc -xc /dev/null -o nothing", status=1).stderr
