/* zlib's inflate on SIZE arbitrary bytes that arrive one by one, as from a socket, by a user who wants the header. */
#include <zlib.h>
#include "unfork.h"

#ifndef SIZE
#define SIZE 16
#endif

int main(void) {
  unsigned char packed[SIZE], plain[8], extra[1];
  z_stream stream = {0};
  gz_header header = {0};
  unfork_symbolic(packed, sizeof packed, "packed");
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return 1;
  header.extra = extra;
  header.extra_max = sizeof extra;
  inflateGetHeader(&stream, &header);
  stream.next_out = plain;
  stream.avail_out = sizeof plain;
  for (unsigned i = 0; i < sizeof packed; i++) {
    stream.next_in = packed + i;
    stream.avail_in = 1;
    if (inflate(&stream, Z_NO_FLUSH) != Z_OK) break;
  }
  inflateEnd(&stream);
  return 0;
}
