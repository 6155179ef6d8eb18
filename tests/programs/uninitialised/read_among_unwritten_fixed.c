/* The element that the index means is written, though others are not.
   expect: safe
   native: asan
   options: --check uninitialised */
#include <unfork.h>

int main(void) {
    int table[3];
    unsigned i;
    unfork_symbolic(&i, sizeof i, "i");
    i %= 3;
    table[0] = 1;
    if (i == 0 && table[i] == 1) {
        return 0;
    }
    table[i] = 2;
    return 0;
}
