/* Sizes of types by their names, also of types that no code uses.
   expect: safe
*/
typedef unsigned long size_t;
typedef struct pair { int first; short second; } pair_t;
typedef unsigned char byte;
struct unused { char text[7]; };
enum colour { RED, GREEN };
typedef int row[3];

void fill(pair_t *p, int *table)
__CPROVER_requires(__CPROVER_is_fresh(p, 2 * sizeof(pair_t)) && sizeof(struct pair) == 8)
__CPROVER_requires(__CPROVER_is_fresh(table, sizeof(row)) && sizeof(struct unused) == 7 && sizeof(enum colour) == 4)
__CPROVER_requires(sizeof(byte) == 1 && sizeof(pair_t *) == 8 && sizeof(int[5]) == 20 && sizeof(short (*)[9]) == 8)
__CPROVER_assigns(__CPROVER_object_upto(p, sizeof(pair_t)), __CPROVER_object_whole(table))
__CPROVER_ensures(p->first == 7 && table[2] == 5)
{
    p->first = 7;
    table[2] = 5;
}
