/* Arrays in elements of an array, and arrays of arrays: two unknown places, or one of them known.
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
struct grid {
    struct row rows[4];
    struct thing *corners[2][3];
};

void mark(struct grid *grid, unsigned i, unsigned j, unsigned k)
{
    if (!grid || i >= 4 || j >= 5 || k >= 5)
        return;
    struct thing *inner = grid->rows[2].cells[j];
    grid->rows[i].cells[j] = NULL;
    assert(grid->rows[2].cells[j] == (i == 2 ? NULL : inner));
    grid->rows[2].cells[k] = inner;
    assert(grid->rows[i].cells[j] == (i == 2 && j == k ? inner : NULL));
    if (i < 2 && j < 3) {
        grid->corners[i][j] = inner;
        grid->corners[1][0] = NULL;
        assert(grid->corners[i][j] == (i == 1 && j == 0 ? NULL : inner));
    }
}
