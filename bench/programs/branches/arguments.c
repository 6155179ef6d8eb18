/* Conditions as arguments, indices and returned values. */
#include "unfork.h"

static int counts[4];

static int chosen(int first, int second, int third) {
  return first + 2 * second + 4 * third;
}

static int both(int a, int b) {
  return a > 2 && b > 2;
}

static int either(int a, int b)
{
  return a == b
      || a > 100;
}

static int neither(int a, int b) { return !(a || b); }

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  counts[a > 0 && b > 0]++;
  counts[2 + (a < b)]--;
  int sum = chosen(a && b, a > 5, b ? 1 : 0);
  sum += chosen(both(a, b), either(a, b) && sum > 2, !neither(a, b));
  sum += chosen(a > 7 ? 3 : 4,
                b > 7 ? sum : 5,
                a && (b || sum));
  return sum > 20;
}
