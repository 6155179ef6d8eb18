/* An array with one element more than a write at a symbolic offset may touch.
   expect: safe
   native: asan */
#include <assert.h>
#include <unfork.h>

static char array[257];

int main(void) {
    unsigned i;
    unfork_symbolic(&i, sizeof i, "i");
    if (i >= sizeof array) {
        return 0;
    }
    array[i] = 7;
    if (array[256] == 7) {
        assert(i == 256);
    }
    return 0;
}
