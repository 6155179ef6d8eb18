/* The failed test prints something and goes on.

   report: confirmed
*/
#include <stdio.h>
#include <string.h>
struct entry {
    const char *name;
    int weight;
};
static const struct entry entries[] = {{"iron", 7}, {"lead", 11}, {"zinc", 5}};
static const struct entry *find(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}
int weight_of(const char *name)
{
    const struct entry *entry = find(name);
    if (entry == NULL)
        puts("no such metal");
    return entry->weight;
}
