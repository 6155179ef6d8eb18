/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>

int main(void) {
  char buffer[16];
  assert(strlen("") == 0 && strlen("word") == 4);
  assert(strcpy(buffer, "abc") == buffer && buffer[3] == 0);
  assert(strcat(buffer, "def") == buffer && strcmp(buffer, "abcdef") == 0);
  strncpy(buffer, "xy", 5);
  assert(buffer[2] == 0 && buffer[4] == 0 && buffer[5] == 'f');
  strncat(buffer, "123456", 2);
  assert(strcmp(buffer, "xy12") == 0 && strnlen(buffer, 3) == 3);
  return 0;
}
