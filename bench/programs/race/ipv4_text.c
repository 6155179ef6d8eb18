/* A reader of IPv4 addresses in dotted form, without leading zeros: what it accepts, in at most LENGTH characters, is
   what is written for the address that it reads.

   expect: safe
   native: asan
   input: text="1.20.255.0"
*/
#include <assert.h>
#include <string.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 10
#endif

static int read_address(const char *text, unsigned char *parts) {
  for (int i = 0; i < 4; ++i) {
    int value = 0, digits = 0;

    if (i > 0 && *text++ != '.')
      return 0;
    for (; *text >= '0' && *text <= '9'; ++text, ++digits) {
      if (digits > 0 && value == 0)
        return 0;
      value = value * 10 + (*text - '0');
      if (value > 255)
        return 0;
    }
    if (digits == 0)
      return 0;
    parts[i] = (unsigned char)value;
  }
  return *text == '\0';
}

static void write_address(char *text, const unsigned char *parts) {
  for (int i = 0; i < 4; ++i) {
    if (parts[i] >= 100)
      *text++ = (char)('0' + parts[i] / 100);
    if (parts[i] >= 10)
      *text++ = (char)('0' + parts[i] / 10 % 10);
    *text++ = (char)('0' + parts[i] % 10);
    *text++ = i < 3 ? '.' : '\0';
  }
}

int main(void) {
  char text[LENGTH + 1], again[16];
  unsigned char parts[4];

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  if (!read_address(text, parts))
    return 0;
  write_address(again, parts);
  assert(strcmp(text, again) == 0);
  return 0;
}
