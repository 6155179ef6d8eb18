/* The row was made before the call. Which cells it has, callers know.
   scan: conditional out-of-bounds 17 */
#include <stdlib.h>

struct row {
  int used;
  int *cells;
};

struct row *row_new(void) {
  struct row *row = calloc(1, sizeof(struct row));
  if (row && !(row->cells = calloc(4, sizeof(int)))) abort();
  return row;
}

void row_set(struct row *row, int at, int value) {
  row->cells[at] = value;
}
