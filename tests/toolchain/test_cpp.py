"""C++ at the front door: builds by unfork c++, mixed languages, names of functions, native replays, bad input."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.power import IS_FULL
from tests.toolchain.conftest import Project

THROWS = """\
#include <stdexcept>
#include <string>
#include <unfork.h>
namespace bank {
struct Account {
  int balance;
  void pay(int amount) {
    if (amount > balance) throw std::invalid_argument("too much: " + std::to_string(amount));
    balance -= amount;
  }
};
int half(const Account &account) { return account.balance / 2; }
}
int main() {
  bank::Account account{100};
  int amount = unfork::symbolic<int>("amount");
  unfork_assume(amount == 7 || amount == 107);
  account.pay(amount);
  return bank::half(account) != 46;
}
"""
READS = (
    THROWS.replace("<unfork.h>", "<cstdio>")
    .replace('unfork::symbolic<int>("amount")', "getchar()")
    .replace("unfork_assume(amount == 7 || amount == 107)", "if (amount != 107) amount = 7")
)
TWICE = 'extern "C" int twice(int x);\nint main() { return twice(21) - 42; }\n'


def errors(project: Project, folder: str) -> list[tuple[str, int, str]]:
    """Of a run: the kind of each error, its line and its message."""
    summary = json.loads((project.folder / folder / "summary.json").read_text())
    return [(each["kind"], each["line"], each["message"]) for each in summary["errors"]]


def test_cc_compiles_cpp_and_links_it_as_gcc_does(project: Project) -> None:
    project.write(
        sum__cpp="#include <cstddef>\ntemplate <class T> T twice(T n) { return n; }\nint main() { return twice(0); }\n"
    )
    project.run("unfork cc sum.cpp -o sum")
    project.run("unfork run sum.bc --native-check never")
    project.write(throws__cpp="int main() { throw 1; }\n")
    assert "__cxa_throw" in project.run("unfork cc throws.cpp -o throws", 1).stderr


def test_an_exception_that_leaves_main_is_told_with_what_it_says(project: Project) -> None:
    project.write(bank__cpp=THROWS)
    project.run("unfork run bank.cpp --out run --native-check never", 1)
    assert errors(project, "run") == [("uncaught-exception", 8, "std::invalid_argument: too much: 107")]


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_its_test_fails_natively(project: Project) -> None:
    project.write(bank__cpp=THROWS)
    project.run("unfork run bank.cpp --out run --native-check never", 1)
    assert "uncaught-exception  as expected" in project.run("unfork replay --native run").stdout


@pytest.mark.parametrize(
    ("name", "status"), [("bank::Account::pay", 1), ("Account::pay", 1), ("half", 0), ("_Z4none", 2)]
)
def test_a_function_is_named_as_in_the_source(project: Project, name: str, status: int) -> None:
    project.write(bank__cpp=THROWS)
    project.run(f"unfork run bank.cpp --function {name} --out run --native-check never", status)


def test_a_name_that_several_functions_have_is_one_line(project: Project) -> None:
    project.write(
        two__cpp="namespace a { int f() { return 1; } }\nnamespace b { int f() { return 2; } }\nint main() {}\n"
    )
    said = project.run("unfork run two.cpp --function f", 2).stderr
    assert said == (
        "unfork: --function f may be a::f (_ZN1a1fEv), b::f (_ZN1b1fEv): name one of them as it stands in parentheses\n"
    )


GATE = """\
#include <string>
#include <vector>
class Key {
  unsigned teeth;
public:
  explicit Key(unsigned teeth) : teeth(teeth & 3) {}
  unsigned cut() const { return teeth; }
};
template <class T> class Gate {
  std::vector<T> keys;
  Gate() = default;
  unsigned open(const Key &key, const std::string &word) const {
    if (!keys.empty() && word.size() == 1) return 8 / (keys[0].cut() + key.cut() - 6);
    return 0;
  }
public:
  explicit Gate(std::vector<T> keys) : keys(keys) {}
};
template class Gate<Key>;
"""


def test_a_method_alone_has_an_object_that_its_constructor_made(project: Project) -> None:
    project.write(gate__cpp=GATE)
    project.run("unfork run gate.cpp --function Gate::open --max-size 1 --out run --native-check never", 1)
    assert errors(project, "run") == [("div-by-zero", 13, "division by zero")]
    assert "div-by-zero" in project.run("unfork replay run").stdout
    if shutil.which("g++") is not None:
        assert "div-by-zero at gate.cpp:13  as expected" in project.run("unfork replay --native run").stdout


def test_a_method_that_is_only_declared_needs_a_constructor(project: Project) -> None:
    project.write(one__cpp="class One {\n  One() {}\n  int n;\npublic:\n  int get() { return n; }\n};\nint main() {}\n")
    said = project.run("unfork run one.cpp --function One::get", 2).stderr
    assert said == (
        "unfork: --function _ZN3One3getEv: its objects cannot be made by constructors: there is no way to make One\n"
    )


def test_c_and_cpp_are_one_program_and_a_standard_is_for_its_language(project: Project) -> None:
    project.write(main__cpp=TWICE, twice__c="int twice(int x) { return 2 * x; }\n")
    assert "verdict: safe" in project.run("unfork run main.cpp twice.c --cflags '-std=c++20 -std=c99'").stdout


@pytest.mark.parametrize(
    ("name", "text", "words", "said"),
    [
        ("a.mm", "int main() {}\n", "", "unfork: a.mm: unknown kind of file (expected .c, .i, .cpp, .bc or .ll)\n"),
        (
            "a.cppm",
            "export module a;\n",
            "",
            "unfork: a.cppm: unknown kind of file (expected .c, .i, .cpp, .bc or .ll)\n",
        ),
        ("a.cpp", "int main() { return no; }\n", "", "a.cpp:1:21: error: use of undeclared identifier 'no'\n"),
        ("a.cpp", "int main() {}\n", "--cflags -std=c++77", "error: invalid value 'c++77' in '-std=c++77'\n"),
    ],
)
def test_bad_input_is_told_first_of_all(project: Project, name: str, text: str, words: str, said: str) -> None:
    (project.folder / name).write_text(text)
    assert project.run(f"unfork run {name} {words}", 2).stderr.startswith(said)


@pytest.mark.skipif(not IS_FULL, reason="the native C++ library takes two minutes to build")
def test_a_build_by_unfork_cpp(project: Project) -> None:
    project.write(main__cpp=READS, other__c="int other(void) { return 0; }\n")
    project.run("unfork c++ -O2 -c main.cpp && unfork cc -c other.c && unfork c++ main.o other.o -o program")
    assert {"main", "other"} <= project.defined("program.bc")
    project.run("unfork run program.bc --sym-stdin 1 --out run --formats c,lcov", 1)
    assert errors(project, "run") == [("uncaught-exception", 8, "std::invalid_argument: too much: 107")]
    covered = (project.folder / "run" / "lcov.info").read_text()
    assert {line for line in covered.splitlines() if line.startswith("SF:")} == {"SF:main.cpp", "SF:other.c"}
    assert "2 of 2 tests end as expected" in project.run("unfork replay --native run").stdout
    command = (project.folder / "run/tests/000002.cpp").read_text().partition("/* ")[2].partition("    runs")[0]
    if shutil.which("c++") is not None:
        project.run(command.replace("FILE", "run/tests/000002").replace("./a.out", "! ./a.out"))
