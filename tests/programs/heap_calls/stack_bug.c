/* A stack of two: the third push in a row writes behind its end.
   expect: unsafe
   options: --calls push,pop --max-calls 3
   native: none (a function that is run alone) */
struct stack { int count; int items[2]; };

void push(struct stack *s, int item) {
  s->items[s->count++] = item; /* BUG: out-of-bounds */
}

int pop(struct stack *s) { return s->count ? s->items[--s->count] : -1; }
