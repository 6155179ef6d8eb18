/* The room for elements that wait elsewhere grows to a power of two, but not beyond half of the array.

   What was there before is for the caller to free, as it may still be in use.
*/
#include <stdlib.h>
#include "unfork.h"

struct room {
    int *items;
    int capacity;
};

/*@ requires \valid(room) && 1 <= needed <= length / 2;
    requires 0 <= room->capacity <= length / 2;
    requires \valid(room->items + (0 .. room->capacity - 1));
    requires \separated(room, room->items + (0 .. room->capacity - 1));
    assigns room->items, room->capacity;
    ensures \result == 0 || \result == 1;
    ensures \result == 1 ==> needed <= room->capacity <= length / 2;
    ensures \result == 1 ==> \valid(room->items + (0 .. room->capacity - 1));
    ensures \old(room->capacity) <= room->capacity;
*/
int ensure_capacity(struct room *room, int needed, int length)
{
    if (room->capacity < needed) {
        int size = needed, most = length / 2;
        int *items;

        size |= size >> 1;
        size |= size >> 2;
        size |= size >> 4;
        size |= size >> 8;
        size |= size >> 16;
        unfork_merge_begin();
        if (size >= most)
            size = most;
        else
            size++;
        unfork_merge_end();
        items = malloc(size * sizeof *items);
        if (items == NULL)
            return 0;
        room->items = items;
        room->capacity = size;
    }
    return 1;
}
