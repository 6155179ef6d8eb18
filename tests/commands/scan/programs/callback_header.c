/* A reader of the caller's fills a header at once, whose number lies behind its first bytes and is tested wrongly. What
   callbacks write is up to their authors.
   scan: conditional out-of-bounds 14 */
struct source { int (*read)(struct source *from, void *to, unsigned size); };
struct header { char magic[4], name[12]; unsigned kind; };

int kind_of(struct source *source) {
  static const int table[4] = {1, 2, 3, 4};
  struct header header;
  if (!source || !source->read || source->read(source, &header, sizeof header) != 0) return -1;
  if (header.name[0] != 'k' || header.name[11] != '\0') return -1;
  if (header.kind > 4)
    return -1;
  return table[header.kind];
}
