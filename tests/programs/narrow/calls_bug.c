/* A stack of two with a pointer to its top: the third push in a row writes behind its end.
   expect: unsafe
   options: --data-model ILP32 --calls push,pop --max-calls 3
   native: none (a function that is run alone) */
struct stack { int *top; int items[2]; };

void push(struct stack *s, int item) {
  if (!s->top) s->top = s->items;
  *s->top++ = item; /* BUG: out-of-bounds */
}

int pop(struct stack *s) { return s->top && s->top != s->items ? *--s->top : -1; }
