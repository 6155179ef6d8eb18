/* The size that stat gives is that of the contents, also after the file was cut.
   expect: safe
   options: --input-size 5
   args: @@
   native: none (a fuzzer gives the file) */
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
  struct stat about;
  char bytes[8];
  assert(count == 2 && !stat(words[1], &about) && about.st_size <= 5);
  if (about.st_size == 4)
    assert(!truncate(words[1], 2));
  int file = open(words[1], O_RDONLY);
  long size = read(file, bytes, sizeof bytes);
  assert(size == (about.st_size == 4 ? 2 : about.st_size));
  return size > 0 && bytes[0] == 'z';
}
