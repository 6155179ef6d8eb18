/* What programs call that were compiled against glibc's headers.
   expect: safe
   paths: 1
   native: gcc -D_GNU_SOURCE */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern int __isoc99_sscanf(const char *, const char *, ...);
extern int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int __sprintf_chk(char *, int, size_t, const char *, ...);
extern int __printf_chk(int, const char *, ...);
extern char *__strdup(const char *);
extern void *__rawmemchr(const void *, int);
extern const unsigned short **__ctype_b_loc(void);
extern const char *gnu_get_libc_version(void);
extern FILE *fopen64(const char *, const char *);
extern int *__errno_location(void);

int main(void) {
  int x = 0;
  char text[16];
  assert(__isoc99_sscanf("7", "%d", &x) == 1 && x == 7);
  assert(__snprintf_chk(text, sizeof text, 1, sizeof text, "%d", x) == 1 && text[0] == '7');
  assert(__sprintf_chk(text, 1, sizeof text, "%s", "abc") == 3);
  __printf_chk(1, "%s\n", text);
  assert(*(char *)__rawmemchr("xyz", 'z') == 'z');
  assert((*__ctype_b_loc())['5'] & 2048);
  assert(gnu_get_libc_version()[0] == '2');
  *__errno_location() = 0;
  assert(!fopen64("/no/such/file", "r") && *__errno_location() == 2);
  return 0;
}
