/* Some fifty lines that do little: what is left of the time of a run is the time to get started.

   expect: safe
   paths: 1
   native: asan
*/
#include <stdlib.h>
#include <string.h>

#include "unfork.h"

struct point {
  int x, y;
};

struct shape {
  char name[16];
  unsigned count;
  struct point *points;
};

static struct shape *new_shape(const char *name, unsigned count) {
  struct shape *shape = malloc(sizeof *shape);

  if (!shape)
    exit(1);
  memset(shape->name, 0, sizeof shape->name);
  memcpy(shape->name, name, strlen(name));
  shape->count = count;
  shape->points = calloc(count, sizeof *shape->points);
  if (!shape->points)
    exit(1);
  return shape;
}

static int twice_area(const struct shape *shape) {
  int area = 0;

  for (unsigned i = 0; i < shape->count; ++i) {
    const struct point *here = &shape->points[i];
    const struct point *next = &shape->points[(i + 1) % shape->count];
    area += here->x * next->y - next->x * here->y;
  }
  return area;
}

int main(void) {
  struct shape *triangle = new_shape("triangle", 3);
  int flipped;

  unfork_symbolic(&flipped, sizeof flipped, "flipped");
  triangle->points[flipped ? 2 : 1].x = 4;
  triangle->points[flipped ? 1 : 2].y = 3;
  int area = twice_area(triangle);
  free(triangle->points);
  free(triangle);
  return area == 0;
}
