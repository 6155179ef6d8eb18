/* What the library looks for on its own (TZ, LC_ALL, time zones) is nothing that the program asked for.
   expect: safe
   assumed: nothing
   native: none (it would find others) */
#include <locale.h>
#include <time.h>

int main(void) {
  setlocale(LC_ALL, "");
  time_t now = 0;
  return localtime(&now)->tm_year != 70 && localtime(&now)->tm_year != 69;
}
