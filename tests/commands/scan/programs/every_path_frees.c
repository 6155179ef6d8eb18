/* Every way out frees the block.
   scan: nothing */
#include <stdlib.h>

int digits(unsigned n) {
  int count = -1;
  char *text = malloc(16);
  if (text == NULL) return -1;
  if (n == 0) goto done;
  for (count = 0; n > 0; n /= 10) text[count++] = (char)('0' + n % 10);
done:
  free(text);
  return count;
}
