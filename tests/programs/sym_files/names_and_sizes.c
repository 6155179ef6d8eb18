/* Symbolic files are called A, B, ...; each has the size that was asked for.
   expect: safe
   options: --libc musl
   args: --sym-files 2 3
   native: none (asks for symbolic files) */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char bytes[8];
  int a = open("A", O_RDONLY), b = open("./B", O_RDWR);
  assert(a == 3 && b == 4);
  assert(open("C", O_RDONLY) == -1);
  assert(read(a, bytes, 8) == 3 && read(b, bytes, 8) == 3);
  assert(lseek(a, 0, SEEK_END) == 3);
  return 0;
}
