/* expect: safe
   assumes: the lemma valid */
/*@ lemma valid{L}: \forall int *p; \valid(p) || *p == 0 || *p != 0; */
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return 1; }
