/* Quantifiers within others, over rows of rows, proved and used one row at a time.
   expect: safe
*/
typedef unsigned long size_t;
struct row { short cells[100]; };
struct table { struct row rows[3]; };

void clear(struct row *r)
__CPROVER_requires(__CPROVER_is_fresh(r, sizeof(struct row)))
__CPROVER_requires(__CPROVER_forall { unsigned k; k < 100 ==> r->cells[k] < 50 })
__CPROVER_assigns(__CPROVER_object_upto(r, sizeof(struct row)))
__CPROVER_ensures(__CPROVER_forall { unsigned k; k < 100 ==> r->cells[k] < 60 });

void clear_all(struct table *t)
__CPROVER_requires(__CPROVER_is_fresh(t, sizeof(struct table)))
__CPROVER_requires(__CPROVER_forall { unsigned j; j < 3 ==>
                   (__CPROVER_forall { unsigned k; k < 100 ==> t->rows[j].cells[k] < 50 }) })
__CPROVER_assigns(__CPROVER_object_upto(t, sizeof(struct table)))
__CPROVER_ensures(__CPROVER_forall { unsigned j; j < 3 ==>
                  (__CPROVER_forall { unsigned k; k < 100 ==> t->rows[j].cells[k] < 60 }) })
{
    for (unsigned i = 0; i < 3; i++)
    __CPROVER_assigns(i, __CPROVER_object_upto(t, sizeof(struct table)))
    __CPROVER_loop_invariant(i <= 3)
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned j; j < i ==>
                             (__CPROVER_forall { unsigned k; k < 100 ==> t->rows[j].cells[k] < 60 }) })
    __CPROVER_loop_invariant(__CPROVER_forall { unsigned j; (i <= j && j < 3) ==>
                             (__CPROVER_forall { unsigned k; k < 100 ==> t->rows[j].cells[k] < 50 }) })
    __CPROVER_decreases(3 - i)
        clear(&t->rows[i]);
}
