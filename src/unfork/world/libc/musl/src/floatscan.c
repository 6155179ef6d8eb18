/* Numbers of few digits are read by one operation; what has more digits, or is no number, musl's own code reads.

An integer and a power of ten that a format holds exactly make a product or a quotient that is rounded once, and so is
the number that is nearest to the decimal (Clinger 1990, the fast path). musl computes in long double, by steps that
solvers take long to follow. */
#include <ctype.h>
#include <stdint.h>
#include "shgetc.h"
#include "floatscan.h"

long double __floatscan_of_musl(FILE *, int, int);

#define IS_DIGIT(c) ((c) - '0' < 10U)
#define LONGEST 48
/* Characters of a number that is read here: sign, prefix, digits, point, exponent. */
#define EXPONENT_DIGITS 4
#define FEW 4
/* Digits, of number and exponent together, that paths may fork on. */

/* By precision: digits of which all integers are exact, and powers of ten that are. */
static const int decimal_digits[] = {7, 15, 19}, hexadecimal_digits[] = {6, 13, 16}, powers_of_ten[] = {10, 22, 27};
#define POWERS_OF_TWO 64
/* With these, nothing is too large or subnormal in any format. */

struct source {
	FILE *from;
	int count, at, more;
	unsigned char seen[LONGEST];
};

static int next(struct source *source)
{
	int c = shgetc(source->from);
	if (c >= 0) source->seen[source->count++] = c;
	return c;
}

static void keep(struct source *source, int wanted)
{
	for (int count = source->count + source->more; count > wanted; count--) shunget(source->from);
}

static size_t seen_and_more(FILE *f, unsigned char *to, size_t length)
{
	struct source *source = f->cookie;
	if (source->at < source->count) {
		*to = source->seen[source->at++];
		return 1;
	}
	int c = shgetc(source->from);
	if (c < 0) return 0;
	source->more++;
	*to = c;
	return 1;
}

/* What was read so far, and then the rest, as a file for musl. It takes back one character, and counts further ones. */
static long double by_musl(struct source *source, int precision, int pok)
{
	unsigned char taken_back[UNGET];
	FILE file = {0};
	file.buf = file.rpos = file.rend = taken_back + UNGET;
	file.lock = -1;
	file.read = seen_and_more;
	file.cookie = source;
	shlim(&file, 0);
	long double number = __floatscan_of_musl(&file, precision, pok);
	off_t used = shcnt(&file);
	if (used) keep(source, used);
	else shlim(source->from, 0);
	return number;
}

/* Digits that may be symbolic: a path for each that they may be. With a large exponent, arithmetic on them is too much. */
static void tell_apart(struct source *source)
{
	for (int at = 0; at < source->count; at++) {
		if (!IS_DIGIT(source->seen[at])) continue;
		unsigned char digit = '0';
		while (digit != source->seen[at]) {
			digit++;
			__asm__("" : "+r"(digit)); /* what the loop comes to is not to be worked out */
		}
		source->seen[at] = digit;
	}
}

#define ROUNDED_ONCE(T) \
	(power == 1 ? (T)number : power == -1 ? -(T)number : divides ? (T)number / (T)power : (T)number * (T)power)

long double __floatscan(FILE *f, int precision, int pok)
{
	struct source source;
	source.from = f;
	source.count = source.at = source.more = 0;
	int c, negative = 0, base = 10, digits = 0, fraction = 0, point = 0, exponent = 0, length = 0;
	uint32_t first = 0;
	uint64_t number = 0;

	while (isspace(c = shgetc(f)));
	if (c >= 0) source.seen[source.count++] = c;
	if (c == '-') {
		negative = 1;
		__asm__ volatile("" : "+r"(negative)); /* a path of its own, and no choice within the number */
	}
	if (c == '+' || c == '-') c = next(&source);
	if (c == '0') {
		c = next(&source);
		if ((c | 32) == 'x') {
			base = 16;
			c = next(&source);
		} else {
			digits = 1;
		}
	}
	int most = base == 16 ? hexadecimal_digits[precision] : decimal_digits[precision];
	for (;; c = next(&source)) {
		int digit;
		if (IS_DIGIT(c)) digit = c - '0';
		else if (base == 16 && (c | 32) - 'a' < 6U) digit = (c | 32) - 'a' + 10;
		else if (c == '.' && !point) {
			point = 1;
			continue;
		} else break;
		if (digits == most) return by_musl(&source, precision, pok);
		digits++;
		fraction += point;
		if (digits < 9) number = first = first * base + digit;
		else number = number * base + digit;
	}
	if (!digits) return by_musl(&source, precision, pok);

	int end = source.count - (c >= 0);
	if ((c | 32) == (base == 16 ? 'p' : 'e')) {
		int sign = 0;
		c = next(&source);
		if (c == '+' || c == '-') {
			sign = c;
			c = next(&source);
		}
		for (; IS_DIGIT(c); c = next(&source)) {
			if (++length > EXPONENT_DIGITS) return by_musl(&source, precision, pok);
			exponent = 10 * exponent + c - '0';
		}
		if (length) end = source.count - (c >= 0);
		else if (!pok) return by_musl(&source, precision, pok);
		if (sign == '-') exponent = -exponent;
	}

	exponent -= base == 16 ? 4 * fraction : fraction;
	int divides = exponent < 0, steps = divides ? -exponent : exponent;
	if (steps > (base == 16 ? POWERS_OF_TWO : powers_of_ten[precision])) {
		if (digits + length <= FEW) tell_apart(&source);
		return by_musl(&source, precision, pok);
	}
	long double power = negative ? -1 : 1;
	for (; steps; steps--) power *= base == 16 ? 2 : 10;
	keep(&source, end);
	if (precision == 0) return ROUNDED_ONCE(float);
	if (precision == 1) return ROUNDED_ONCE(double);
	return ROUNDED_ONCE(long double);
}
