/* A file's header holds an index that nobody has checked.
   expect: safe
   options: --libc musl --sym-files 1 2
   native: none (asks for symbolic files) */
#include <stdio.h>

int main(void) {
  static const char table[4] = {1, 2, 3, 4};
  unsigned char header[2];
  FILE *file = fopen("A", "rb");
  if (!file || fread(header, 1, 2, file) != 2) return 2;
  if (header[0] < sizeof table && header[1] == 'i') return table[header[0]];
  return 0;
}
