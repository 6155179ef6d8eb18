/* A struct that is declared only, and the object of a void pointer, are the struct that the code casts them to.
   What they hold may lead back to an object that was met before.
   expect: unsafe
   options: --function modes
   native: none (a function that is run alone) */
struct state;
struct stream { struct state *state; void *user; };
struct inflating { struct stream *stream; unsigned mode; };

int modes(struct stream *s) {
  static const int table[4] = {1, 2, 3, 4};
  struct inflating *state;
  if (!s || !s->state || !s->user) return -1;
  state = (struct inflating *)s->state;
  if (state->stream != s || state->mode > 4) return -2;
  if (((struct inflating *)s->user)->mode == 5) return table[state->mode]; /* BUG: out-of-bounds */
  return state->mode < 4 ? table[state->mode] : 0;
}
