/* realloc may move a block even when it shrinks: the old pointer is dead.
   expect: unsafe
   native: asan */
#include <stdlib.h>

int main(void) {
    char *old = malloc(16);
    old[0] = 1;
    char *now = realloc(old, 8);
    now[0] = 2;
    int seen = old[0]; /* BUG: use-after-free */
    free(now);
    return seen - seen;
}
