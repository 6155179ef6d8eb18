/* Two files have a struct of one name; what a cast says goes before what a declared name means in another file.
   expect: unsafe
   options: --function mode
   sources: opaque_twice_part.c
   native: none (a function that is run alone) */
struct state;
struct stream { struct state *state; };
struct node { int *value; long weight; const char *name; };
int other(struct stream *s);

int mode(struct stream *s) {
  struct node *node;
  if (!s || !s->state) return 0;
  node = (struct node *)s->state;
  if (node->value) return *node->value;
  return node->name[0]; /* BUG: null-dereference */
}
