/* expect: safe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  int histogram[256];
  memset(histogram, 0, sizeof histogram);
  signed char c;
  unfork_symbolic(&c, sizeof c, "c");
  histogram[(unsigned char)c]++;
  return 0;
}
