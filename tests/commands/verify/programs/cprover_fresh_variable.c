/* What a callee requires to be fresh is no variable that it may use by its name.
   expect: unsafe
   open: requires of set
*/
int counter;

void set(int *a)
__CPROVER_requires(__CPROVER_is_fresh(a, sizeof(int)))
__CPROVER_assigns(*a)
__CPROVER_ensures(counter == __CPROVER_old(counter))
{
    *a = 1;
}

void caller(void)
__CPROVER_assigns(counter)
__CPROVER_ensures(counter == 5)
{
    counter = 5;
    set(&counter);
}
