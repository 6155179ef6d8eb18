/* The page of a node says who owns it. A number is no page, which only flags are asked of.
   scan: conditional null-dereference 15 */
struct owner {
  int used;
};
struct page {
  const struct owner *owner;
};

int used_by_owner(const unsigned long *header) {
  if ((*header & 64) != 0 || *header == 0)
    return 0;
  const struct page *page = (const void *)((const char *)header - (*header >> 8));
  const struct owner *owner = page->owner;
  return owner->used;
}
