/* A run does not check contracts, as CBMC does not unless it is asked to.
   expect: safe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>

static int next(int x)
__CPROVER_requires(x > 0)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == x + 2)
{
  return x + 1;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
  __CPROVER_assigns(i, sum)
  __CPROVER_loop_invariant(0 <= i && i <= 3 && sum >= 0)
  __CPROVER_decreases(3 - i)
  {
    sum += next(i);
  }
  assert(sum == 6);
  return 0;
}
