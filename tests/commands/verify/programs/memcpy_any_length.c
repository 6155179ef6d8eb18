/* Bytes are copied between objects of any length, within one, and to and from a local array.
   expect: safe
*/
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);

void copy(char *to, const char *from, size_t count)
__CPROVER_requires(2 < count && count < 100000)
__CPROVER_requires(__CPROVER_is_fresh(to, count + 3) && __CPROVER_is_fresh(from, count))
__CPROVER_assigns(__CPROVER_object_from(to + 2))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> to[i + 2] == from[i] })
__CPROVER_ensures(to[1] == __CPROVER_old(to[1]) && to[count + 2] == __CPROVER_old(to[count + 2]))
{
    memcpy(to + 2, from, count);
}

void shift(short *a, size_t count)
__CPROVER_requires(0 < count && count < 100000 && __CPROVER_is_fresh(a, count * sizeof(short)))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count - 1 ==> a[i + 1] == __CPROVER_old(a[i]) })
__CPROVER_ensures(a[0] == __CPROVER_old(a[0]))
{
    memmove(a + 1, a, (count - 1) * sizeof(short));
}

void head(char *to, const char *from, size_t count)
__CPROVER_requires(8 <= count && count < 1000 && __CPROVER_is_fresh(to, count) && __CPROVER_is_fresh(from, count))
__CPROVER_assigns(__CPROVER_object_upto(to, 4))
__CPROVER_ensures(to[0] == from[4] && to[3] == from[7] && to[7] == __CPROVER_old(to[7]))
{
    char local[4];
    memcpy(local, from + 4, 4);
    memcpy(to, local, 4);
}
