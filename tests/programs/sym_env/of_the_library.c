/* What the library looks for on its own (TZ, LC_ALL, time zones) is nothing that the program asked for.
   expect: safe
   assumed: nothing
   native: none (it would find others) */
#include <locale.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  setlocale(LC_ALL, "");
  time_t now = 0;
  printf("%d\n", localtime(&now)->tm_hour);
  return 0;
}
