/* A command prints nothing and takes all that is written.
   expect: safe
   assumed: popen() runs nothing: what is read from it is empty, and pclose() returns any status
   native: none (it would run a command) */
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[16];
  FILE *reading = popen("ls", "r"), *writing = popen("cat", "w");
  assert(reading && writing && !popen("ls", "x"));
  assert(!fgets(line, sizeof line, reading) && feof(reading));
  assert(fputs("text", writing) >= 0 && fflush(writing) == 0);
  int status = pclose(reading);
  return status == 0 && pclose(writing) == 0;
}
