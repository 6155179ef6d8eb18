/* One struct is listed, the next one is written.
   expect: unsafe
   open: assigns
*/
typedef struct pair { int first; short second; } pair_t;

void fill(pair_t *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 2 * sizeof(pair_t)))
__CPROVER_assigns(__CPROVER_object_upto(p, sizeof(struct pair)))
{
    p[1].first = 7;
}
