/* The last byte of the last element is not set.
   expect: unsafe
*/
typedef unsigned long size_t;
void *memset(void *to, int byte, size_t count);

void clear(short *to, size_t count)
__CPROVER_requires(count > 0 && count < 1000 && __CPROVER_is_fresh(to, count * sizeof(short)))
__CPROVER_assigns(__CPROVER_object_whole(to))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> to[i] == 0 })
{
    memset(to, 0, count * sizeof(short) - 1);
}
