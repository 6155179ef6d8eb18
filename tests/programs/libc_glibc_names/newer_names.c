/* Names that glibc's headers use and musl lacks, as programs call them.
   expect: safe
   native: none (calls glibc's inner names) */
#define _GNU_SOURCE
#include <assert.h>
#include <error.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char __libc_single_threaded;
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
void __explicit_bzero_chk(void *, size_t, size_t);
cpu_set_t *__sched_cpualloc(size_t);
void __sched_cpufree(cpu_set_t *);
int fallocate64(int, int, off_t, off_t);
const char *sigdescr_np(int);

int main(void) {
  jmp_buf place;
  if (setjmp(place) == 0) __longjmp_chk(place, 3);

  char text[] = "secret";
  __explicit_bzero_chk(text, sizeof text, sizeof text);
  assert(text[0] == 0 && text[5] == 0 && __libc_single_threaded == 1);
  assert(rpmatch("Yes") == 1 && rpmatch("no") == 0 && rpmatch("perhaps") == -1);
  assert(!strcmp(sigdescr_np(11), "Segmentation fault") && sigdescr_np(99) == 0);
  assert(arc4random_uniform(3) < 3);
  __sched_cpufree(__sched_cpualloc(100));

  int file = open("f", O_RDWR | O_CREAT, 0600);
  assert(write(file, "abc", 3) == 3);
  assert(fallocate64(file, 0, 0, 9) == 0 && lseek(file, 0, SEEK_END) == 9);
  assert(renameat2(AT_FDCWD, "f", AT_FDCWD, "g", 0) == 0 && access("f", F_OK) == -1 && access("g", F_OK) == 0);
  closefrom(file);
  assert(close(file) == -1);
  error(0, 0, "%d message", 1);
  assert(error_message_count == 1);
  return 0;
}
