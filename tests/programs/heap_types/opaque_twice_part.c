struct state { int count; int more; };
struct stream { struct state *state; };
struct node { short small; };

int other(struct stream *s) {
  struct node node = {1};
  return s->state->count + node.small;
}
