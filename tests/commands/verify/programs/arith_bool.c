/* expect: unsafe */
#include <stdbool.h>
/*@ requires \valid(b); assigns *b; ensures *b == 2; */
void f(bool *b) { *b = 2; }
