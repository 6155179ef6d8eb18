/* A constructor that throws: what was constructed is destroyed in reverse order, also elements and bases, and the memory
   of new is freed.
   expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include "unfork.h"

static int trace;

struct Element {
  static int made, limit;
  int number;
  Element() : number(made) {
    if (made == limit) throw 1;
    made++;
  }
  ~Element() {
    made--;
    assert(made == number);
  }
};
int Element::made, Element::limit;

struct Base {
  Base() { trace = trace * 10 + 1; }
  ~Base() { trace = trace * 10 + 2; }
};
struct Member {
  Member() { trace = trace * 10 + 3; }
  ~Member() { trace = trace * 10 + 4; }
};
struct Object : Base {
  Member member;
  Object() { throw 2; }
  ~Object() { assert(false); }
};

int main() {
  unsigned limit;
  unfork_symbolic(&limit, sizeof limit, "limit");
  unfork_assume(limit < 4);
  Element::limit = static_cast<int>(limit);
  int caught = 0;
  try {
    Element *elements = new Element[3];
    delete[] elements;
  } catch (int number) {
    caught = number;
  }
  assert(caught == (limit < 3));
  assert(Element::made == 0);
  try {
    new Object;
  } catch (int number) {
    assert(number == 2);
  }
  assert(trace == 1342);
  return 0;
}
