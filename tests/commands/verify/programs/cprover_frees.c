/* What is freed cannot be said: neither the function nor the caller of one is proved.
   expect: unknown
   says: drop is called
*/
void free(void *);

void drop(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
__CPROVER_frees(p);

void own(int *p)
__CPROVER_requires(__CPROVER_is_freeable(p))
__CPROVER_frees(p)
{
    free(p);
}

int caller(int *p)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
{
    drop(p);
    return *p;
}
