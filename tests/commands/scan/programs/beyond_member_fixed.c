/* The last byte of a buffer has room, and the address behind it may be taken.
   scan: nothing certain */
struct digest {
  unsigned char block[64];
  int used;
};

int append(struct digest *d, unsigned char byte) {
  if (!d)
    return 0;
  if (d->used >= 0 && d->used < 64)
    d->block[d->used++] = byte;
  return d->used;
}

long used_at(struct digest *d) {
  return d ? &d->block[64] - d->block : 0;
}
