/* expect: unsafe
   native: asan */
int main(void) {
  int values[] = {4, 5, 6}, sum = 0;
  for (int *p = values, *end = values + 3; p <= end; p++)
    sum += *p; /* BUG: out-of-bounds */
  return sum == 1;
}
