/* error() and its variables, which musl lacks. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void begin(void)
{
	fflush(stdout);
	if (error_print_progname) error_print_progname();
	else fprintf(stderr, "%s:", program_invocation_name);
}

static void end(int status, int number, const char *format, va_list rest)
{
	vfprintf(stderr, format, rest);
	error_message_count++;
	if (number) fprintf(stderr, ": %s", strerror(number));
	putc('\n', stderr);
	fflush(stderr);
	if (status) exit(status);
}

void error(int status, int number, const char *format, ...)
{
	va_list rest;
	va_start(rest, format);
	begin();
	if (!error_print_progname) putc(' ', stderr);
	end(status, number, format, rest);
	va_end(rest);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
	static const char *last_file;
	static unsigned last_line;
	if (error_one_per_line) {
		if (last_line == line && last_file && file && !strcmp(last_file, file)) return;
		last_file = file;
		last_line = line;
	}
	va_list rest;
	va_start(rest, format);
	begin();
	if (file) fprintf(stderr, "%s:%u: ", file, line);
	else putc(' ', stderr);
	end(status, number, format, rest);
	va_end(rest);
}
