/* A pointer to numbers may lead behind some: how many lie in front of it is the caller's business.
   scan: conditional out-of-bounds 9 */
int recent[16];

void keep(const int *end, unsigned count) {
  if (count >= 16)
    return;
  for (unsigned i = 0; i < count; i++)
    recent[i] = *(end - count + i);
}
