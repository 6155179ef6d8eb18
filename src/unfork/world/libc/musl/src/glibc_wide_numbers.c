/* Numbers in wide strings, by the names that glibc's headers give since C23. */
#define _GNU_SOURCE
#include <wchar.h>

long __isoc23_wcstol(const wchar_t *text, wchar_t **end, int base) { return wcstol(text, end, base); }
long long __isoc23_wcstoll(const wchar_t *text, wchar_t **end, int base) { return wcstoll(text, end, base); }
unsigned long __isoc23_wcstoul(const wchar_t *text, wchar_t **end, int base) { return wcstoul(text, end, base); }
unsigned long long __isoc23_wcstoull(const wchar_t *text, wchar_t **end, int base) { return wcstoull(text, end, base); }
