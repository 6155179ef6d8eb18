/* A member of a struct as it was is not the member as it is.
   expect: unsafe
   open: ensures
*/
struct box { int count; };

void more(struct box *b)
__CPROVER_requires(__CPROVER_is_fresh(b, sizeof(struct box)) && b->count < 100)
__CPROVER_assigns(b->count)
__CPROVER_ensures(b->count == __CPROVER_old(*b).count)
{
    b->count++;
}
