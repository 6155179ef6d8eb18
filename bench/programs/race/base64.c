/* N bytes to Base64 and back, each character found by ranges: the same bytes come out.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 6
#endif

static char character_of(unsigned value) {
  if (value < 26)
    return (char)('A' + value);
  if (value < 52)
    return (char)('a' + value - 26);
  if (value < 62)
    return (char)('0' + value - 52);
  return value == 62 ? '+' : '/';
}

static unsigned value_of(char character) {
  if (character >= 'A' && character <= 'Z')
    return (unsigned)(character - 'A');
  if (character >= 'a' && character <= 'z')
    return (unsigned)(character - 'a' + 26);
  if (character >= '0' && character <= '9')
    return (unsigned)(character - '0' + 52);
  return character == '+' ? 62 : 63;
}

int main(void) {
  unsigned char bytes[N], again[N];
  char text[N / 3 * 4];

  unfork_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < N / 3; ++i) {
    unsigned word = (unsigned)(bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2]);
    for (int j = 0; j < 4; ++j)
      text[4 * i + j] = character_of(word >> (18 - 6 * j) & 63);
  }
  for (int i = 0; i < N / 3; ++i) {
    unsigned word = 0;
    for (int j = 0; j < 4; ++j)
      word = word << 6 | value_of(text[4 * i + j]);
    for (int j = 0; j < 3; ++j)
      again[3 * i + j] = (unsigned char)(word >> (16 - 8 * j));
  }
  for (int i = 0; i < N; ++i)
    assert(again[i] == bytes[i]);
  return 0;
}
