/* The day of the week is a matter of the caller.
   scan: conditional out-of-bounds 6 */
static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

const char *day_name(unsigned day) {
  return days[day];
}
