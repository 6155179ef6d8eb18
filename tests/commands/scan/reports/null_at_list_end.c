/* The loop tests the pointer; the code behind it does not.

   report: confirmed
*/
#include <stddef.h>
struct node {
    int value;
    struct node *next;
};
int third_value(const struct node *list)
{
    for (int i = 0; i < 2 && list != NULL; i++)
        list = list->next;
    return list->value;
}
