/*@ requires x >= 0 && y >= 0 && x <= 1000000 && y <= 1000000; assigns \nothing; ensures \result == x + y; */
int pos_sum(int x, int y) { while (x > 0) { y++; x--; } return y; }
