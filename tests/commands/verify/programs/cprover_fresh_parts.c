/* Parts of one object that do not overlap are fresh to a callee, and so are local variables and what is null.
   expect: safe
*/
struct pair { int first[2], second[2]; };

void set(int *a, int *b, int *c)
__CPROVER_requires(__CPROVER_is_fresh(a, 2 * sizeof(int)) && __CPROVER_is_fresh(b, 2 * sizeof(int)))
__CPROVER_requires(c == 0 || __CPROVER_is_fresh(c, sizeof(int)))
__CPROVER_assigns(a[0], a[1])
__CPROVER_assigns(c != 0: *c)
__CPROVER_ensures(b[0] == __CPROVER_old(b[0]) && a[0] == 1)
{
    a[0] = a[1] = 1;
    if (c)
        *c = 2;
}

void caller(struct pair *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(struct pair)))
__CPROVER_assigns(__CPROVER_object_whole(p))
__CPROVER_ensures(p->second[0] == 5)
{
    int local;
    p->second[0] = 5;
    set(p->first, p->second, 0);
    set(p->first, p->second, &local);
}
