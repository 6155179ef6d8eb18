/* Printing into descriptors and new strings, as programs compiled with glibc's checks call it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#define PASS_ON(call) \
	va_list rest; \
	va_start(rest, format); \
	int count = call; \
	va_end(rest); \
	return count

int __vasprintf_chk(char **to, int flag, const char *format, va_list rest) { return vasprintf(to, format, rest); }
int __asprintf_chk(char **to, int flag, const char *format, ...) { PASS_ON(vasprintf(to, format, rest)); }
int __vdprintf_chk(int where, int flag, const char *format, va_list rest) { return vdprintf(where, format, rest); }
int __dprintf_chk(int where, int flag, const char *format, ...) { PASS_ON(vdprintf(where, format, rest)); }
