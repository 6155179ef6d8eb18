/* An exit handler of the C library: legal, but not run.
   expect: unknown unsupported
   native: none (glibc runs it) */
#include <stdlib.h>

int main(void) {
    return atexit(abort) != 0;
}
