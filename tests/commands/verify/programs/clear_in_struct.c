/* expect: unknown
   says: p may lead to the variable pair */
struct { int left; char right; } pair;
/*@ requires \valid(p); assigns *p, pair.left; ensures pair.left == 1; */
void clear(int *p) { pair.left = 1; *p = 0; }
