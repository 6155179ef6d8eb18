/* What the union holds, its kind says.
   scan: conditional invalid-call 14 */
struct node {
  int kind;
  union {
    struct { char *text; char *more; } words;
    struct { void *data; void (*end)(void *); } own;
  } value;
};
static void nothing(void *data) { (void)data; }
void (*const first)(void *) = nothing;

void end(struct node *node) {
  if (node->kind == 5 && node->value.own.end) node->value.own.end(node->value.own.data);
}
