/* The number is one of elements that the caller writes next, and not the size of the buffer: it is written there.
   scan: nothing certain */
#include <stdint.h>

static char *put(char *data, uint8_t byte) {
  *data = (char)byte;
  return data + 1;
}

char *begin_array(char *data, uint32_t size) {
  if (size < 16)
    return put(data, 0x90 | size);
  if (size < 65536) {
    data = put(data, 0xdc);
    data = put(data, size >> 8);
    return put(data, size & 255);
  }
  return 0;
}
