/* Nested structs, arrays inside structs, unions, bit-fields, enums, booleans and floats take any value of their type.
   expect: safe
   options: --function look --libc none
   native: none (a function that is run alone) */
#include <stdbool.h>
#include "unfork.h"

enum colour { RED, GREEN };
struct inner { short x, y; };
typedef struct {
  bool is_set;
  enum colour colour;
  unsigned low : 3, high : 5;
  union { int number; float real; } either;
  struct inner points[2];
  double weight;
  struct inner *more;
} box;

int look(const box *b) {
  if (!b) return 0;
  unfork_check(b->is_set == 0 || b->is_set == 1);
  unfork_check(b->low < 8 && b->high < 32);
  if (b->points[1].y == 300 && b->either.number == 5) unfork_cover(1);
  if (b->weight > 2.5) unfork_cover(2);
  if (b->more == &b->points[0]) unfork_cover(3);
  if (b->more == &b->points[1]) return 4;
  if (b->more) unfork_check(b->more != (const struct inner *)b);
  return b->colour == GREEN;
}
