/* The environment is an array that a null pointer ends.
   expect: safe
   native: asan */
#include <assert.h>

int main(int argc, char **argv, char **envp) {
  int count = 0;
  while (envp[count]) count++;
  assert(envp[count] == 0 && argc == 1 && argv[0]);
  return 0;
}
