/* The table has three names, index three is let through.
   scan: certain out-of-bounds 7 */
static const char *const names[] = {"red", "green", "blue"};

const char *name_of(unsigned colour) {
  if (colour > sizeof names / sizeof names[0]) return "none";
  return names[colour];
}
