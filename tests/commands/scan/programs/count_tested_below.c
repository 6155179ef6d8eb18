/* The last one is taken from a stack that may be empty: the test lets zero by.
   scan: conditional null-dereference 6
   scan: certain out-of-bounds 7 */
static const int items[16];
int pop(int *count) {
  if (*count < 0 || *count > 16) return -1;
  return items[--*count];
}
