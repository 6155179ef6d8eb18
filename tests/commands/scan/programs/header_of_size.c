/* The number is written to the buffer, and says how many bytes it has: a loop counts to it.
   scan: certain out-of-bounds 10 */
#include <stddef.h>

void pad(unsigned char *data, size_t size) {
  if (data == NULL)
    return;
  for (size_t i = 1; i < size; i++)
    data[i] = 0;
  data[0] = (unsigned char)size;
}
