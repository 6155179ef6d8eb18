/* The last index that is let through is the length.
   scan: certain out-of-bounds 6 */
int days_in_month(int month) {
  int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 0 || month > 12) return 0;
  return days[month];
}
