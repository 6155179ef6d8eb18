/* A header of 600 bytes is read from the file: the byte behind its table decides where the table is written.
   scan: certain out-of-bounds 14 */
#include <stdio.h>
struct header {
  unsigned char table[599];
  unsigned char place;
};
int fill(const char *path) {
  struct header header;
  FILE *file = path ? fopen(path, "rb") : 0;
  if (!file) return -1;
  unsigned char kinds[32] = {0};
  size_t count = fread(&header, sizeof header, 1, file);
  if (count) kinds[header.place] = header.table[0];
  fclose(file);
  return kinds[0];
}
