/* Small structs are passed in registers, in pieces of eight bytes, whatever is in them.
   expect: unsafe
   options: --function area
   native: none (a function that is run alone) */
#include "unfork.h"

struct size { short width, height; int scale; };
struct named { float weight; char *name; };

int area(struct size s, struct named n, int k) {
  if (!n.name || n.weight != 2.5f || s.scale != 3 || k != s.width) return 0;
  int product = s.width * s.height;
  unfork_check(product != 77 || n.name[0] != 'x'); /* BUG: assert */
  return product != 0;
}
