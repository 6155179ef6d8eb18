/* Every use of unwritten bytes on which something depends that can be seen, or that can fail.
   expect: unsafe
   options: --check memory,div,uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "unfork.h"

static int table[4];

static int shown(int kind) {
  char bytes[8], other[8];
  size_t length;
  int number;
  unsigned index;
  char *pointer;
  void (*function)(void);
  switch (kind) {
  case 0: return strlen(bytes) > 9; /* BUG: uninitialised */
  case 1: memcpy(other, bytes, length); return 0; /* BUG: uninitialised */
  case 2: memset(other, 0, length); return 0; /* BUG: uninitialised */
  case 3: free(malloc(length)); return 0; /* BUG: uninitialised */
  case 4: return table[index & 3]; /* BUG: uninitialised */
  case 5: table[index & 3] = 1; return 0; /* BUG: uninitialised */
  case 6: unfork_assume(number > 3); return 0; /* BUG: uninitialised */
  case 7: unfork_check(number != 77); return 0; /* BUG: uninitialised */
  case 8: return write(1, bytes, 4) == 4; /* BUG: uninitialised */
  case 9: return write(number, "a", 1) == 1; /* BUG: uninitialised */
  case 10: return write(1, "abcd", length & 3) == 1; /* BUG: uninitialised */
  case 11: return number ? 3 : 4; /* BUG: uninitialised */
  case 12: return 10 / number; /* BUG: uninitialised */
  case 13: return *pointer; /* BUG: uninitialised */
  case 14: function(); return 0; /* BUG: uninitialised */
  case 15: free(pointer); return 0; /* BUG: uninitialised */
  case 16: switch (number) { case 1: return 1; case 2: return 2; } return 0; /* BUG: uninitialised */
  case 17: { char array[1 + (length & 3)]; return sizeof array > 9; } /* BUG: uninitialised */
  case 18: return memchr("abc", 'b', length) != 0; /* BUG: uninitialised */
  case 19: strcpy(other, bytes); return 0; /* BUG: uninitialised */
  case 20: exit(number); /* BUG: uninitialised */
  case 21: _exit(number); /* BUG: uninitialised */
  }
  return number;
}

int main(void) {
  int kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  return shown(kind); /* BUG: uninitialised */
}
