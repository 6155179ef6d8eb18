/* How far a node lies behind the beginning of its page, its header says above some flags: nobody but who has laid it there
   knows that, and a test of a flag says nothing of it.
   scan: conditional out-of-bounds 16 */
struct node {
  unsigned long header;
  int value;
};
struct page {
  int used;
};

int used_beside(const struct node *node) {
  if ((node->header & 64) != 0 || (node->header & 32) == 0)
    return 0;
  const struct page *page = (const void *)((const char *)&node->header - (node->header >> 8));
  return page->used;
}
