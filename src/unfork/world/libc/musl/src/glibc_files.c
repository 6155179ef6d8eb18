/* Streams by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <stdio.h>

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
FILE *freopen64(const char *path, const char *mode, FILE *stream) { return freopen(path, mode, stream); }
int fseeko64(FILE *stream, off_t to, int from) { return fseeko(stream, to, from); }
off_t ftello64(FILE *stream) { return ftello(stream); }
int fgetpos64(FILE *stream, fpos_t *at) { return fgetpos(stream, at); }
int fsetpos64(FILE *stream, const fpos_t *at) { return fsetpos(stream, at); }
