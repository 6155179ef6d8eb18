/* Choices in choices, as values and as conditions. */
#include "unfork.h"

static int grade(int points) {
  return points > 90 ? 1 : points > 75 ? 2 : points > 50 ? 3 : 4;
}

static int clamp(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

static int order(int a, int b) { return a == b ? 0 : a < b ? -1 : 1; }

static int pick(int a, int b, int c) {
  int largest = a > b ? (a > c ? a : c) : (b > c ? b : c);
  int value = a ? b ? c ? 7 : 6 : c ? 5 : 4 : b ? c ? 3 : 2 : c ? 1 : 0;
  const char *name = value > 3 ? "high" : "low";
  return largest > 3 && a > 0 ? name[0] : (b || c) ? name[1] : -value;
}

int main(void) {
  int a, b, c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  unfork_assume(a > -3 && a < 300 && b > -3 && b < 100);
  int sum = grade(b) + sign(a) + order(a, b);
  if (clamp(a) != a)
    return 1;
  sum += a && b ? 2 : 3;
  sum += !(a && c) ? 1 : 0;
  sum += pick(a, b, c & 3);
  return sum > 4 ? 2 : sum < 0;
}
