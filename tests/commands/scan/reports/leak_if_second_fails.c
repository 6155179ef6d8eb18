/* If the second allocation fails, the first is lost.

   report: confirmed
*/
#include <stdlib.h>
struct table {
    char **names;
    int *values;
};
int table_init(struct table *table)
{
    char **names = calloc(4, sizeof *names);
    if (names == NULL)
        return -1;
    int *values = calloc(4, sizeof *values);
    if (values == NULL)
        return -1;
    table->names = names;
    table->values = values;
    return 0;
}
