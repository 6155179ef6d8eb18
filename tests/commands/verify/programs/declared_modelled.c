/* expect: unsafe */
/*@ assigns \nothing; ensures \result == \null; */
void *malloc(unsigned long size);
/*@ assigns \nothing; ensures \result == \null; */
void *f(void) { return malloc(4); }
