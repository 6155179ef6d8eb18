/* Bytes are appended to an array in a struct, at a place and in a number that the caller chooses.

   expect: safe
   options: --strategy plain --function append --lengths measured --sizes pair
   paths: 8
*/
#include <stddef.h>
#include <string.h>

struct line
{
    char text[512];
    unsigned short used;
    int is_open;
};

int append(struct line *l, const char *from, size_t size)
{
    if (!l || !from || size > sizeof l->text || l->used > sizeof l->text - size)
        return -1;
    memcpy(l->text + l->used, from, size);
    l->used += size;
    return size > 8 && l->is_open && l->text[0] == '<';
}
