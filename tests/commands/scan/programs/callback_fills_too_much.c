/* The function lets a callback write more bytes than its buffer has.
   scan: conditional null-dereference 8
   scan: certain out-of-bounds 8 */
struct source { int (*read)(void *from, void *to, unsigned size); void *from; };

int first(const struct source *source) {
  unsigned char buffer[8];
  int count = source->read(source->from, buffer, sizeof buffer + 1);
  if (count != sizeof buffer) return -1;
  return buffer[0] == 'x' ? 1 : 2;
}
