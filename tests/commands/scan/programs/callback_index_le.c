/* What a callback returns is tested wrongly.
   scan: conditional null-dereference 7
   scan: certain out-of-bounds 8 */
static const int weights[4] = {1, 2, 3, 4};

int weight(int (*ask)(int), int n) {
  int kind = ask(n);
  return kind >= 0 && kind <= 4 ? weights[kind] : 0;
}
