/* The size has the name of the source: it says nothing of the room behind the other pointer.
   scan: nothing */
void pack(const unsigned char *src, unsigned char *dest, unsigned src_size) {
  if (src_size > 16) return;
  for (unsigned i = 0; i < src_size; i++) dest[i + 1] = src[i];
  dest[0] = (unsigned char)src_size;
}
