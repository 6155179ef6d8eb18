/* Compares our __floatscan with musl's on every string over some characters, as strtod and scanf call them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shgetc.h"

long double ours(FILE *, int, int);
long double theirs(FILE *, int, int);
typedef long double Scan(FILE *, int, int);
static long differences, strings;

static int same(long double a, long double b)
{
	if (a != a || b != b) return a != a && b != b;
	return a == b && __builtin_signbitl(a) == __builtin_signbitl(b);
}

static long double from_string(Scan *scan, const char *text, int precision, long *used)
{
	FILE f;
	sh_fromstring(&f, text);
	shlim(&f, 0);
	long double number = scan(&f, precision, 1);
	*used = shcnt(&f);
	return precision == 0 ? (float)number : precision == 1 ? (double)number : number;
}

/* A file that gives its text in pieces of the size of its buffer. */
struct pieces { const char *text; size_t left; };

static size_t piece(FILE *f, unsigned char *to, size_t length)
{
	struct pieces *pieces = f->cookie;
	if (!pieces->left) {
		f->flags |= F_EOF;
		f->rpos = f->rend = f->buf;
		return 0;
	}
	size_t count = pieces->left < f->buf_size ? pieces->left : f->buf_size;
	memcpy(f->buf, pieces->text, count);
	pieces->text += count;
	pieces->left -= count;
	f->rpos = f->buf;
	f->rend = f->buf + count;
	*to = *f->rpos++;
	return 1;
}

static long double from_file(Scan *scan, const char *text, int precision, int size, int width, long *used, int *after)
{
	unsigned char buffer[UNGET + 16];
	struct pieces pieces = {text, strlen(text)};
	FILE f = {0};
	f.buf = f.rpos = f.rend = buffer + UNGET;
	f.buf_size = size;
	f.lock = -1;
	f.read = piece;
	f.cookie = &pieces;
	shlim(&f, width);
	int first = shgetc(&f);
	if (first < 0) {
		*used = *after = -1;
		return 0;
	}
	shunget(&f);
	long double number = scan(&f, precision, 0);
	*used = shcnt(&f);
	shlim(&f, 0);
	*after = *used ? shgetc(&f) : -2;
	return precision == 0 ? (float)number : precision == 1 ? (double)number : number;
}

static void compare(const char *text)
{
	strings++;
	for (int precision = 0; precision < 3; precision++) {
		long used[2];
		int after[2], error[2];
		errno = 0;
		long double a = from_string(ours, text, precision, &used[0]);
		error[0] = errno, errno = 0;
		long double b = from_string(theirs, text, precision, &used[1]);
		error[1] = errno;
		if (!same(a, b) || used[0] != used[1] || error[0] != error[1]) {
			if (differences++ < 10)
				printf("\"%s\" %d: %.21Lg %.21Lg, %ld %ld, %d %d\n", text, precision, a, b, used[0], used[1], error[0], error[1]);
		}
		static const int widths[] = {0, 3};
		for (int size = 1; size < 9; size += 7)
			for (int width = 0; width < 2; width++) {
				errno = 0;
				a = from_file(ours, text, precision, size, widths[width], &used[0], &after[0]);
				error[0] = errno, errno = 0;
				b = from_file(theirs, text, precision, size, widths[width], &used[1], &after[1]);
				error[1] = errno;
				if (!same(a, b) || used[0] != used[1] || error[0] != error[1] || after[0] != after[1]) {
					if (differences++ < 10)
						printf("\"%s\" %d in pieces of %d, width %d: %.21Lg %.21Lg, %ld %ld, %d %d, %d %d\n", text, precision,
						       size, widths[width], a, b, used[0], used[1], error[0], error[1], after[0], after[1]);
				}
			}
	}
}

static void all(const char *alphabet, char *text, int at, int length)
{
	text[at] = 0;
	compare(text);
	if (at < length)
		for (const char *one = alphabet; *one; one++) {
			text[at] = *one;
			text[at + 1] = 0;
			all(alphabet, text, at + 1, length);
		}
}

static unsigned long long state = 88172645463325252;

static unsigned chance(unsigned most)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state % most;
}

int main(int count, char **words)
{
	char text[64];
	all(words[1], text, 0, atoi(words[2]));
	for (long left = atol(words[3]); left; left--) {
		int base = chance(4) ? 10 : 16, at = 0;
		if (!chance(4)) text[at++] = "+- "[chance(3)];
		if (base == 16) text[at++] = '0', text[at++] = "xX"[chance(2)];
		for (int digits = chance(24); digits; digits--) text[at++] = chance(12) ? "0123456789abcdef"[chance(base)] : '.';
		if (chance(2)) {
			text[at++] = base == 16 ? 'p' : 'e';
			if (chance(2)) text[at++] = "+-"[chance(2)];
			for (int digits = chance(5); digits; digits--) text[at++] = '0' + chance(chance(2) ? 2 : 10);
		}
		if (!chance(3)) text[at++] = "e.x- "[chance(5)];
		text[at] = 0;
		compare(text);
	}
	printf("%ld strings, %ld differences\n", strings, differences);
	return differences != 0;
}
