/* Bytes of an object of any length are set at once.
   expect: safe
*/
typedef unsigned long size_t;
void *memset(void *to, int byte, size_t count);

void clear(void *to, size_t count)
__CPROVER_requires(count < 100000 && __CPROVER_is_fresh(to, count))
__CPROVER_assigns(__CPROVER_object_upto(to, count))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> ((unsigned char *)to)[i] == 0 })
{
    memset(to, 0, count);
}

void ones(short *to, size_t count)
__CPROVER_requires(count < 1000 && __CPROVER_is_fresh(to, count * sizeof(short)))
__CPROVER_assigns(__CPROVER_object_whole(to))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> to[i] == (i < 2 ? __CPROVER_old(to[i]) : 0x0101) })
{
    if (count > 2)
        memset(to + 2, 257, (count - 2) * sizeof(short));
}
