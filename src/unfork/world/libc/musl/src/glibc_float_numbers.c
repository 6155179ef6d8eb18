/* Floating-point numbers in strings, by glibc's inner names. */
#define _GNU_SOURCE
#include <stdlib.h>

float __strtof_internal(const char *text, char **end, int group) { return strtof(text, end); }
double __strtod_internal(const char *text, char **end, int group) { return strtod(text, end); }
long double __strtold_internal(const char *text, char **end, int group) { return strtold(text, end); }
