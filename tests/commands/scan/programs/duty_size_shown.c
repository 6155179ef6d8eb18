/* The entry passes an array with its size, and the zero comes behind it.
   scan: certain out-of-bounds 5 */
static void end(char *line, unsigned long length) {
  if (!line) return;
  line[length] = 0;
}
int cut(int (*see)(const char *)) {
  char line[8] = "";
  if (!see || see(line)) return -1;
  end(line, sizeof line);
  return see(line);
}
