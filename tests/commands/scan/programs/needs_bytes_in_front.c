/* A member points to the end of some bytes: how many lie in front of it, its owner knows.
   scan: conditional out-of-bounds 9 */
struct window {
  const unsigned char *end;
};

int before(const struct window *window, unsigned distance) {
  if (distance == 0 || distance > 8) return -1;
  return *(window->end - distance);
}
