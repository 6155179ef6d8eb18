/* What an assert demands is demanded of the callers.
   scan: conditional assert 6 */
#include <assert.h>

unsigned per_page(unsigned total, unsigned pages) {
  assert(pages != 0);
  return total / pages;
}
