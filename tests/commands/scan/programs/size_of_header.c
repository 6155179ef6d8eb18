/* A header of eight bytes is read untested: callers may promise that there is one.
   scan: nothing */
#include <string.h>
int version(const unsigned char *data, unsigned long size) {
  if (!data || memchr(data, '<', size) == 0) return 0;
  return data[7];
}
