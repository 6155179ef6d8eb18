/*@ requires low <= high; assigns \nothing; ensures low <= \result <= high; */
int meet(int low, int high) { while (low < high) { low++; if (low < high) high--; } return low; }
