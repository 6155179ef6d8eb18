/* The last byte is not copied.
   expect: unsafe
   open: ensures
*/
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t count);

void copy(char *to, const char *from, size_t count)
__CPROVER_requires(0 < count && count < 100000)
__CPROVER_requires(__CPROVER_is_fresh(to, count) && __CPROVER_is_fresh(from, count))
__CPROVER_assigns(__CPROVER_object_whole(to))
__CPROVER_ensures(__CPROVER_forall { size_t i; i < count ==> to[i] == from[i] })
{
    memcpy(to, from, count - 1);
}
