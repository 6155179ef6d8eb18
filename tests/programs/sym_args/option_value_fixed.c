/* An option's value is the next word, which the last option does not have.
   expect: safe
   options: --sym-args 0 2 2
   native: none (asks for symbolic arguments) */
int main(int argc, char **argv) {
  int empty = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-' || argv[i][1] != 'o' || argv[i][2] != 0) continue;
    if (i + 1 < argc && argv[i + 1][0] == 0) empty++;
  }
  return empty;
}
