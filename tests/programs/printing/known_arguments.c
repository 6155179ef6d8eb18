/* What is printed of known arguments: by the first call, which sets up the stream, and by those that follow.
   expect: safe
   native: gcc */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int print_to(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int first = vsnprintf(0, 0, format, arguments);
  va_end(arguments);
  va_start(arguments, format);
  int count = vsnprintf(to, size, format, arguments);
  va_end(arguments);
  assert(first == count);
  return count;
}

int main(void) {
  char text[64];
  const char letters[3] = {'x', 'y', 'z'};
  memset(text, '#', sizeof text);

  assert(print_to(text, sizeof text, "%d|%5s|%-4c|%.2f", -12, "abc", 'q', 2.675) == 19);
  assert(strcmp(text, "-12|  abc|q   |2.67") == 0 || strcmp(text, "-12|  abc|q   |2.68") == 0);
  assert(text[19] == '\0' || text[19] == '#');

  assert(print_to(text, 5, "%s", "longer than that") == 16);
  assert(strcmp(text, "long") == 0);
  assert(print_to(text, 1, "%d", 1234) == 4 && text[0] == '\0');
  assert(print_to(text, 4, "%.*s", 3, letters) == 3 && strcmp(text, "xyz") == 0);
  assert(print_to(text, sizeof text, "%*d|%-*u|%+ld%%", -4, 7, 3, 8u, 1234567890123L) == 24);
  assert(strcmp(text, "7   |8  |+1234567890123%") == 0);
  assert(print_to(text, sizeof text, "%hhd %hu %#x %#o %08.3e", 300, 65537, 255, 8, 12345.678) == 23);
  assert(strcmp(text, "44 1 0xff 010 1.235e+04") == 0);

  int written = 0;
  for (int i = 0; i < 400; i++)
    written += printf("%d: %s\n", i, "a line");
  assert(written == 10 * 10 + 90 * 11 + 300 * 12);
  assert(fprintf(stderr, "%s%c", "", '\n') == 1);
  assert(printf("%s", "") == 0);
  int seen = -1;
  assert(printf("%d%n\n", 17, &seen) == 3 && seen == 2);
  assert(snprintf(text, 0, "%d", 5) == 1);
  return 0;
}
