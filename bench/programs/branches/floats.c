/* Choices between floating-point numbers, and conditions on them. */
#include "unfork.h"

static double larger(double a, double b) { return a > b ? a : b; }

static float magnitude(float x) { return x < 0 ? -x : x; }

static int is_ordered(double a, double b) { return a <= b || b <= a; }

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_assume(a > -1000 && a < 1000 && b > -1000 && b < 1000);
  double x = a, y = b;
  float sign = a > 0 ? 1.0f : -1.0f;
  double unit = b ? 1.0 : 0.0;
  int is_small = magnitude(sign * (float)x) < 10 && larger(x, y) < 20;
  if (x && y)
    return is_small ? 1 : is_ordered(x, y);
  if (!x || unit > 0.5)
    return 3;
  return 4;
}
