/* expect: safe
   paths: 1
   native: asan -D_GNU_SOURCE */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

int main(void) {
  char list[] = "a,b,,c", *rest = list, *part;
  int parts = 0;
  while ((part = strsep(&rest, ","))) parts += 1 + (int)strlen(part);
  assert(parts == 7);
  char words[] = " one two ", *state;
  assert(strcmp(strtok_r(words, " ", &state), "one") == 0 && strcmp(strtok_r(0, " ", &state), "two") == 0);
  assert(!strtok_r(0, " ", &state));
  assert(strcmp(strstr("haystack needle", "needle"), "needle") == 0 && !strstr("abc", "abd"));
  assert(strspn("aabbc", "ab") == 4 && strcspn("xyz,", ",") == 3 && strcmp(strpbrk("k=v", "="), "=v") == 0);
  assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("abX", "ABy", 2) == 0);
  assert(strverscmp("file9", "file10") < 0 && strcmp(strcasestr("One TWO", "two"), "TWO") == 0);
  char *copy = strndup("truncated", 5);
  assert(strcmp(copy, "trunc") == 0);
  free(copy);
  assert(strcmp(setlocale(LC_ALL, 0), "C") == 0 && localeconv()->decimal_point[0] == '.');
  char sorted[8];
  assert(strxfrm(sorted, "abc", sizeof sorted) == 3 && strcoll("a", "b") < 0);
  assert(strlen(strerror(ENOENT)) > 0 && wcslen(L"wide") == 4);
  wchar_t wide[8];
  assert(mbstowcs(wide, "abc", 8) == 3 && wide[1] == L'b' && wcscmp(wide, L"abc") == 0);
  return 0;
}
