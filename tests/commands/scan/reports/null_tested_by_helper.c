/* A function of its own tests the pointer.

   report: not reachable
*/
#include <stddef.h>
struct stack {
    int depth;
    int items[4];
};
static int is_usable(const struct stack *stack)
{
    return stack != NULL && stack->depth > 0 && stack->depth <= 4;
}
int top(const struct stack *stack)
{
    if (!is_usable(stack))
        return 0;
    return stack->items[stack->depth - 1];
}
