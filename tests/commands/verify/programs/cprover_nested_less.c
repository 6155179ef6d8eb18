/* Of two rows, the second is left out.
   expect: unsafe
   open: ensures
*/
struct table { short rows[2][3]; };

void clear(struct table *t)
__CPROVER_requires(__CPROVER_is_fresh(t, sizeof(struct table)))
__CPROVER_assigns(__CPROVER_object_upto(t, sizeof(struct table)))
__CPROVER_ensures(__CPROVER_forall { unsigned j; j < 2 ==>
                  (__CPROVER_forall { unsigned k; k < 3 ==> t->rows[j][k] == 0 }) })
{
    for (unsigned k = 0; k < 3; k++)
        t->rows[0][k] = 0;
}
