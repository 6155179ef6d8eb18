/* A fault inside a library function is at the line of the call.
   expect: unsafe
   native: asan */
#include <string.h>

int main(void) {
  char small[4];
  static const char big[8] = "1234567";
  volatile unsigned long n = 8;
  memcpy( /* BUG: out-of-bounds */
      small, /* the arguments stand on lines of their own */
      big, n);
  return small[0] == '1' ? 0 : 0;
}
