/* The attribute is taken at its word.
   scan: nothing */
struct item { int value; };

__attribute__((nonnull)) int value_of(const struct item *p) {
  return p->value;
}
