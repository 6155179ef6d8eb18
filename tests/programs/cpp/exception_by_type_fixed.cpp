/* What a handler takes: a value, a reference, a base, a pointer, anything.
   expect: safe
   native: asan */
#include <cassert>
#include "unfork.h"

struct Base {
  int value;
  explicit Base(int value) : value(value) {}
  virtual ~Base() = default;
  virtual int kind() const { return 1; }
};

struct Derived : Base {
  using Base::Base;
  int kind() const override { return 2; }
};

static Base stored(9);

static void raise(int kind) {
  switch (kind) {
  case 0: throw 5;
  case 1: throw Base(6);
  case 2: throw Derived(7);
  case 3: throw &stored;
  case 4: throw 'c';
  case 5: throw 2.5;
  default: return;
  }
}

static int caught(int kind) {
  try {
    raise(kind);
  } catch (int number) {
    return 100 + number;
  } catch (const Derived &object) {
    return 200 + object.value + object.kind();
  } catch (Base object) {
    return 300 + object.value + object.kind();
  } catch (const Base *object) {
    return 400 + object->value;
  } catch (...) {
    return 500;
  }
  return 0;
}

int main() {
  int kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  int result = caught(kind);
  if (kind < 0 || kind > 5) assert(result == 0);
  else if (kind == 0) assert(result == 105);
  else if (kind == 1) assert(result == 307);
  else if (kind == 2) assert(result == 209);
  else if (kind == 3) assert(result == 409);
  else assert(result == 500);
  return 0;
}
