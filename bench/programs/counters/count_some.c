/*@ requires n >= 0; assigns \nothing; ensures 0 <= \result <= n; */
int count_some(int n, unsigned seed) { int k = 0; for (int i = 0; i < n; i++) { seed = seed * 1103515245u + 12345u; if (seed & 4) k++; } return k; }
