/* expect: unsafe */
/*@ requires \valid_read(p); assigns *p; */
void f(const int *p) { *(int *)p = 1; }
