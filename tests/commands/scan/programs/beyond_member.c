/* The byte after the last one of a full buffer is put into the member behind it, which no sanitizer of addresses shows.
   scan: certain out-of-bounds 12 */
struct digest {
  unsigned char block[64];
  int used;
};

int append(struct digest *d, unsigned char byte) {
  if (!d)
    return 0;
  if (d->used >= 0 && d->used <= 64)
    d->block[d->used++] = byte;
  return d->used;
}
