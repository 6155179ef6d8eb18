/* Of two callbacks, one reads the buffer and one fills it.
   scan: conditional null-dereference 14
   scan: certain out-of-bounds 14 */
struct port {
  int (*write)(void *to, const void *from, unsigned size);
  int (*read)(void *from, void *to, unsigned size);
  void *at;
};

static const int weights[4] = {1, 2, 3, 4};

int first(const struct port *port) {
  unsigned char buffer[8];
  int count = port->read(port->at, buffer, 9);
  return count == 8 ? weights[buffer[0] & 3] : 0;
}
