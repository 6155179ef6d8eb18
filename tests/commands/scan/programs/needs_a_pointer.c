/* Every caller must have an item.
   scan: conditional null-dereference 6 */
struct item { int value; };

int value_of(const struct item *p) {
  return p->value;
}
