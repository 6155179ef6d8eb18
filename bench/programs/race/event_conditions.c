/* Rules of the form event, condition, action over a handful of variables, as generated for reachability contests: inputs
   1 to 5, any number of them. After 3 1 4 1 2 5 the rule that cannot apply does.

   expect: unsafe
   native: asan
   input: nondet=3 nondet=1 nondet=4 nondet=1 nondet=2 nondet=5
*/
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int a1 = 7, a2 = 0, a3 = 0, a4 = 32, a5 = 1;

static int apply(int input) {
  if (input == 3 && a1 == 7 && a2 == 0) {
    a1 = 8, a3 = 1;
    return 20;
  }
  if (input == 1 && a1 == 8 && a3 == 1) {
    a2 = a2 + 1, a3 = 0;
    return 21;
  }
  if (input == 4 && a1 == 8 && a2 == 1 && a4 == 32) {
    a3 = 1, a4 = 33;
    return 22;
  }
  if (input == 2 && a1 == 8 && a2 == 2 && a4 == 33 && a5) {
    a1 = 9, a4 = 34;
    return 23;
  }
  if (input == 2 && (a1 == 8 || a2 > 2)) {
    a1 = 7, a2 = 0, a3 = 0, a4 = 32;
    return 24;
  }
  if (input == 5 && a1 == 8) {
    a5 = !a5;
    return 25;
  }
  if (input == 1 && a1 == 9) {
    a1 = 7, a2 = 0, a4 = 32;
    return 26;
  }
  assert(!(input == 5 && a1 == 9 && a2 == 2 && a4 == 34)); /* BUG: assert */
  return -1;
}

int main(void) {
  int output = 0;

  while (1) {
    int input = __VERIFIER_nondet_int();

    if (input < 1 || input > 5)
      return output == 20;
    output = apply(input);
  }
}
