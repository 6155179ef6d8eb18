/* Pointers as exceptions: to a base, to void, with more const, null. Values are not converted.
   expect: safe
   native: asan */
#include <cassert>
#include "unfork.h"

struct Base { int value = 3; };
struct Derived : Base { int more = 4; };

static int caught(int kind) {
  static Derived object;
  static int number = 8;
  try {
    if (kind == 0) throw &object;
    if (kind == 1) throw static_cast<const Base *>(&object);
    if (kind == 2) throw &number;
    if (kind == 3) throw static_cast<Base *>(nullptr);
    if (kind == 4) throw 1u;
  } catch (int) {
    return 1;
  } catch (Base *base) {
    return base ? 10 + base->value : 20;
  } catch (const Base *base) {
    return 30 + base->value;
  } catch (void *pointer) {
    return 40 + *static_cast<int *>(pointer);
  } catch (unsigned value) {
    return 50 + static_cast<int>(value);
  }
  return 0;
}

int main() {
  int kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  unfork_assume(kind >= 0 && kind < 5);
  static const int expected[] = {13, 33, 48, 20, 51};
  int result = caught(kind);
  for (int i = 0; i < 5; i++)
    if (kind == i) assert(result == expected[i]);
  return 0;
}
