/* Scanning, by the names that glibc's headers give it since C23. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#define PASS_ON(call) \
	va_list rest; \
	va_start(rest, format); \
	int count = call; \
	va_end(rest); \
	return count

int __isoc23_vfscanf(FILE *stream, const char *format, va_list rest) { return vfscanf(stream, format, rest); }
int __isoc23_vscanf(const char *format, va_list rest) { return vfscanf(stdin, format, rest); }
int __isoc23_vsscanf(const char *text, const char *format, va_list rest) { return vsscanf(text, format, rest); }
int __isoc23_fscanf(FILE *stream, const char *format, ...) { PASS_ON(vfscanf(stream, format, rest)); }
int __isoc23_scanf(const char *format, ...) { PASS_ON(vfscanf(stdin, format, rest)); }
int __isoc23_sscanf(const char *text, const char *format, ...) { PASS_ON(vsscanf(text, format, rest)); }
