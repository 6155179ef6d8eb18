/* Nothing shows how many bytes follow: the second number may be how many there are, or were read.
   scan: conditional null-dereference 8 */
#include <stddef.h>
struct message { unsigned length; unsigned seen; unsigned char bytes[]; };

unsigned checksum(const struct message *m) {
  unsigned sum = 0;
  for (unsigned i = 0; i < m->length; i++) {
    sum += m->bytes[i];
  }
  if (m->seen <= m->length)
    sum += m->bytes[m->length];
  return sum;
}
