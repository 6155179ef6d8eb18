/* A stack in an array, as an abstract data type with an invariant. */
struct stack {
    int size;
    int items[16];
};
/*@ predicate IsStack{L}(struct stack *s) = \valid(s) && 0 <= s->size <= 16;
    predicate IsEmpty{L}(struct stack *s) = s->size == 0;
    predicate IsFull{L}(struct stack *s) = s->size == 16;
    logic integer Size{L}(struct stack *s) = s->size;
    logic integer Top{L}(struct stack *s) = s->items[s->size - 1];
    predicate Kept{K, L}(struct stack *s, integer n) =
      \forall integer i; 0 <= i < n ==> \at(s->items[i], K) == \at(s->items[i], L); */

/*@ requires \valid(s);
    assigns s->size;
    ensures IsStack(s) && IsEmpty(s); */
void stack_init(struct stack *s)
{
    s->size = 0;
}

/*@ requires \valid(s) && IsStack(s) && !IsFull(s);
    assigns s->size, s->items[0 .. 15];
    ensures IsStack(s) && Size(s) == Size{Old}(s) + 1 && Top(s) == value && Kept{Old, Here}(s, Size{Old}(s)); */
void stack_push(struct stack *s, int value)
{
    s->items[s->size] = value;
    s->size++;
}

/*@ requires \valid(s) && IsStack(s) && !IsEmpty(s);
    assigns s->size;
    ensures IsStack(s) && Size(s) == Size{Old}(s) - 1 && Kept{Old, Here}(s, Size(s)); */
void stack_pop(struct stack *s)
{
    s->size--;
}

/*@ requires \valid(s) && IsStack(s) && !IsEmpty(s);
    assigns \nothing;
    ensures \result == Top(s); */
int stack_top(struct stack *s)
{
    return s->items[s->size - 1];
}

/*@ requires IsStack(s) && !IsFull(s);
    assigns s->size, s->items[0 .. 15];
    ensures Kept{Old, Here}(s, Size(s)) && Size(s) == Size{Old}(s); */
void push_and_pop(struct stack *s, int value)
{
    stack_push(s, value);
    stack_pop(s);
}
