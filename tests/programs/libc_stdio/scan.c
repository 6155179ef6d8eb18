/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int a = 0, b = 0, read = 0;
  long c = 0;
  double d = 0;
  float e = 0;
  char word[8], set[8];
  assert(sscanf("12 -0x1f 777 2.5e3 .25 hello", "%d %i %lo %lf %f %7s%n", &a, &b, &c, &d, &e, word, &read) == 6);
  assert(a == 12 && b == -31 && c == 0777 && d == 2500.0 && e == 0.25f && strcmp(word, "hello") == 0 && read == 28);
  assert(sscanf("abc123", "%[a-c]%d", set, &a) == 2 && strcmp(set, "abc") == 0 && a == 123);
  assert(sscanf("x", "%d", &a) == 0);
  assert(sscanf("", "%d", &a) == EOF);
  assert(sscanf("5,6", "%d,%*d", &a) == 1 && a == 5);
  return 0;
}
