/* No function stands for a callback that takes any number of arguments: it is null, and must be set.
   scan: conditional null-dereference 6 */
struct driver { int (*print)(const char *format, ...); };

int start(const struct driver *driver, int unit) {
  return driver->print("%d\n", unit);
}
