/* The size has the name of the source, and the loop goes one too far over that.
   scan: certain out-of-bounds 5 */
void pack(const unsigned char *src, unsigned char *dest, unsigned src_size) {
  if (src_size > 16) return;
  for (unsigned i = 0; i <= src_size; i++) dest[i] = src[i];
}
