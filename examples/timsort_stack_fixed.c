/* The stack of timsort_stack.c, where merge_collapse looks at one run more, as was proposed with the proof.

     unfork run examples/timsort_stack_fixed.c            no assertion fails for five runs, exit status 0
     unfork verify -D CORRECTED examples/timsort_stack.c  the same code, proved for all stacks, exit status 0

   expect: safe
   native: asan
*/
#define CORRECTED
#include "timsort_stack.c"
