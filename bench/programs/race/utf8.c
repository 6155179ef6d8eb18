/* A decoder of UTF-8 that refuses overlong sequences and surrogates, and forgets that four bytes can say more than
   0x10ffff.

   expect: unsafe
   native: asan
   input: text=hex:f4908080
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 8
#endif

/* The length of the sequence at `text`, its code point in `*point`; 0 if it is malformed. */
static int decode(const unsigned char *text, int left, unsigned *point) {
  unsigned least;
  int length;

  if (text[0] < 0x80) {
    *point = text[0];
    return 1;
  }
  if ((text[0] & 0xe0) == 0xc0) {
    *point = text[0] & 0x1f, length = 2, least = 0x80;
  } else if ((text[0] & 0xf0) == 0xe0) {
    *point = text[0] & 0x0f, length = 3, least = 0x800;
  } else if ((text[0] & 0xf8) == 0xf0) {
    *point = text[0] & 0x07, length = 4, least = 0x10000;
  } else {
    return 0;
  }
  if (length > left)
    return 0;
  for (int i = 1; i < length; ++i) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    *point = *point << 6 | (text[i] & 0x3f);
  }
  if (*point < least || (*point >= 0xd800 && *point <= 0xdfff))
    return 0;
  return length;
}

int main(void) {
  unsigned char text[N];
  unsigned point;
  int length;

  unfork_symbolic(text, sizeof text, "text");
  for (int at = 0; at < N; at += length) {
    length = decode(text + at, N - at, &point);
    if (length == 0)
      return 1;
    assert(point <= 0x10ffff); /* BUG: assert */
  }
  return 0;
}
