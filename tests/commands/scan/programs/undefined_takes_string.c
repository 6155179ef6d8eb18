/* No file defines what is called with strings, of a type that is not const. It does not write to them.
   scan: nothing */
void report(char *condition, char *file, int line);

int fourth(const unsigned char *bytes, unsigned long size) {
  if (bytes == 0) {
    report("bytes", "a/file.c", 7);
    return -1;
  }
  return size > 3 ? bytes[3] : 0;
}
