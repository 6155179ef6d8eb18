/* A member lies so far behind that a null pointer leads elsewhere there.
   scan: conditional out-of-bounds 9 */
struct table {
  char room[3000000];
  int used;
};

int is_full(const struct table *table) {
  return table->used >= 100000;
}
