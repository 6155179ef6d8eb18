/* The function must be set.
   scan: conditional null-dereference 6 */
struct driver { int (*open)(int unit); };

int start(const struct driver *driver, int unit) {
  return driver->open(unit);
}
