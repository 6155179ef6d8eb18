/* Values of && and || and ! that are stored, combined and compared. */
#include "unfork.h"

static int global;

static int count(int x) {
  global++;
  return x;
}

int main(void) {
  int a, b, c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  int both = a && b;
  int all = a && b && c;
  int any = a || b || c;
  int mixed = (a && b) || c;
  int other = a && (b || c);
  int negated = !(a && b);
  int twice = !!(a || c);
  int equal = (a && b) == c;
  int sum = (a && b) + (b && c) + (a > 3) + (b == c);
  int kept;
  if ((kept = a > 1 && c > 1) || both)
    global += kept;
  a && count(b);
  b || count(c);
  (void)(c && count(0));
  both |= all && !any;
  both &= mixed || (other && negated);
  long wide = a > 5 && b > 5;
  char narrow = a == 5 || b == 5;
  double real = a == 6 && b == 6;
  unsigned mask = (a == 8 && b) << 3 | (c == 8 && b) << 1;
  return (twice && equal) + sum > 3 || wide || narrow || real > 0.5 || mask;
}
