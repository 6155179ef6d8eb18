/* Conditions that macros make. */
#include <assert.h>

#include "unfork.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(x) ((x) < 0 ? -(x) : (x))
#define IN(x, low, high) ((x) >= (low) && (x) <= (high))
#define SWAP(a, b)                                                                                                     \
  do {                                                                                                                 \
    int swapped = (a);                                                                                                 \
    (a) = (b);                                                                                                         \
    (b) = swapped;                                                                                                     \
  } while (0)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define CHECK(x)                                                                                                       \
  if (!(x))                                                                                                            \
  return -1
#define TRACE(x) ((void)0)
#define VERBOSE 0

static int between(int a, int b) {
  if (a > b)
    SWAP(a, b);
  CHECK(a <= b);
  CHECK(a > -1000 && b < 1000);
  int middle = a + (b - a) / 2;
  int is_in = IN(middle, a, b);
  assert(is_in && middle >= a);
  return MAX(0, MIN(middle, 100));
}

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (VERBOSE && a > 3)
    return 9;
  if (VERBOSE)
    TRACE(a);
  if (unlikely(a == 77))
    return 7;
  if (likely(a < 50 || b < 50) && unlikely(a > 20))
    TRACE(b);
  int distance = between(a, b);
  if (distance < 0)
    return 2;
  int size = ABS(distance - 50);
  return likely(IN(size, 10, 20)) ? MAX(size, 3) : unlikely(size > 40 && a) ? 4 : 5;
}
