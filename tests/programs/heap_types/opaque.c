/* What a void pointer leads to may be carried and compared, and is not known.
   expect: safe
   options: --function same
   native: none (a function that is run alone) */
struct entry { void *data; struct entry *next; };

int same(struct entry *e, void *data) {
  if (!e || !data) return 0;
  return e->data == data;
}
