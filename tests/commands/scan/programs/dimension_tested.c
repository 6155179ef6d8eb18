/* There is nothing to read without a dimension, and the code tests how many there are.
   scan: certain out-of-bounds 27 */
#include <stdlib.h>

struct box {
  int dimensions;
  double *least;
};

static struct box *box_of(const double *from, int dimensions) {
  struct box *box = malloc(sizeof *box);
  if (!box) return NULL;
  box->dimensions = dimensions;
  if (!(box->least = malloc(dimensions * sizeof(double)))) {
    free(box);
    return NULL;
  }
  for (int at = 0; at < dimensions; at++) box->least[at] = from[at];
  return box;
}

double first_of(const double *from, int dimensions) {
  struct box *box;
  if (!from || dimensions < 0 || dimensions > 16 || !(box = box_of(from, dimensions))) return 0;
  double first = 0;
  for (int at = 0; at < box->dimensions; at++) first -= box->least[at];
  first += box->least[0];
  free(box->least);
  free(box);
  return first;
}
