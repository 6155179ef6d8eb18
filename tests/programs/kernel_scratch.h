/* A directory of its own for a program that makes files, which is gone when the program ends well. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef GIVE_UP
#define GIVE_UP abort() /* what is done when this fails, which is no part of the test */
#endif

static char scratch[] = "/tmp/unforkXXXXXX";

static void enter(void) { if (!mkdtemp(scratch) || chdir(scratch)) GIVE_UP; }

static void leave(void) { if (chdir("/") || rmdir(scratch)) GIVE_UP; }

/* A file with the given contents, open for reading and writing at its beginning. */
static int file_with(const char *name, const char *text) {
  int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0644);
  if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || lseek(fd, 0, SEEK_SET)) GIVE_UP;
  return fd;
}
