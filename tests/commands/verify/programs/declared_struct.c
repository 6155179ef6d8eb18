/* expect: safe */
typedef struct stack { int size; int *items; } stack;
/*@ requires \valid(s) && s->size > 0; assigns s->size; ensures s->size == \old(s->size) - 1; */
void pop(stack *restrict const s);
/*@ requires \valid(s) && s->size > 1; assigns s->size; ensures s->size == \old(s->size) - 2; */
void f(stack *s) { pop(s); pop(s); }
