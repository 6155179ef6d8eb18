/* Input and output in pieces by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/uio.h>

ssize_t preadv64(int of, const struct iovec *to, int count, off_t at) { return preadv(of, to, count, at); }
ssize_t pwritev64(int of, const struct iovec *from, int count, off_t at) { return pwritev(of, from, count, at); }
int fallocate64(int of, int mode, off_t at, off_t size) { return fallocate(of, mode, at, size); }
ssize_t getdents64(int of, void *to, size_t size) { return getdents(of, to, size); }
