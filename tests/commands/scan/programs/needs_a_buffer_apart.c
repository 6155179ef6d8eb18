/* A buffer has as many bytes as its size says, so it is no text that is shorter.
   scan: conditional null-dereference 9 */
#include <stddef.h>

int put(const char *text, char *buffer, size_t buffer_size) {
  if (buffer_size < 2)
    return -1;

  if (text[0] == 0) {
    buffer[0] = 'x';
    if (text[0] != 0)
      return text[1];
  }
  return 0;
}
