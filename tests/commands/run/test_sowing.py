"""Runs that begin with a corpus, and those that write one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.support.runs import options_of, written
from unfork.commands.run.run import Result, run
from unfork.errors import InputError
from unfork.report.record.kept_run import read_run, read_test
from unfork.report.record.why import why, why_lines

BEHIND = """
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
static uint32_t mixed(const uint8_t *data, size_t size) {
  uint32_t sum = 2166136261u;
  for (size_t i = 0; i < size; i++) sum = (sum ^ data[i]) * 16777619u;
  return sum;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size != 12 || mixed(data, 8) != %#xu) return 0;
  if (data[8] == 'x')
    assert(data[9] != 'y');
  return -1;
}
"""
KEY = b"open it!"
LOOK = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 3 && data[0] == 'c') abort();
  if (size > 3 && data[0] == 'l' && data[3] == 'k') return 1;
  return 0;
}
"""

BLOCKED = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static uint32_t crc32(const uint8_t *data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}
static uint64_t product(const uint8_t *data, size_t size) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) sum = (sum ^ data[i]) * 1099511628211u;
  return sum;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size != 32) return 0;
  if (product(data + 8, 16) == 0x123456789abcdefu) return 1;
  if (memcmp(data, "MAGI", 4)) return 2;
  if (data[4] != size - 4) return 3;
  if (memcmp(data + 24, "a chunk.", 8)) return 4;
  if (crc32(data + 24, 8) != 0x12345678u) return 5;
  return -1;
}
"""
"""No input has that checksum: the bytes under it are fixed. The product is beyond a solver in the time given."""


def mixed(data: bytes) -> int:
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def sown(folder: Path, program: str, *words: str, **files: bytes) -> Result:
    """A run on a corpus of ``files``; plain, so that it goes the same way each time."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (corpus / name).write_bytes(data)
    options = options_of(folder / "run", "--corpus", str(corpus), "--strategy", "plain", "--cores", "1", *words)
    return run(written(program, folder, "target.c"), options)


def warnings(result: Result) -> str:
    return (result.directory / "warnings.txt").read_text()


def test_a_seed_leads_through_a_checksum(tmp_path: Path) -> None:
    """No solver inverts it in the time given; what is beside the seed's path needs no inverse."""
    result = sown(tmp_path, BEHIND % mixed(KEY), "--max-forks", "1", seed=KEY + b"xabc", short=b"no")
    assert [(error.kind, error.line) for error in result.errors] == [("assert", 13)]
    (test,) = [read_test(result.directory / error.test) for error in result.errors]
    (data,) = [each.data for each in test.inputs if each.name == "input-data"]
    assert data == KEY + b"xybc"  # bytes that no condition asks for are the seed's
    assert "2 inputs of 2 add coverage" in warnings(result)


def test_a_seed_that_fails_is_an_error_at_once(tmp_path: Path) -> None:
    result = sown(tmp_path, LOOK, "--max-forks", "1", crash=b"crs", other=b"l")
    assert [(error.kind, error.line) for error in result.errors] == [("abort", 6)]
    assert "1 error" in warnings(result)


def test_what_is_beside_a_path_is_run(tmp_path: Path) -> None:
    """Two conditions beyond the seed: the second generation meets the second."""
    result = sown(tmp_path, LOOK, "--max-forks", "1", seed=b"....")
    inputs = [each.data for test in result.tests for each in read_test(test).inputs if each.name == "input-data"]
    assert b"l..k" in inputs


def test_exploration_goes_on_to_the_end(tmp_path: Path) -> None:
    """The states beside seeds leave nothing out, and lose nothing."""
    result = sown(tmp_path, BEHIND % 7, "--input-size", "3", seed=b"abc")
    assert result.verdict == "safe"
    with_bug = sown(tmp_path / "other", LOOK, "--input-size", "4", seed=b"abc", long=b"12345")
    assert with_bug.verdict == "unsafe" and len(with_bug.errors) == 1
    assert "left out 1 file of more than 4 bytes (--input-size)" in warnings(with_bug)


def test_what_blocks_seeds_is_said_per_branch(tmp_path: Path) -> None:
    words = ("--max-forks", "1", "--solver-timeout", "0.3")
    result = sown(tmp_path, BLOCKED, *words, seed=b"." * 32, other=b"MAGI" + b"?" * 28, short=b"no")
    seeds = json.loads((result.directory / "summary.json").read_text())["seeds"]
    sides = {(side["line"], side["to_line"]): side for side in seeds["sides"]}
    assert seeds["inputs"] == 3 and seeds["lost"] == 0
    product, length, crc = sides[20, 20], sides[22, 23], sides[24, 25]
    assert not product["taken"] and product["unknown"] and product["reached"] > 1 and not product["flipped"]
    assert length["taken"] and length["flipped"] == 1 and length["inputs"] == 1
    assert not crc["taken"] and crc["infeasible"] and not crc["unknown"] and crc["inputs"] == 8
    assert [side["line"] for side in seeds["sides"] if not side["taken"]] == [20, 24]
    said = "\n".join(why_lines(why(read_run(result.directory))))
    assert f"target.c:24 in LLVMFuzzerTestOneInput: {crc['reached']} input" in said
    assert "unsatisfiable 1 time (a condition on 8 bytes of input: a checksum?)" in said
    assert f"not decided {product['unknown']} times (a condition on 16 bytes of input: a checksum?)" in said


def test_a_magic_number_is_solved(tmp_path: Path) -> None:
    result = sown(tmp_path, BLOCKED, "--max-forks", "1", "--solver-timeout", "0.3", seed=b"." * 32)
    sides = json.loads((result.directory / "summary.json").read_text())["seeds"]["sides"]
    (magic,) = [side for side in sides if (side["line"], side["to_line"]) == (21, 22)]
    assert magic["taken"] and magic["flipped"] == 1 and magic["inputs"] == 4


def test_without_a_corpus_nothing_is_said_of_seeds(tmp_path: Path) -> None:
    result = run(written(LOOK, tmp_path, "target.c"), options_of(tmp_path / "run", "--input-size", "1"))
    assert json.loads((result.directory / "summary.json").read_text())["seeds"] is None
    assert "inputs came to" not in "\n".join(why_lines(why(read_run(result.directory))))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--corpus", "missing"], "--corpus missing: no such folder"),
        (["--corpus", "target.c"], "--corpus target.c: is not a folder"),
        (["--corpus", "empty"], "--corpus: no file in empty"),
        (["--corpus-out", "/proc/x"], "--corpus-out: cannot write /proc/x"),
    ],
)
def test_a_corpus_that_cannot_be_used(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    written(LOOK, tmp_path, "target.c")
    with pytest.raises(InputError, match=message):
        run("target.c", options_of(tmp_path / "run", *words))


def test_a_program_that_takes_no_input_takes_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="takes no fuzzer's input"):
        sown(tmp_path, "int main(void) { return 0; }", seed=b"x")


def test_inputs_are_written_as_they_are_found(tmp_path: Path) -> None:
    result = sown(tmp_path, LOOK, "--input-size", "4", "--corpus-out", str(tmp_path / "out"), seed=b"....")
    assert result.errors
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert hashlib.sha1(b"l..k").hexdigest() in names
    crashes = sorted(path.name for path in (tmp_path / "out-crashes").iterdir())
    assert len(crashes) == 2 and crashes[1] == f"{crashes[0]}.txt"
    assert "abort" in (tmp_path / "out-crashes" / crashes[1]).read_text()
