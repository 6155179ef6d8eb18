/* expect: unsafe */
static const int table[3] = { 1, 2, 3 };
static int var[3] = { 1, 2, 3 };
/*@ requires 0 <= i < 3; assigns \nothing; ensures \result == i + 1; */
int f(int i) { return var[i]; }
/*@ requires 0 <= i < 3; assigns \nothing; ensures \result == i; */
int g(int i) { return table[i]; }
