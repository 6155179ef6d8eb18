/* expect: unsafe */
/*@ requires 0 <= x <= 255; assigns \nothing; ensures \result == x; */
signed char f(int x) { return (signed char)x; }
