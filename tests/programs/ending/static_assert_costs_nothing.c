/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static_assert(sizeof(int) == 4, "int has four bytes");

int main(void) { return 0; }
