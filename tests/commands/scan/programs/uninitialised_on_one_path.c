/* For a third kind nobody sets the number of bytes.
   scan: certain uninitialised 9 */
int is_wide(int kind) {
  int bytes;
  if (kind == 1)
    bytes = 1;
  else if (kind == 2)
    bytes = 4;
  if (bytes > 2) return 1;
  return 0;
}
