/* The pointer is tested, but only after it was used.
   scan: certain null-dereference 6 */
struct item { int value; };

int value_of(const struct item *p) {
  int value = p->value;
  if (!p) return -1;
  return value;
}
