/* The check compares the product with a factor, as one does with sums: most products that wrap go unnoticed.
   expect: unsafe
   input: width=2 height=9223372036854775811 */
#include <assert.h>
#include <stddef.h>
#include "unfork.h"

static int mul_wraps(size_t a, size_t b, size_t *product) {
  *product = a * b;
  return *product < a && b != 0;
}

int main(void) {
  size_t width, height, product;
  unfork_symbolic(&width, sizeof width, "width");
  unfork_symbolic(&height, sizeof height, "height");
  if (mul_wraps(width, height, &product)) return 0;
  assert((unsigned __int128)width * height == product); /* BUG: assert */
  return 0;
}
