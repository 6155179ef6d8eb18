"""C++ at the front door: builds by unfork c++, mixed languages, names of functions, native replays, bad input."""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest

from tests.commands.cc.conftest import Project
from tests.support.power import IS_FULL, some
from unfork.options.standards import STANDARDS

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
  std::string owner = "somebody";
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
TWICE = """\
#include <cstdio>
static_assert(sizeof(ftello64(nullptr)) == 8);  // declared where g++ compiles for glibc
extern "C" int twice(int x);
int main() { int (*called)(int) = twice; return called(21) - 42; }
"""
LIST = """\
#include <algorithm>
#include <list>
int main() {
  std::list<int> l; std::sort(l.begin(), l.end());
}
"""
TRIED = """\
#include <unfork.h>
struct Guard { int *ended; ~Guard() { ++*ended; } };
int checked(int x) { if (x == 7) throw x; return x; }
int main() {
  int ended = 0;
  try {
    Guard guard{&ended};
    checked(unfork::symbolic<int>("x"));
    ended = 4;
  } catch (int) {
    ended = 2;
  } catch (long) {
    ended = 3;
  }
  return ended == 3;
}
"""
MISUSED = """\
#include <optional>
#include <unfork.h>
struct Shape { Shape() { twice(); } virtual void draw() = 0; void twice() { draw(); } };
struct Square : Shape {
  long side = 2;
  void draw() override { side++; }
};
struct Base { int tag = 1; };
struct Derived : Base { long more = 2; };

int main() {
  std::optional<int> none;
  switch (unfork::symbolic<int>("way")) {
    case 1:
      return *none;
    case 2:
      delete static_cast<Base *>(new Derived);
      return 0;
    case 3:
      return Square().side == 2;
  }
  return 0;
}
"""
SHOP = """\
#include <unfork.h>
namespace { int stock[4]; }
namespace shop {
struct Item { int at(int place) const; };
int Item::at(int place) const {
  static int cache[2];
  return cache[place];
}
int missing(const Item &item);
}
int main() {
  if (unfork::symbolic<bool>("far")) return *(stock + 4);
  if (unfork::symbolic<bool>("near")) return shop::missing(shop::Item());
  return shop::Item().at(2);
}
"""


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
    lines = json.loads((project.folder / "run" / "summary.json").read_text())["coverage"]["lines"]
    assert lines["covered"] == lines["total"]  # also behind a call that may throw


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_its_test_fails_natively(project: Project) -> None:
    project.write(bank__cpp=THROWS)
    project.run("unfork run bank.cpp --out run --native-check never", 1)
    assert "uncaught-exception  as expected" in project.run("unfork replay --native run").stdout


def test_lines_after_calls_that_may_throw_and_in_handlers_are_covered(project: Project) -> None:
    project.write(tried__cpp=TRIED)
    project.run("unfork run tried.cpp --out run --formats lcov")
    lines = (project.folder / "run" / "lcov.info").read_text().splitlines()
    assert [line for line in lines if line.startswith("DA:") and line.endswith(",0")] == ["DA:13,0"]
    assert {"DA:9,1", "DA:11,1", "DA:15,1"} <= set(lines)


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_misuse_of_objects_and_of_the_library_fails_natively(project: Project) -> None:
    project.write(misused__cpp=MISUSED)
    project.run("unfork run misused.cpp --check memory,div,hardening --out run --native-check never", 1)
    assert {(kind, line) for kind, line, _ in errors(project, "run")} == {
        ("hardening", 15),
        ("invalid-call", 3),
        ("invalid-free", 17),
    }
    rows = project.run("unfork replay --native --unenclosed run").stdout.splitlines()
    ends = [row.split()[4:] for row in rows if " at misused.cpp" in row]
    assert sorted(" ".join(end) for end in ends) == [
        "hardening as expected",
        "invalid-call as expected",
        "invalid-free at misused.cpp:17 as expected",
    ]


