/* The matcher of regexp.c with a pattern that ends in a terminator: no read leaves it, whatever its bytes are.

     unfork run examples/regexp_safe.c    no error, everything explored, exit status 0

   expect: safe
   native: asan
*/
#define TERMINATED
#include "regexp.c"
