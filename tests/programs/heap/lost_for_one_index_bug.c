/* A block is lost only where the two indices agree.
   expect: unsafe
   native: asan
   options: --check leak
   input: i=1 j=1 */
#include <stdlib.h>
#include <unfork.h>

static char *table[4];

int main(void) {
    unsigned i, j;
    unfork_symbolic(&i, sizeof i, "i");
    unfork_symbolic(&j, sizeof j, "j");
    table[i & 3] = malloc(3); /* BUG: leak */
    table[j & 3] = NULL;
    return 0;
}
