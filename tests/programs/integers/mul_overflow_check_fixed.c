/* Two sizes are multiplied, and the product is divided by one of them to see whether it wrapped.
   expect: safe
   input: width=3 height=5 */
#include <assert.h>
#include <stddef.h>
#include "unfork.h"

static int mul_wraps(size_t a, size_t b, size_t *product) {
  *product = a * b;
  return a != 0 && *product / a != b;
}

int main(void) {
  size_t width, height, product;
  unfork_symbolic(&width, sizeof width, "width");
  unfork_symbolic(&height, sizeof height, "height");
  if (mul_wraps(width, height, &product)) return 0;
  assert((unsigned __int128)width * height == product);
  return 0;
}
