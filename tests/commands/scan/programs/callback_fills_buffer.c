/* A callback fills a buffer, which is initialised then.
   scan: conditional null-dereference 7 */
struct source { int (*read)(void *from, void *to, unsigned size); void *from; };

int first(const struct source *source) {
  unsigned char buffer[8];
  int count = source->read(source->from, buffer, sizeof buffer);
  if (count != sizeof buffer) return -1;
  return buffer[0] == 'x' ? 1 : 2;
}
