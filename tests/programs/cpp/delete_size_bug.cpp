/* A delete that states another size than new made.
   expect: unsafe
   native: none (tests/toolchain/test_cpp.py replays it) */
#include <memory>
#include <new>
#include "unfork.h"

struct Plain {
  long one = 1;
};
struct Larger : Plain {
  long two = 2;
};

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  switch (way) {
    case 1: {
      Plain *plain = new Larger;
      delete plain; /* BUG: invalid-free */
      return 0;
    }
    case 2:
      ::operator delete(::operator new(24), std::size_t(16)); /* BUG: invalid-free */
      return 0;
    case 3: {
      std::allocator<long> allocator;
      allocator.deallocate(allocator.allocate(4), way); /* BUG: invalid-free */
      return 0;
    }
  }
  return 0;
}
