/* Walks over folders by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <ftw.h>

int ftw64(const char *path, int (*visit)(const char *, const struct stat *, int), int descriptors)
{
	return ftw(path, visit, descriptors);
}

int nftw64(const char *path, int (*visit)(const char *, const struct stat *, int, struct FTW *), int descriptors, int flags)
{
	return nftw(path, visit, descriptors, flags);
}
