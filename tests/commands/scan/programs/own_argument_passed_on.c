/* The caller knows as little of the box as the function it calls.
   scan: conditional null-dereference 7
   scan: conditional null-dereference 11 */
struct box { int width, height; };

static int area(const struct box *box) {
  return box->width % 100 * (box->height % 100);
}

int volume(const struct box *box, int depth) {
  return area(box) * (depth % 100);
}
