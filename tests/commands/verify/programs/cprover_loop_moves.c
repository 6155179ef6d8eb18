/* What a loop lists is what its places are where it is entered: the pointer moves on in it.
   expect: safe
*/
typedef unsigned long size_t;

void fill(char *to, size_t count, unsigned size)
__CPROVER_requires(count <= 8 && size <= 20 && __CPROVER_is_fresh(to, count * size))
__CPROVER_assigns(__CPROVER_object_upto(to, count * size))
{
    while (count > 0)
    __CPROVER_assigns(to, count, __CPROVER_object_upto(to, count * size))
    __CPROVER_loop_invariant(count <= __CPROVER_loop_entry(count))
    __CPROVER_loop_invariant(to == __CPROVER_loop_entry(to) + size * (__CPROVER_loop_entry(count) - count))
    __CPROVER_decreases(count)
    {
        if (size > 3)
            to[3] = 1;
        to += size;
        count--;
    }
}
