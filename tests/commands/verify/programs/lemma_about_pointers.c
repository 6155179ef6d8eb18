/* expect: safe
   assumes: the lemma apart
   Lemmas about pointers themselves are not proved: two may be one. */
/*@ predicate Differ(int *p, int *q) = p != q;
    lemma apart: \forall int *p, int *q; Differ(p, q); */
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return 1; }
