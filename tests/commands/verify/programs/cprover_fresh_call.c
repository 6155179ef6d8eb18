/* What a callee requires to be fresh is no memory that it is given twice.
   expect: unsafe
   open: requires of set
*/
void set(int *a, int *b)
__CPROVER_requires(__CPROVER_is_fresh(a, sizeof(int)) && __CPROVER_is_fresh(b, sizeof(int)))
__CPROVER_assigns(*a)
__CPROVER_ensures(*b == __CPROVER_old(*b))
{
    *a = 1;
}

int caller(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
__CPROVER_assigns(*p)
__CPROVER_ensures(*p == 5)
{
    *p = 5;
    set(p, p);
    return 0;
}
