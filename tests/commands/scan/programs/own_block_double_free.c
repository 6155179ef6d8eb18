/* On the way out of an error the block is freed a second time.
   scan: certain double-free 15 */
#include <stdlib.h>

int digits(unsigned n) {
  int count = -1;
  char *text = malloc(8);
  if (text == NULL) return -1;
  if (n > 9999999) {
    free(text);
    goto done;
  }
  for (count = 0; n > 0; n /= 10) text[count++] = (char)('0' + n % 10);
done:
  free(text);
  return count;
}
