/* Without --fail an allocation succeeds.
   scan: nothing */
#include <stdlib.h>

int *boxed(int value) {
  int *box = malloc(sizeof *box);
  *box = value;
  return box;
}
