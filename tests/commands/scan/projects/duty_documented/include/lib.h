#include <stddef.h>
#include <stdint.h>
#define WORD 4 /* bytes */

/* The sum of the words in a block.
   @param data the words
   @param size their bytes: it must be
               a multiple of WORD */
uint32_t sum_of(const uint8_t *data, size_t size);
uint32_t other_sum_of(const uint8_t *data, size_t size);
uint32_t pinned_sum_of(const uint8_t *data, size_t size);

uint32_t last_sum_of(const uint8_t *data, size_t size);

struct table {
  int kind;
  size_t last;
};
/* One of the bytes, of which size must be at least 4. */
uint8_t entry_of(const uint8_t *data, size_t size, const struct table *table);
