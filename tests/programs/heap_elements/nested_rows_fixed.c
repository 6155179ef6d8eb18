/* Arrays in elements of an array whose length is unknown: two unknown places, or one of them known.
   expect: safe
   options: --function mark
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct thing {
    int size;
};
struct row {
    int count;
    struct thing *cells[5];
};

void mark(struct row *rows, unsigned i, unsigned j)
{
    if (!rows || i >= 30 || j >= 5)
        return;
    struct thing *first = rows[1].cells[j], *one = rows[i].cells[j];
    int count = rows[1].count;
    if (i == 1)
        assert(first == one);
    rows[i].cells[j] = NULL;
    rows[i].count = 4;
    assert(rows[1].cells[j] == (i == 1 ? NULL : first) && rows[1].count == (i == 1 ? 4 : count));
    rows[1].cells[2] = one;
    assert(rows[i].cells[j] == (i == 1 && j == 2 ? one : NULL));
}
