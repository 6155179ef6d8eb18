/* The file of the function knows a struct by its name alone: the C of its tests writes it as bytes.
   expect: unsafe
   options: --function third
   sources: incomplete_part.c
   native: none (a function that is run alone) */
struct buffer;
int used_of(const struct buffer *b);

int third(const struct buffer *b) {
  static const int table[3] = {1, 2, 3};
  int used;
  if (!b) return 0;
  used = used_of(b);
  return used < 0 || used > 3 ? 0 : table[used]; /* BUG: out-of-bounds */
}
