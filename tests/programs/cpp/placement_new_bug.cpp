/* The buffer is too small for the object.
   expect: unsafe
   native: asan
   input: x=1 */
#include <new>
#include "unfork.h"

struct Small { int one; };
struct Large {
  long one, two;
  explicit Large(long x) : one(x), two(x) {} /* BUG: out-of-bounds */
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  alignas(Large) static unsigned char buffer[sizeof(long)];
  if (x == 1) return (new (buffer) Large(x))->one == 5;
  return (new (buffer) Small{x})->one == 5 ? 0 : 0;
}
