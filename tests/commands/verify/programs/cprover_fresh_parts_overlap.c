/* Parts of one object that overlap in one element are not fresh.
   expect: unsafe
   open: requires of set
*/
void set(int *a, int *b)
__CPROVER_requires(__CPROVER_is_fresh(a, 2 * sizeof(int)) && __CPROVER_is_fresh(b, 2 * sizeof(int)))
__CPROVER_assigns(a[0], a[1])
{
    a[1] = 1;
}

void caller(int *p, unsigned i)
__CPROVER_requires(__CPROVER_is_fresh(p, 5 * sizeof(int)) && i > 0 && i < 4)
__CPROVER_assigns(__CPROVER_object_whole(p))
{
    set(p, p + i);
}
