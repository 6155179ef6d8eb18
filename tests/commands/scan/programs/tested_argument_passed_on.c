/* The caller tests what the function that it calls requires.
   scan: conditional null-dereference 6 */
struct box { int width, height; };

static int area(const struct box *box) {
  return box->width % 100 * (box->height % 100);
}

int volume(const struct box *box, int depth) {
  if (box == 0) return 0;
  return area(box) * (depth % 100);
}
