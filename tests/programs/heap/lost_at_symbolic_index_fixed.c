/* As its twin, but the first block is freed before its only pointer is overwritten.
   expect: safe
   native: asan
   options: --check leak */
#include <stdlib.h>
#include <unfork.h>

static char *table[4];

int main(void) {
    unsigned i;
    unfork_symbolic(&i, sizeof i, "i");
    i &= 3;
    table[i] = malloc(3);
    table[(i + 1) & 3] = malloc(4);
    free(table[i]);
    table[i] = NULL;
    return 0;
}
