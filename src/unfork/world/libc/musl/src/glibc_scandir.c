/* Listings of folders by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <dirent.h>

int alphasort64(const struct dirent **left, const struct dirent **right) { return alphasort(left, right); }
int versionsort64(const struct dirent **left, const struct dirent **right) { return versionsort(left, right); }

int scandir64(const char *path, struct dirent ***to, int (*wanted)(const struct dirent *),
	int (*compare)(const struct dirent **, const struct dirent **))
{
	return scandir(path, to, wanted, compare);
}
