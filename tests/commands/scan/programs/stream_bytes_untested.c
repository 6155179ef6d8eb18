/* A byte of a caller's file is an index: it may be any.
   scan: conditional null-dereference 8
   scan: certain out-of-bounds 11 */
#include <stdio.h>

int weight(FILE *file) {
  static const int weights[4] = {1, 2, 3, 4};
  int kind = fgetc(file);
  if (kind < 0 || kind > 4)
    return 0;
  return weights[kind];
}
