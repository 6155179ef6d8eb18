/* Shapes have a table of functions that callers may bring, with more sides than the project's own.
   scan: certain out-of-bounds 19 */
#include <stdlib.h>

struct shape;
struct shape_class { int sides; int (*area)(const struct shape *); };
struct shape { const struct shape_class *klass; int side; };

static int square_area(const struct shape *s) { return s->side * s->side; }
static const struct shape_class square = {4, square_area};

void begin_square(struct shape *s) { if (s) s->klass = &square; }
void begin_as(struct shape *s, const struct shape_class *klass) { if (s) s->klass = klass; }

int corners(const struct shape *s) {
  static const int corners_of[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  if (!s || !s->klass || s->klass->sides < 0 || s->klass->sides > 8)
    return -1;
  return corners_of[s->klass->sides];
}
