/* What follows the mark is read, also where the mark is the last byte, however many there are.
   scan: certain out-of-bounds 7 */
#include <string.h>
int after_mark(const unsigned char *data, unsigned long size) {
  const unsigned char *mark;
  if (!data || (mark = memchr(data, '<', size)) == 0) return 0;
  return mark[1] == '!';
}
