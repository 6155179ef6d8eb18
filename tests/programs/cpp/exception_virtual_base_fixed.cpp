/* Bases are found through several and virtual inheritance, and pointers are moved to them. A base that is there twice is
   none.
   expect: safe
   native: asan */
#include <cassert>
#include "unfork.h"

struct Root { int root = 1; virtual ~Root() = default; };
struct Left : virtual Root { int left = 2; };
struct Right : virtual Root { int right = 3; };
struct Diamond : Left, Right { int own = 4; };

struct One { int one = 5; virtual ~One() = default; };
struct Two { int two = 6; virtual ~Two() = default; };
struct Both : One, Two { int both = 7; };

struct Via : One { int via = 8; };
struct Other : One { int other = 9; };
struct Twice : Via, Other {};

int main() {
  unsigned char which;
  unfork_symbolic(&which, sizeof which, "which");
  int result = 0;
  try {
    if (which == 0) throw Diamond();
    if (which == 1) throw Both();
    if (which == 2) throw Twice();
  } catch (const Two &object) {
    result = object.two * 10;
  } catch (const Root &object) {
    result = object.root * 10;
  } catch (const One &object) {
    result = -1;
  } catch (...) {
    result = 99;
  }
  assert(result == (which == 0 ? 10 : which == 1 ? 60 : which == 2 ? 99 : 0));

  Both object;
  try {
    throw &object;
  } catch (const Two *two) {
    assert(two == &object);
    assert(two->two == 6);
  }
  return 0;
}
