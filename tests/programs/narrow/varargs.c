/* Variadic arguments lie in slots of four bytes.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "unfork.h"

struct pair { short a; int *p; };

static int check(const char *kinds, ...) {
  va_list list, again;
  va_start(list, kinds);
  va_copy(again, list);
  long long sum = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
      case 'i': sum += va_arg(list, int); break;
      case 'l': sum += va_arg(list, long); break;
      case 'q': sum += va_arg(list, long long); break;
      case 'd': sum += (long long)va_arg(list, double); break;
      case 'x': sum += (long long)va_arg(list, long double); break;
      case 'p': sum += *va_arg(list, int *); break;
      case 's': {
        struct pair pair = va_arg(list, struct pair);
        sum += pair.a + *pair.p;
        break;
      }
    }
  va_end(list);
  int first = va_arg(again, int);
  va_end(again);
  return sum > 0x7fffffff ? -1 : (int)sum + first;
}

int main(void) {
  int x, y = 20;
  unfork_symbolic(&x, sizeof x, "x");
  if (x < 0 || x > 100) return 0;
  struct pair pair = {3, &y};
  assert(check("iqdplsx", x, 5LL, 2.5, &y, 7L, pair, 1.5L) == 2 * x + 5 + 2 + 20 + 7 + 23 + 1);
  char text[80];
  int length = snprintf(text, sizeof text, "%d %lld %s %.1f %zu %p %c", 5, 1LL << 40, "abc", 1.5, sizeof pair, (void *)0, 'z');
  assert(!strcmp(text, "5 1099511627776 abc 1.5 8 0 z") && length == (int)strlen(text));
  length = snprintf(text, sizeof text, "%d", x);
  assert(length == (x < 10 ? 1 : x < 100 ? 2 : 3));
  return 0;
}
