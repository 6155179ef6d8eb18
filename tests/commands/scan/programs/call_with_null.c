/* The caller knows of the missing box and hands it on to a function that needs one.
   scan: certain null-dereference 8 */
#include <stdio.h>

struct box { int width, height; };

static int area(const struct box *box) {
  return box->width % 100 * (box->height % 100);
}

int reported_area(const struct box *box) {
  if (box == NULL) puts("no box");
  return area(box);
}
