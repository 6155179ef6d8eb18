/* The number is only read where the callee says that it was set.
   scan: conditional null-dereference 5 */
static int parse_digit(char c, int *digit) {
  if (c < '0' || c > '9') return 0;
  *digit = c - '0';
  return 1;
}

int is_large(char c) {
  int digit;
  if (!parse_digit(c, &digit)) return 0;
  return digit > 5;
}
