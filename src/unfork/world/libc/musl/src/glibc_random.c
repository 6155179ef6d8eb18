/* Random numbers of which nobody knows the seed. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/random.h>

void arc4random_buf(void *to, size_t size)
{
	unsigned char *at = to;
	while (size) {
		ssize_t got = getrandom(at, size, 0);
		if (got <= 0) continue;
		at += got;
		size -= got;
	}
}

uint32_t arc4random(void)
{
	uint32_t number;
	arc4random_buf(&number, sizeof number);
	return number;
}

/* Which of the numbers are likelier, by far less than anyone can see, is left open. */
uint32_t arc4random_uniform(uint32_t bound) { return bound ? arc4random() % bound : 0; }
