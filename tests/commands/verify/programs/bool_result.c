/* expect: unsafe */
#include <stdbool.h>
/*@ assigns \nothing; ensures \result == x; */
bool f(int x) { return x; }
