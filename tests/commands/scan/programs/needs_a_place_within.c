/* Nothing asks whether there are weights at the place from which they are copied: the loop looks for room alone.
   scan: conditional out-of-bounds 16 */
#include <stdlib.h>
#include <string.h>

static const int weights[8] = {1, 3, 9, 27, 81, 243, 729, 2187};

int *weights_from(unsigned place) {
  unsigned room = 4;
  while (room < 8 - place && room != 0)
    room *= 2;
  if (room == 0)
    return NULL;
  int *copy = malloc(room * sizeof *copy);
  if (copy != NULL)
    memcpy(copy, weights + place, (8 - place) * sizeof *copy);
  return copy;
}
