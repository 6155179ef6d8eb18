/* TimSort's stack of runs, with the error that was found in 2015 by a proof that did not succeed.

   Runs wait on a stack until they are merged; run i is from start[i] to before start[i + 1]. Each shall be longer than
   the next two together, so that a stack of any array is short enough for a fixed size. merge_collapse sees to that
   when a run was pushed, but looks at the last three runs only. Of stacks on which it fails, the smallest has five runs.

     unfork run examples/timsort_stack.c           an assertion fails after the fifth push, exit status 1
     unfork verify examples/timsort_stack.c        all is proved but what merge_collapse ensures of the next two: with a
                                                   stack on which that fails, exit status 1
     unfork verify -D CORRECTED examples/timsort_stack.c
                                                   what was corrected: proved for all stacks, exit status 0

   expect: unsafe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#define MOST 8 /* runs on the stack */
#ifndef PUSHES
#define PUSHES 5
#endif

static int start[MOST + 1];
static int depth;

static int length(int i) { return start[i + 1] - start[i]; }

/* Two neighbours become one run: the start of the second goes. */
static void merge_at(int i) {
  start[i + 1] = start[i + 2];
  if (i == depth - 3)
    start[i + 2] = start[i + 3];
  depth--;
}

/*@ requires 1 <= depth <= MOST;
    requires \forall integer k; 0 <= k <= depth ==> 0 <= start[k];
    requires \forall integer k; 0 <= k < depth ==> start[k] < start[k+1];
    requires \forall integer k; 0 <= k < depth - 3 ==> start[k+1] - start[k] > start[k+3] - start[k+1];
    requires \forall integer k; 0 <= k < depth - 2 ==> start[k+1] - start[k] > start[k+2] - start[k+1];
    assigns depth, start[0 .. MOST];
    ensures \forall integer k; 0 <= k < depth - 2 ==> start[k+1] - start[k] > start[k+3] - start[k+1];
    ensures \forall integer k; 0 <= k < depth - 1 ==> start[k+1] - start[k] > start[k+2] - start[k+1];
*/
static void merge_collapse(void) {
  /*@ loop invariant 1 <= depth <= MOST;
      loop invariant \forall integer k; 0 <= k <= depth ==> 0 <= start[k];
      loop invariant \forall integer k; 0 <= k < depth ==> start[k] < start[k+1];
      loop invariant \forall integer k; 0 <= k < depth - 4 ==> start[k+1] - start[k] > start[k+3] - start[k+1];
      loop invariant \forall integer k; 0 <= k < depth - 3 ==> start[k+1] - start[k] > start[k+2] - start[k+1];
      loop invariant depth >= 3 ==> start[depth-2] - start[depth-3] > start[depth-1] - start[depth-2]
          || start[depth-2] - start[depth-3] <= start[depth] - start[depth-2];
      loop assigns depth, start[0 .. MOST];
      loop variant depth;
  */
  while (depth > 1) {
    int n = depth - 2;
    int is_short = n > 0 && length(n - 1) <= length(n) + length(n + 1);

#ifdef CORRECTED
    is_short = is_short || (n > 1 && length(n - 2) <= length(n - 1) + length(n));
#endif
    if (is_short && length(n - 1) < length(n + 1))
      n--;
    else if (!is_short && length(n) > length(n + 1))
      break;
    merge_at(n);
  }
}

int main(void) {
  for (int pushes = 0; pushes < PUSHES; pushes++) {
    int more;

    unfork_symbolic(&more, sizeof more, "length");
    unfork_assume(0 < more && more <= 1000);
    start[depth + 1] = start[depth] + more;
    depth++;
    merge_collapse();
    for (int i = 0; i + 2 < depth; i++)
      assert(length(i) > length(i + 1) + length(i + 2)); /* BUG: assert */
    for (int i = 0; i + 1 < depth; i++)
      assert(length(i) > length(i + 1));
  }
  return 0;
}
