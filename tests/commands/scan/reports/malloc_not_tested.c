/* The result of malloc is used at once.

   report: confirmed
*/
#include <stdlib.h>
struct point {
    int x, y;
};
struct point *point_new(int x, int y)
{
    struct point *point = malloc(sizeof *point);
    point->x = x;
    point->y = y;
    return point;
}
