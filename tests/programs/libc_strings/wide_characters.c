/* The C library reads no further than a string goes.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  char *text = strdup("ten bytes!");
  wchar_t wide[16];
  assert(mbstowcs(NULL, text, 0) == 10);
  assert(mbstowcs(wide, text, 16) == 10 && wide[9] == L'!' && !wide[10]);
  free(text);
  return 0;
}