@pytest.mark.parametrize(
    ("name", "status"),
    some([("bank::Account::pay", 1), ("Account::pay", 1), ("half", 0), ("_Z4none", 2)], "names", 2),
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
    if IS_FULL and shutil.which("g++") is not None:
        assert "div-by-zero at gate.cpp:13  as expected" in project.run("unfork replay --native run").stdout


def test_a_method_that_is_only_declared_needs_a_constructor(project: Project) -> None:
    project.write(one__cpp="class One {\n  One() {}\n  int n;\npublic:\n  int get() { return n; }\n};\nint main() {}\n")
    said = project.run("unfork run one.cpp --function One::get", 2).stderr
    assert said == (
        "unfork: --function _ZN3One3getEv: its objects cannot be made by constructors: there is no way to make One\n"
    )


def test_c_and_cpp_are_one_program_and_a_standard_is_for_its_language(project: Project) -> None:
    project.write(main__cpp=TWICE, twice__c="int twice(int x) { return 2 * x; }\n")
    words = "--std c++20 --cflags '-std=c99 -fsanitize=undefined'"
    assert "verdict: safe" in project.run(f"unfork run main.cpp twice.c {words}").stdout


def test_no_name_is_shown_as_linkers_have_it(project: Project) -> None:
    project.write(shop__cpp=SHOP)
    formats = "json,sarif,junit,lcov,cobertura,gcc"
    project.run(f"unfork run shop.cpp --formats {formats} --out run --native-check never", 1)
    assert {(line, message.rpartition(" of ")[2]) for _, line, message in errors(project, "run")} == {
        (7, "'shop::Item::at::cache' (8 bytes)"),
        (12, "'(anonymous namespace)::stock' (16 bytes)"),
    }
    names = [f"errors/{file.stem}" for file in project.folder.glob("run/errors/*")]
    shown = [project.run(f"unfork show run {name}").stdout for name in ("", *names)]
    project.run("unfork report run -o page.html")
    written = [file for file in project.folder.joinpath("run").rglob("*") if file.suffix not in (".bc", ".db")]
    texts = [file.read_text() for file in (*written, project.folder / "page.html") if file.is_file()]
    assert len(texts) > 10
    assert not [text for text in (*shown, *texts) if "_Z" in text]
    assert any("call of the undefined function shop::missing at shop.cpp:13" in text for text in texts)


@pytest.mark.parametrize(
    ("name", "text", "words", "said"),
    [
        ("a.mm", "int main() {}\n", "", "Objective-C++ is not supported (expected C or C++, .bc or .ll)"),
        ("a.cppm", "export module a;\n", "", "a module of C++20 is not supported (expected C or C++, .bc or .ll)"),
        ("a.cpp", "import std;\nint main() {}\n", "--std c++20", "modules of C++20 are not supported: import std;"),
        ("a.cpp", "int main() { return no; }\n", "", "a.cpp:1:21: error: use of undeclared identifier 'no'"),
        ("a.cpp", "int main() {}\n", "--std c++77", "unfork: --std: 'c++77' is none of c89, c90,"),
        ("a.cpp", "int main() {}\n", "--cflags -std=c++77", "error: invalid value 'c++77' in '-std=c++77'"),
        ("a.cpp", "int main() {}\n", "--check hardening --cc clang", "unfork: --check: hardening is about the bundled"),
    ],
)
def test_bad_input_is_told_first_of_all(project: Project, name: str, text: str, words: str, said: str) -> None:
    (project.folder / name).write_text(text)
    complaint = project.run(f"unfork run {name} {words} --out run", 2).stderr
    assert said in complaint.splitlines()[0]
    assert not (project.folder / "run").exists()


def test_what_the_library_rejects_is_told_once_where_the_program_asks_for_it(project: Project) -> None:
    project.write(a__cpp=LIST)
    told = [line for line in project.run("unfork run a.cpp", 2).stderr.splitlines() if "error:" in line]
    assert len(told) == 1
    assert told[0].startswith("a.cpp:4:")
    assert "(in libcxx/include/__algorithm/" in told[0]


def test_the_standards_are_those_of_the_bundled_compiler(project: Project) -> None:
    known = set[str]()
    for language, name in (("c", "c77"), ("c++", "c++77")):
        said = project.run(f"{sys.executable} -m ziglang clang -x {language} -std={name} -c /dev/null", 1).stderr
        known |= set(re.findall(r"'((?:c|gnu)(?:\+\+)?\w\w)'", said.partition("\n")[2]))
    assert len(known) > 30
    assert known <= set(STANDARDS)


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
